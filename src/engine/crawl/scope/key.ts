import { normalEncoding } from './encoding.ts'
import { siteOf } from './place.ts'
import { isForeignToContent } from './traps.ts'
import { portOf } from '../../net/address/host.ts'

export type KeyRules = { ignoreQueryParameters: boolean; deduplicateSimilarURLs: boolean }

/** The fragments that are routes of a script application; all others name a place in one and the same page. */
const route = /^#!?\//

/**
 * The key of a page: two addresses with one key are one page. It is the parser's form of the address without user info
 * and fragment, its percent-encoding in normal form (RFC 3986, section 6.2.2); the case of the path and the order of
 * parameters stay. Similar addresses (`www.`, scheme, trailing slash, index file, parameters for tracking) share a key
 * where the rules say so; such a key begins with `//`.
 */
export function keyOf(url: URL, rules: KeyRules): string {
  const path = normalEncoding(url.pathname)
  const query = rules.ignoreQueryParameters ? '' : normalEncoding(url.search)
  const fragment = route.test(url.hash) ? url.hash : ''
  if (!rules.deduplicateSimilarURLs)
    return `${url.protocol}//${url.host.replace(/\.(?=$|:)/, '')}${path}${query}${fragment}`
  return `//${siteOf(url)}${similarPath(path)}${similarQuery(query)}${fragment}`
}

/** The address as it is visited: as found, without user info and without a fragment that is no route. */
export function visitedUrl(url: URL): string {
  const bare = url.username === '' && url.password === '' ? url : withoutCredentials(url)
  const at = bare.href.indexOf('#')
  return at === -1 || route.test(bare.hash) ? bare.href : bare.href.slice(0, at)
}

function withoutCredentials(url: URL): URL {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare
}

function similarPath(path: string): string {
  const plain = path.includes(';') ? path.replace(/;(?:jsessionid|phpsessid)=[^/;]*/gi, '') : path
  return plain.replace(/\/(?:index\.(?:html?|php))?$/, '')
}

function pairOf(parameter: string): [string, string] {
  const at = parameter.indexOf('=')
  return at < 0 ? [parameter, ''] : [parameter.slice(0, at), parameter.slice(at + 1)]
}

function similarQuery(query: string): string {
  if (query === '') return ''
  const kept = query
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isForeignToContent(...pairOf(parameter)))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** `host:port` of a URL, to which limits apply whatever the scheme. */
export function hostKey(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.hostname}:${portOf(parsed)}` : ''
}
