/** True for text with tags of HTML in it. */
export function hasMarkup(text: string): boolean {
  return /<(?:\/?(?:p|br|a|img|div|span|b|i|em|strong|ul|ol|li|h[1-6]|table|blockquote|pre|code|figure|iframe|hr|small|u|video|audio|font|center|article|section)(?:\s[^<>]*)?\/?)>/i.test(
    text,
  )
}

/** Text as HTML; references of HTML in it, which feeds often escape twice, are kept as such. */
export function escaped(text: string): string {
  return text
    .replace(/&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** A title of one line. Tags that dress letters count as such; others are the text itself, as in "What <div> is for". */
export function inline(text: string, kind: 'text' | 'html'): string {
  const dressed = /<\/?(?:b|i|em|strong|code|span|sub|sup|u|small|br)(?:\s[^<>]*)?\/?>/gi
  const plain = kind === 'html' ? text.replace(dressed, '') : text.replaceAll('&', '&amp;')
  return escaped(plain).replace(/\s+/g, ' ').trim()
}

/** Plain text as paragraphs. */
export function htmlOfText(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => escaped(paragraph.trim()).replaceAll('\n', '<br>'))
  return paragraphs
    .filter(Boolean)
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('')
}

/**
 * A piece of a page made safe to stand among others: what is open at its end (a comment, a script, a cut tag) cannot take
 * in what follows, and its headings rank below the heading above it.
 */
export function embedded(html: string, headingsDown: number): string {
  const whole = html
    .replace(/<!--[^]*?(?:-->|$)/g, '')
    .replace(
      /<(script|style|textarea|title|xmp|noembed|noframes|plaintext|template|base|svg|select)\b[^]*?(?:<\/\1\s*>|$)/gi,
      '',
    )
    .replace(/<(\/?)h([1-6])(?=[\s>])/gi, (_, slash, level) => `<${slash}h${Math.min(6, Number(level) + headingsDown)}`)
  const cut = whole.lastIndexOf('<')
  return cut > whole.lastIndexOf('>') ? whole.slice(0, cut) : whole
}

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
