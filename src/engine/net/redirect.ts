import { isUtf8 } from 'node:buffer'
import { fail } from '../../core/error.ts'
import { withoutSecrets, withUrlCredentials } from './request-headers.ts'

export type Hop = { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * Where an answer sends us: undefined if it is no redirect. Secret headers stay with the origin they were given for;
 * user info in Location becomes a Basic header; the fragment is inherited (RFC 9110, 10.2.2).
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!redirectStatuses.has(status) || location === undefined) return undefined
  const target = URL.parse(asUtf8(location), hop.url.href)
  if (!target) fail('SCRAPE_SITE_ERROR', { message: 'The site redirects to something that is not a URL.' })
  if (target.hash === '') target.hash = hop.url.hash
  return withUrlCredentials(target, target.origin === hop.url.origin ? hop.headers : withoutSecrets(hop.headers))
}

/** undici reads headers as latin1, but a Location that is not plain ASCII is mostly UTF-8, and browsers take it so. */
function asUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}
