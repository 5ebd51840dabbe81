import type { SearchRequest } from '../../../contracts/search.ts'

/** Where English is among the languages most pages are written in, whatever most people speak. */
const englishToo = new Set('BW CM GH IE IN KE LK MT MW NA NG PH PK RW SG TZ UG ZA ZM ZW'.split(' '))

/** The language to search in, as ISO 639-1: the one asked for, or the most common one of the country (CLDR likely subtags). */
export function languageOf({ language, country }: Pick<SearchRequest, 'language' | 'country'>): string {
  const [asked] = (language ?? '').toLowerCase().split(/[-_]/)
  if (asked) return asked
  if (!/^[A-Z]{2}$/.test(country) || englishToo.has(country)) return 'en'
  return new Intl.Locale(`und-${country}`).maximize().language
}

/** The English name of a country, such as "Germany"; undefined for a code nobody has. */
export function countryName(country: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(country) || country === 'ZZ') return undefined
  const name = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(country)
  return name === country ? undefined : name
}

/** A base address and its parameters; what is undefined is left out. */
export function urlOf(base: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const url = new URL(base)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return url.href
}
