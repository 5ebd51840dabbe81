import type { SearchRequest } from '../../../../contracts/search-port.ts'

/** Countries whose pages are mostly in English, whatever most people speak. */
const englishFirst = new Set('BW CM GH IE IN KE LK MT MW NA NG PH PK RW SG TZ UG ZA ZM ZW'.split(' '))

/** The language to search in (ISO 639-1): the requested one, or the most common one of the country (CLDR likely subtags). */
export function languageOf({ language, country }: Pick<SearchRequest, 'language' | 'country'>): string {
  const [requested] = (language ?? '').toLowerCase().split(/[-_]/)
  if (requested) return requested
  if (!/^[A-Z]{2}$/.test(country) || englishFirst.has(country)) return 'en'
  return new Intl.Locale(`und-${country}`).maximize().language
}

/** The English name of a country, such as "Germany"; undefined for a code nobody has. */
export function countryName(country: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(country) || country === 'ZZ') return undefined
  const name = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(country)
  return name === country ? undefined : name
}
