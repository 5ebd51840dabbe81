import { z } from 'zod'

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
