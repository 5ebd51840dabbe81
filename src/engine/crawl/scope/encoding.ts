/** Percent-encoding in normal form (RFC 3986, section 6.2.2): escapes in upper case, and none for characters that need none. */
export function normalEncoding(text: string): string {
  return text.includes('%') ? text.replace(/%[\da-f]{2}/gi, normalEscape) : text
}

function normalEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
}

/** Without its escapes, as people write it; undefined where it has none, or broken ones. */
export function decoded(text: string): string | undefined {
  if (!text.includes('%')) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
