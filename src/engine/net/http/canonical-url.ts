/**
 * The form of a URL that cache keys are made of: parser-normal (lower-case host, no default port), without user info,
 * without an empty query and without a fragment, except one that is a route of a script application (`#/…`, `#!/…`).
 * The order of query parameters stays, because some sites depend on it. Text that is no URL comes back trimmed.
 */
export function cacheUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url.trim()
  parsed.username = ''
  parsed.password = ''
  // Assigning the empty string also drops a lone "?" or "#", which `search` and `hash` do not show.
  if (parsed.search === '') parsed.search = ''
  if (!/^#!?\//.test(parsed.hash)) parsed.hash = ''
  return parsed.href
}

/** The URL without `user:password@`, which belongs in no record and no answer. */
export function withoutCredentials(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || (parsed.username === '' && parsed.password === '')) return url
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
