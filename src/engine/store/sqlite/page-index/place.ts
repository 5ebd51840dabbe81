/** Where a page is, in the form in which pages of one host and of its sub-domains are neighbours. */
export type Place = {
  /** Labels of the host from the last to the first, each with a dot: `com.example.docs.`; `www` does not count. */
  hostKey: string
  /** Path without a closing slash, and query. */
  path: string
}

/** Undefined for what is no address of a page. */
export function placeOf(address: string): Place | undefined {
  const url = URL.parse(address)
  if (!url || url.hostname === '') return undefined
  return { hostKey: hostKeyOf(url.hostname), path: pathOf(url) }
}

const pathOf = ({ pathname, search }: URL) => `${pathname.replace(/\/+$/, '')}${search}`

export const hostKeyOf = (host: string): string => `${bareHost(host).split('.').toReversed().join('.')}.`
export const hostOf = (hostKey: string): string => hostKey.split('.').toReversed().slice(1).join('.')

const bareHost = (host: string) =>
  host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\.(?=.)/, '')

/** Keys of a host and its sub-domains are those from the first to below the second. */
export function hostRange(host: string): [from: string, below: string] {
  const key = hostKeyOf(host)
  return [key, `${key.slice(0, -1)}/`]
}

/** A host, and the path where one was typed behind it, as `site:` takes them. */
export function siteParts(site: string): { host: string; path: string } {
  const typed = site.replace(/^[a-z]+:\/\//i, '').replace(/^\*?\./, '')
  const url = URL.parse(`http://${typed}`)
  return url ? { host: bareHost(url.hostname), path: pathOf(url) } : { host: bareHost(typed), path: '' }
}

/** A host and all that it is a sub-domain of, itself first. */
export function domainsOf(hostKey: string): string[] {
  const labels = hostOf(hostKey).split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}
