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
/** What is longer is no title and no snippet; its rest is not worth the time. */
const maxRead = 20_000

/** Text of one line, as it is. */
export const plain = (text: string): string => text.slice(0, maxRead).replace(/\s+/g, ' ').trim()

/** Text of one line of HTML: tags go, references become characters. */
export const fromHtml = (html: string): string =>
  plain(resolved(html.slice(0, maxRead).replace(blockTag, ' ').replace(tag, '')))

const resolved = (text: string): string =>
  text.replace(reference, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

/** At most so much of a text, up to the end of a word. */
export function shortened(text: string, max = maxChars): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
