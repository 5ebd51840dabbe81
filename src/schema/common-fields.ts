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

/** Names with values. JSON Schema has a word for how many there may be, zod has none; it is heeded by `sizeFaults`. */
export const mapOf = <T extends z.ZodType>(value: T, most: number) =>
  z.record(z.string().max(1000), value).meta({ maxProperties: most })

/** A text that says something. */
export const words = (most: number) =>
  z
    .string()
    .min(1, { abort: true })
    .max(most)
    .refine((text) => text.trim() !== '', { error: 'Expected more than white space' })

/** Forms send an empty text for what was not filled in. */
export const filledIn = <T extends z.ZodType>(list: T) =>
  z.preprocess((given) => (Array.isArray(given) ? given.filter((each) => each !== '') : given), list)

/** A key of the keyboard, of which the space bar is one. */
export const keyName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => name === ' ' || name.trim() !== '', { error: 'Expected the name of a key, such as Enter' })

export const RequestHeaders = mapOf(z.string().max(65_536), 200)
/** JSON of any shape, such as a JSON Schema. */
export const AnyObject = mapOf(z.unknown(), 1000)
export const Selectors = filledIn(z.array(words(10_000)).max(1000))

/** What a call says of the program it comes from. */
export const callLabels = {
  origin: z.string().max(256).optional().describe('Label of the calling program.'),
  integration: z.string().max(256).optional().describe('Label of the calling integration.'),
}

/** How long a call that begins a job stays for its end. */
export const waitSeconds = (about: string) => z.int().min(0).max(300).optional().describe(about)

/** Of a call that tells how far a job is. */
export const waitForEnd = waitSeconds('Seconds to wait for its end.')

/** Of a job whose result is stored. */
export const noRetention = z.boolean().default(false).describe('Not possible: the result is kept until it is read.')

const withScheme = (scheme: 'http' | 'https') => (text: string) =>
  /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i.test(text) ? text : `${scheme}://${text}`

/** A host is a name with a dot, an IP literal, or localhost (which the address rule refuses unless the operator allows it). */
function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return /[^.]\.[^.]/.test(hostname) || hostname.startsWith('[') || hostname === 'localhost'
}

const maxLength = 16_384

/** What WebUrl makes of a text; undefined where it is none. For lists too long to have each fault explained. */
export function webUrlIn(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > maxLength) return undefined
  const url = withScheme('http')(trimmed)
  return isWebUrl(url) ? url : undefined
}

const webUrl = (scheme: 'http' | 'https') =>
  z.string().trim().min(1).max(maxLength).overwrite(withScheme(scheme)).refine(isWebUrl, {
    error: 'Expected an http or https URL with a full host name, such as https://example.com/page',
  })

/** The URL rule of the service: a missing scheme becomes http://. The text is otherwise kept as it was sent. */
export const WebUrl = webUrl('http')
/** The same as a browser takes it: a missing scheme becomes https://. */
export const BrowserUrl = webUrl('https')
