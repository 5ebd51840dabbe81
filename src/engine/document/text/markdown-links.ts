/** Links and pictures of a markdown text, as absolute web addresses in the order of the text. */
export type MarkdownLinks = { anchors: { url: string; text: string }[]; images: string[] }

/**
 * Matches addresses (CommonMark 0.31 and GFM): at the end of an inline link or picture, in an HTML tag, in a definition,
 * or bare. Matches code first, because it contains no links. Lengths are limited, so unclosed marks cost little.
 */
const places = new RegExp(
  [
    /^ {0,3}(?<fence>`{3,}|~{3,})[^\n]*(?:\n[^]*?(?:^ {0,3}\k<fence>|(?![^]))|(?![^]))/,
    /(?<!`)(?<ticks>`{1,9})(?!`)[^`][^]{0,500}?(?<!`)\k<ticks>(?!`)/,
    /(?<=\])\(\s{0,9}<?(?<inline>(?<=<)[^<>\n]{0,2000}(?=>)|(?<!<)[^\s()<>]{1,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500}){0,9})>?(?=\s{0,9}(?:["'(][^\n]{0,500}?)?\))/,
    /(?<=<)(?<tag>a|img)\s(?:[^<>]{0,500}?\s)?(?:href|src)=["']?(?<attribute>[^"'<>\s]{1,2000})/,
    /^ {0,3}\[(?<label>[^\]\n^][^\]\n]{0,500})\]:[ \t]{0,9}<?(?<definition>[^\s<>]{1,2000})/,
    /(?<bare>\bhttps?:\/\/[^\s<>"'`\]]{1,2000})/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gim',
)

/**
 * Makes the addresses of a markdown text absolute and lists them. Nothing is resolved if the base is not a web address.
 */
export function withAbsoluteLinks(markdown: string, base: string): { markdown: string; links: MarkdownLinks } {
  const links: MarkdownLinks = { anchors: [], images: [] }
  const add = (written: string, text: string, kind: 'link' | 'image') => {
    const url = webAddress(written, base)
    if (url === undefined) return written
    if (kind === 'image') links.images.push(url)
    else links.anchors.push({ url, text: text.replace(/\s+/g, ' ').trim().slice(0, 200) })
    return url
  }
  const written = markdown.replace(places, (whole: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
    const { inline, attribute, definition, bare } = groups
    const address = inline ?? attribute ?? definition
    if (bare !== undefined) add(bare.replace(/[.,:;!?*_)]+$/, ''), '', 'link')
    if (address === undefined) return whole
    const { text, isImage } =
      inline === undefined ? { text: '', isImage: false } : textBefore(markdown, rest.at(-3) as number)
    const kind = isImage || groups['tag']?.toLowerCase() === 'img' ? 'image' : 'link'
    const at = whole.lastIndexOf(address)
    return whole.slice(0, at) + add(address, groups['label'] ?? text, kind) + whole.slice(at + address.length)
  })
  return { markdown: written, links }
}

/** Finds the text between the brackets that end at a position; it may contain a picture with brackets of its own. */
function textBefore(markdown: string, end: number): { text: string; isImage: boolean } {
  let depth = 0
  for (let at = end - 1; at >= Math.max(0, end - 600); at--) {
    if (markdown[at] === ']') depth++
    if (markdown[at] === '[' && --depth === 0) {
      const text = markdown.slice(at + 1, end - 1).replace(/!\[([^\]]*)\]\([^()]*\)/g, '$1')
      return { text, isImage: markdown[at - 1] === '!' }
    }
  }
  return { text: '', isImage: false }
}

/** Returns undefined for an anchor of the text itself and for an address of another scheme. */
function webAddress(written: string, base: string): string | undefined {
  const url = written.startsWith('#') ? null : URL.parse(written, /^https?:/i.test(base) ? base : undefined)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}
