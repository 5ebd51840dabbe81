/**
 * Limits of how much of a page is read. The rest is cut off, so no page takes much more than two seconds and 300 MB.
 * Typical pages have a hundredth of this.
 */
export const pageLimits = {
  /** Characters of HTML. */
  characters: 12_000_000,
  /**
   * Characters that are escaped or removed one by one on the way to markdown: a page full of them grows many times
   * over.
   */
  specials: 2_000_000,
  /** Opening tags, which take about ten microseconds and a kilobyte each. */
  tags: 150_000,
  /** `<` characters of any kind: start and end tags, and stray ones. */
  brackets: 1_000_000,
  attributes: 750_000,
  attributesOfTag: 100_000,
  /** Depth of the tree; deeper elements are lifted. Later algorithms recurse, or take time quadratic in the depth. */
  depth: 200,
} as const

export type PageLimits = { readonly [Limit in keyof typeof pageLimits]: number }

type CutSource = { html: string; isWhole: boolean }

/** Length of the shortest element: a page too short to exceed the limit needs no counting. */
const shortestTag = '<p>'.length

/** Cuts the page at the first limit on its tags and attributes, in one pass. */
export function cutToLimits(page: string, limits: PageLimits): CutSource {
  const characters = page.slice(0, limits.characters)
  const html = characters.slice(0, endOfSpecials(characters, limits.specials))
  if (html.length < shortestTag * limits.tags) return { html, isWhole: html.length === page.length }
  const kept: string[] = []
  let { brackets, tags, attributes } = limits
  let from = 0
  for (const bracket of bracketsIn(html, limits.attributesOfTag)) {
    brackets--
    if (bracket.name && bracket.kind !== 'closes') tags--
    attributes -= bracket.attributes
    if (brackets < 0 || tags < 0 || attributes < 0)
      return { html: kept.join('') + html.slice(from, bracket.at), isWhole: false }
    if (bracket.attributes < limits.attributesOfTag) continue
    kept.push(html.slice(from, bracket.keptTo))
    from = bracket.end - 1
  }
  return { html: kept.join('') + html.slice(from), isWhole: from === 0 && html.length === page.length }
}

const marks = new Set([...'\n&>*_`[]\\|~\xA0\uFEFF'].map((mark) => mark.charCodeAt(0)))

/**
 * Returns the position of the first special character beyond the limit, otherwise the length of the text. The contents
 * of scripts and styles do not count, because they are never written.
 */
function endOfSpecials(text: string, most: number): number {
  if (text.length <= most || specialsLeft(text, 0, text.length, most).left >= 0) return text.length
  let left = most
  let from = 0
  for (const { kind, name, end } of bracketsIn(text, Infinity)) {
    if (kind !== 'opens' || !rawText.test(name)) continue
    const counted = specialsLeft(text, from, end, left)
    if (counted.left < 0) return counted.at
    left = counted.left
    from = endOfText(text, { name, end })
  }
  return specialsLeft(text, from, text.length, left).at
}

/**
 * Returns how many special characters may still follow a part of the text, and where the part ends; a negative number
 * and the position of the excess if there are too many.
 */
function specialsLeft(text: string, from: number, to: number, most: number): { left: number; at: number } {
  let left = most
  for (let at = from; at < to; at++) if (isSpecial(text.charCodeAt(at)) && left-- === 0) return { left, at }
  return { left, at: to }
}

/** True for markup characters of markdown and HTML, and for invisible joiners, selectors, separators and tags. */
function isSpecial(code: number): boolean {
  if (code < 0x2000) return code < 0xa1 && marks.has(code)
  return code < 0x2070 || (code >= 0xfe00 && code < 0xfe10) || code === 0xfeff || code === 0xdb40
}

/** A `<` in the source. If it starts no tag, its name is empty. */
type Bracket = {
  at: number
  end: number
  name: string
  kind: 'opens' | 'closes' | 'isEmpty'
  attributes: number
  /** End of the last attribute within the limit, up to which the tag is kept. */
  keptTo: number
}

const tagStart = /<(\/?)([a-z][^\s/>]*)/iy
/** One attribute with the space before it. Written so that backtracking gives up nothing but space. */
const attribute = /[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*"?|'[^']*'?|[^\s>"'][^\s>]*)?)?/y
const tagEnd = /[\s/]*>?/y
const rawText = /^(?:script|style)$/i

/**
 * Yields the `<` characters of a page in order, without those in comments, scripts and styles, in time linear in its
 * length.
 */
function* bracketsIn(html: string, maxAttributes: number): Generator<Bracket> {
  let from = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', from)) {
    if (html.startsWith('<!--', at)) {
      from = placeAfter(html, '-->', at + 4)
      continue
    }
    const bracket = bracketAt(html, at, maxAttributes)
    from = bracket.kind === 'opens' && rawText.test(bracket.name) ? endOfText(html, bracket) : bracket.end
    yield bracket
  }
}

function bracketAt(html: string, at: number, maxAttributes: number): Bracket {
  const start = matchAt(tagStart, html, at)
  if (!start) return { at, end: at + 1, name: '', kind: 'isEmpty', attributes: 0, keptTo: at + 1 }
  const [whole, slash, name = ''] = start
  let attributes = 0
  let from = at + whole.length
  let keptTo = from
  for (; matchAt(attribute, html, from); from = attribute.lastIndex)
    if (++attributes <= maxAttributes) keptTo = attribute.lastIndex
  if (attributes <= maxAttributes) keptTo = from
  const last = matchAt(tagEnd, html, from)?.[0] ?? ''
  const kind = slash ? 'closes' : last.endsWith('/>') ? 'isEmpty' : 'opens'
  return { at, end: from + last.length, name, kind, attributes: Math.min(attributes, maxAttributes), keptTo }
}

function endOfText(html: string, { name, end }: Pick<Bracket, 'name' | 'end'>): number {
  const closing = new RegExp(`</${name}`, 'gi')
  closing.lastIndex = end
  return closing.exec(html)?.index ?? html.length
}

function placeAfter(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from)
  return at < 0 ? html.length : at + mark.length
}

function matchAt(pattern: RegExp, html: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(html)
}
