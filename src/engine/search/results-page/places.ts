/** Regions of DuckDuckGo; the first of a country is its own. */
const duckRegions =
  'ar-es au-en at-de be-nl br-pt bg-bg ca-en cl-es cn-zh co-es hr-hr cz-cs dk-da ee-et fi-fi fr-fr de-de gr-el hk-tzh hu-hu in-en id-en ie-en il-en it-it jp-jp kr-kr lv-lv lt-lt my-en mx-es nl-nl nz-en no-no pk-en pe-es ph-en pl-pl pt-pt ro-ro ru-ru sg-en sk-sk za-en es-es se-sv ch-de tw-tzh th-en tr-tr us-en ua-uk uk-en vn-en'.split(
    ' ',
  )
const renamed: Readonly<Record<string, string>> = { GB: 'uk-en', SI: 'sl-sl', SA: 'xa-ar', AE: 'xa-ar', EG: 'xa-ar' }

/** The region code of DuckDuckGo for a country; all regions where it has none. */
export function duckRegion(country: string): string {
  const code = `${country.toLowerCase()}-`
  return renamed[country] ?? duckRegions.find((region) => region.startsWith(code)) ?? 'wt-wt'
}
