import { z } from 'zod'

/** Codes that stand for no country (Unicode CLDR): unknown, and two for tests. */
const placeholders = new Set(['ZZ', 'XA', 'XB'])

export const Country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, { error: 'Expected an ISO 3166 country code of two letters, such as US', abort: true })
  .toUpperCase()
  .refine(isCountry, { error: 'Not the code of a country (ISO 3166), such as US' })
  .default('US')
  .describe('Two-letter ISO country code.')

function isCountry(code: string): boolean {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return !placeholders.has(code) && names.of(code) !== undefined
}

/** Many write en_US. */
export const LanguageTag = z
  .string()
  .min(1)
  .max(100)
  .overwrite((tag) => tag.replaceAll('_', '-'))
  .refine(isLanguageTag, { error: 'Expected a language tag, such as de or en-US' })

function isLanguageTag(tag: string): boolean {
  if (tag === '*') return true
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
