import { sanitiseLine } from '../../../../util/unseen/sanitise-text.ts'

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  middot: '·',
  bull: '•',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  pound: '£',
  deg: '°',
  times: '×',
  shy: '',
  ensp: ' ',
  emsp: ' ',
}
const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi
const tag = /<!--[^]*?-->|<\/?[a-z][\w:-]*(?:\s[^<>]*)?\/?>/gi
const blockTag = /<\/?(?:p|br|div|li|ul|ol|tr|td|h\d|(?:jats:)?(?:p|title|sec))\b[^<>]*>/gi

const maxChars = 600
/** Titles and snippets are shorter; the rest is not worth the time. */
const maxRead = 20_000

/** Text on one line, without characters that show nothing. */
export const collapseWhitespace = (text: string): string => sanitiseLine(text.slice(0, maxRead))

/** The text of an HTML fragment on one line: tags removed, character references resolved. */
export const fromHtml = (html: string): string =>
  collapseWhitespace(resolveReferences(html.slice(0, maxRead).replace(blockTag, ' ').replace(tag, '')))

const resolveReferences = (text: string): string =>
  text.replace(reference, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

/** At most `max` characters, cut at a word boundary, with an ellipsis. */
export function truncate(text: string, max = maxChars): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
