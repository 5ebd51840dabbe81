import { isIPv6 } from 'node:net'

/**
 * The host as the URL parser sees it (decimal, octal, hex, full-width and percent forms folded), lower-case, without
 * brackets and trailing dots; undefined if the text is no host.
 */
export function canonicalHost(host: string): string | undefined {
  const url = URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}/`)
  if (!url || url.href !== `http://${url.hostname}/`) return undefined
  return bareHost(url.hostname) || undefined
}

/** `hostname` of a parsed URL without the brackets of IPv6 and without trailing dots. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

/** The port of a parsed http or https URL. */
export function portOf(url: Pick<URL, 'port' | 'protocol'>): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
