export type Place = { country: string; languages: string[] }

/** Languages and countries by their English names, each with the country or the language that most likely goes with it. */
function knownPlaces(): ReadonlyMap<string, Place> {
  const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const places = new Map<string, Place>()
  for (const code of knownCodes()) {
    const [name, region] = [languages.of(code), new Intl.Locale(code).maximize().region]
    if (name !== undefined && region !== undefined) places.set(name, { country: region, languages: [code] })
  }
  for (const code of knownCodes()) {
    const country = code.toUpperCase()
    const [name, language] = [regions.of(country), new Intl.Locale('und', { region: country }).maximize().language]
    if (name !== undefined && language !== 'und') places.set(name, { country, languages: [language] })
  }
  return places
}

function knownCodes(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  return letters.flatMap((one) => letters.map((other) => one + other))
}

/** Places whose names a text has in capitals, in its order: of `German` and `Germany` alike where and how to browse from. */
export function placesIn(text: string): Place[] {
  const names = text.match(/\b\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*/gu)
  if (!names) return []
  const known = knownPlaces()
  return names.flatMap((name) => known.get(name) ?? name.split(' ').flatMap((word) => known.get(word) ?? []))
}
