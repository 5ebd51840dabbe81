const tracking = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|igshid|ref|ref_src)$/i

/** One name for the addresses of one page in different lists; text that is no URL is its own name. */
export function canonicalResult(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  for (const name of Array.from(parsed.searchParams.keys())) if (tracking.test(name)) parsed.searchParams.delete(name)
  parsed.searchParams.sort()
  const host = parsed.host.replace(/^(?:www|m|amp)\.(?=[^.]+\.)/, '')
  const path = parsed.pathname.replace(/\/(?:index\.(?:html?|php))?$/, '')
  const route = /^#!?\//.test(parsed.hash) ? parsed.hash : ''
  return `${host}${path}${parsed.search}${route}`
}
