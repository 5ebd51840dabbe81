const withZone = /(?:\dZ|[+-]\d\d:?\d\d|\b(?:GMT|UTC?|[ECMP][SD]T|Z))\s*(?:\([^)]*\))?$/i
const dateOnly = /^\d{4}-\d\d-\d\d$/
const maxChars = 60

/** A date of a feed (RFC 822, RFC 3339) in ISO 8601. One without a time zone, or in words, stays as it was written. */
export function isoDate(written: string | undefined): string | undefined {
  const text = written?.replace(/\s+/g, ' ').trim()
  if (!text || text.length > maxChars) return undefined
  if (dateOnly.test(text)) return text
  const time = withZone.test(text) ? Date.parse(text.replace(/^[a-z]{2,9}\.?,\s*/i, '')) : Number.NaN
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}
