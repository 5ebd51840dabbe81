import { z } from 'zod'

/** Codes without a country (Unicode CLDR): unknown, and two for tests. */
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

/** Values by name, at most `most`. zod has no such limit: the schema only declares it, and `sizeFaults` enforces it. */
export const mapOf = <T extends z.ZodType>(value: T, most: number) =>
  z.record(z.string().max(1000), value).meta({ maxProperties: most })

/** A text that is not only white space. */
export const words = (most: number) =>
  z
    .string()
    .min(1, { abort: true })
    .max(most)
    .refine((text) => text.trim() !== '', { error: 'Expected more than white space' })

/** Forms send an empty string for a field that was not filled in. */
export const filledIn = <T extends z.ZodType>(list: T) =>
  z.preprocess((given) => (Array.isArray(given) ? given.filter((each) => each !== '') : given), list)

/** Characters that HTTP allows (RFC 9110, 5.1 and 5.5), which exclude line breaks. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Undefined if HTTP can send such a header. */
export function headerFault(name: string, value: string): string | undefined {
  if (!headerName.test(name)) return 'The name has characters that HTTP does not allow in headers'
  return headerValue.test(value) ? undefined : 'The value has characters that HTTP does not allow in headers'
}

export const RequestHeaders = mapOf(z.string().max(65_536), 200).superRefine((headers, check) => {
  for (const [name, value] of Object.entries(headers)) {
    const message = headerFault(name, value)
    if (message !== undefined) check.addIssue({ code: 'custom', path: [name], message, input: headers })
  }
})
/** JSON object of any shape, such as a JSON Schema. */
export const AnyObject = mapOf(z.unknown(), 1000)

/** Labels of the calling program. */
export const callLabels = {
  origin: z.string().max(256).optional().describe('Label of the calling program.'),
  integration: z.string().max(256).optional().describe('Label of the calling integration.'),
}

/** Field for the seconds that a call waits for the end of a job. */
export const waitSeconds = (about: string) => z.int().min(0).max(300).optional().describe(about)

/** `wait` of calls that read the state of a job. */
export const waitForEnd = waitSeconds('Seconds to wait for its end.')

const withScheme = (scheme: 'http' | 'https') => (text: string) =>
  /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i.test(text) ? text : `${scheme}://${text}`

/** A host is a name with a dot, an IP literal, or localhost (refused by default by the address rule). */
function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return /[^.]\.[^.]/.test(hostname) || hostname.startsWith('[') || hostname === 'localhost'
}

const maxLength = 16_384

/** The URL that WebUrl parses from a text, or undefined. For lists in which invalid entries are skipped. */
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

/** URL rule of the service: a missing scheme becomes http://. The text is otherwise kept verbatim. */
export const WebUrl = webUrl('http')
/** Like WebUrl with the rule of browsers: a missing scheme becomes https://. */
export const BrowserUrl = webUrl('https')
