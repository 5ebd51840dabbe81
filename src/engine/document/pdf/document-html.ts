import { element, escapeHtml } from '../markup/inline-markup.ts'
import { heaviest } from './content-stream/page-graphics.ts'
import { inlineHtml, isMostlyRtl, joinLineEnds, plainText } from './text/pdf-inline.ts'
import type { Block, Item } from './layout/pdf-blocks.ts'
import { type Cell, isAllBold, type Table, type TextLine } from './text/text-lines.ts'

/** Parts of one page; empty for an unreadable page. */
export type PdfPageContent = { number: number; parts: readonly HtmlPart[] }

/**
 * Renders the document as HTML. With page numbers, each page starts with a paragraph that names it ("Page 3"), for
 * citations. A paragraph that continues on the next page stays whole on the page where it starts.
 */
export function documentHtml(
  pages: readonly PdfPageContent[],
  levelOf: LevelOf,
  markers: 'with page numbers' | 'without',
): string {
  const marked = markers === 'with page numbers'
  return joinedOver(pages, levelOf)
    .flatMap(({ number, parts }) => [
      ...(marked ? [element('p', element('em', `Page ${number}`))] : []),
      ...parts.map((part) => partHtml(part, levelOf)),
    ])
    .join('\n')
}

/** Renders one page as printed, including paragraphs that start or end on another page. */
export const pageHtml = (parts: PdfPageContent['parts'], levelOf: LevelOf): string =>
  parts.map((part) => partHtml(part, levelOf)).join('\n')

function partHtml(part: HtmlPart, levelOf: LevelOf): string {
  if (part.kind === 'html') return part.html
  if (part.kind === 'heading') return element(`h${Math.min(6, part.level)}`, part.html)
  const level = levelOf(part)
  const { html, dir } = part
  return level === undefined ? element('p', html, { dir }) : element(`h${level}`, headingHtml(html), { dir })
}

/** Moves the end of a paragraph from the top of a page to the page where the paragraph starts. */
function joinedOver(pages: readonly PdfPageContent[], levelOf: LevelOf): PdfPageContent[] {
  const joined: { number: number; parts: HtmlPart[] }[] = []
  let before: HtmlPart[] = []
  for (const { number, parts } of pages) {
    const [first, ...rest] = parts
    const open = first?.kind === 'text' && levelOf(first) === undefined ? openIn(before, first, levelOf) : undefined
    if (open !== undefined && first?.kind === 'text') before[open] = joinedPart(before[open] as TextPart, first)
    const own = open === undefined ? [...parts] : rest
    joined.push({ number, parts: own })
    // A paragraph may span a whole page.
    if (own.length > 0) before = own
  }
  return joined
}

/** Returns the index of the paragraph that `next` continues: the last one that is not a note in smaller type. */
function openIn(parts: readonly HtmlPart[], next: TextPart, levelOf: LevelOf): number | undefined {
  const isNote = (part: HtmlPart) => part.kind === 'text' && part.size < next.size
  const place = parts.findLastIndex((part) => !isNote(part))
  const last = parts[place]
  if (last?.kind !== 'text' || levelOf(last) !== undefined || last.size !== next.size) return undefined
  const isOpen = last.text.length >= 40 && !/[.!?:;…。！？]["”’)\]]?$/.test(last.text)
  return isOpen && /^["“(]?\p{Ll}/u.test(next.text) ? place : undefined
}

function joinedPart(before: TextPart, after: TextPart): TextPart {
  const { keptEnd, separator } = joinLineEnds(before.html, after.html)
  return { ...before, html: keptEnd + separator + after.html, text: before.text + separator + after.text }
}

/** Entry of the file's own table of contents; the outermost have depth 1. */
export type Bookmark = { title: string; depth: number }

/** Returns the heading level of a text, 1 to 4; undefined for a paragraph. */
type LevelOf = (part: TextPart) => number | undefined

const maxChars = 200
const maxLines = 4
/** Dot leaders to a page number, which mark an entry of a table of contents. */
const leaders = / … /
const styleOf = ({ size, weight }: Pick<TextPart, 'size' | 'weight'>) => `${size} ${weight}`
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * Finds headings: short texts that are larger than most of the document's text, or bold at its size. Their styles, from
 * the largest, are levels 1 to 4 in the whole document; bookmarks, if any, map styles to levels.
 */
export function headingLevels(parts: readonly HtmlPart[], bookmarks: readonly Bookmark[]): LevelOf {
  const texts = parts.filter((part): part is TextPart => part.kind === 'text')
  const body = heaviest(texts.map(({ size, text }) => [size, text.length])) ?? 0
  const bodyIsBold = heaviest(texts.map(({ weight, text }) => [weight, text.length])) === 'bold'
  const candidates = texts.filter((part) => isHeadingLike(part, body, bodyIsBold))
  const styles = rankedStyles(candidates)
  const depths = new Map(bookmarks.slice(0, 5000).map(({ title, depth }) => [plain(title), depth]))
  const depthOf = (part: TextPart) => (part.text.length <= maxChars ? depths.get(plain(part.text)) : undefined)
  const levels = levelsOf(styles, candidates, depthOf)
  return (part) => {
    if (isHeadingLike(part, body, bodyIsBold)) return levels.get(styleOf(part))
    const isMarked = part.lines <= 2 && part.size >= body && depthOf(part) !== undefined
    return isMarked ? Math.min(4, (depthOf(part) ?? 1) + 1) : undefined
  }
}

function isHeadingLike({ size, weight, text, lines }: TextPart, body: number, bodyIsBold: boolean): boolean {
  if (
    text.length > maxChars ||
    leaders.test(text) ||
    lines > maxLines ||
    !/\p{L}/u.test(text) ||
    text.trim().length < 2
  )
    return false
  if (size >= body * 1.12) return true
  const isSentence = /[.,;:]$/.test(text) && !/\b(?:no|etc|vs)\.$/i.test(text)
  return weight === 'bold' && !bodyIsBold && size >= body * 0.95 && lines <= 2 && text.length <= 120 && !isSentence
}

function rankedStyles(parts: readonly TextPart[]): TextPart[] {
  const styles = new Map(parts.map((part) => [styleOf(part), part]))
  return [...styles.values()].sort((one, other) => other.size - one.size || (one.weight === 'bold' ? -1 : 1))
}

/**
 * Assigns levels by rank; by bookmarks if they include a style, without letting a smaller style outrank a larger one.
 */
function levelsOf(
  styles: readonly TextPart[],
  parts: readonly TextPart[],
  depthOf: (part: TextPart) => number | undefined,
): Map<string, number> {
  const known = Map.groupBy(
    parts.filter((part) => depthOf(part) !== undefined),
    styleOf,
  )
  const levels = new Map<string, number>()
  let level = 0
  let size = Infinity
  for (const style of styles) {
    const marked = known.get(styleOf(style))
    const tagged = marked && heaviest(marked.map((part) => [depthOf(part) ?? 1, 1]))
    const isSame = size - style.size < 0.6 && style.weight === 'normal'
    const rank = level + (isSame && level > 0 ? 0 : 1)
    level = Math.min(4, tagged === undefined ? rank : Math.max(level, Math.min(tagged, rank)))
    levels.set(styleOf(style), level)
    size = style.size
  }
  return levels
}

/** Text that becomes a heading or a paragraph once the styles of all pages are known. */
type TextPart = {
  kind: 'text'
  html: string
  text: string
  size: number
  weight: 'normal' | 'bold'
  lines: number
  dir: 'rtl' | undefined
}
/** Part of a page, in a form small enough to keep thousands of pages in memory. */
export type HtmlPart = TextPart | { kind: 'heading'; html: string; level: number } | { kind: 'html'; html: string }

export function partsOf(blocks: readonly Block[]): HtmlPart[] {
  return blocks.map(partOf).filter(({ html }) => html !== '')
}

function partOf(block: Block): HtmlPart {
  switch (block.kind) {
    case 'text':
      return textPart(block.lines)
    case 'heading':
      return { kind: 'heading', html: headingHtml(inlineHtml(block.lines)), level: block.level }
    case 'list':
      return { kind: 'html', html: listHtml(block.items) }
    case 'table':
      return { kind: 'html', html: tableHtml(block.table) }
    case 'code':
      return { kind: 'html', html: codeHtml(block.lines) }
  }
}

/** Returns the `dir` of an element with these lines; set only for right-to-left text. */
const directionOf = (lines: readonly TextLine[]): 'rtl' | undefined =>
  isMostlyRtl(lines.flatMap(({ words }) => words)) ? 'rtl' : undefined

const textPart = (lines: readonly TextLine[]): TextPart => ({
  kind: 'text',
  html: inlineHtml(lines),
  text: plainText(lines),
  size: Math.round((lines[0]?.size ?? 0) * 2) / 2,
  weight: lines.every(isAllBold) ? 'bold' : 'normal',
  lines: lines.length,
  dir: directionOf(lines),
})

/** Removes emphasis, because a heading is bold anyway. */
const headingHtml = (html: string): string => html.replace(/<\/?[bi]>/g, '')

function listHtml(items: readonly Item[]): string {
  const [html] = listFrom(items, 0)
  return html
}

/**
 * Renders the items from index `at` that are at least as deep as the first one. Returns the HTML and the index after
 * the last item.
 */
function listFrom(items: readonly Item[], at: number): [html: string, end: number] {
  const first = items[at]!
  const isOrdered = first.number !== undefined
  let html = ''
  let next = at
  while (
    next < items.length &&
    items[next]!.depth >= first.depth &&
    (items[next]!.number !== undefined) === isOrdered
  ) {
    const item = items[next]!
    let inner = inlineHtml(item.lines)
    next += 1
    while (next < items.length && items[next]!.depth > item.depth) {
      const [list, end] = listFrom(items, next)
      inner += list
      next = end
    }
    html += element('li', inner)
  }
  const start = isOrdered && first.number !== 1 ? first.number : undefined
  const list = element(isOrdered ? 'ol' : 'ul', html, { start, dir: directionOf(first.lines) })
  if (next >= items.length || items[next]!.depth < first.depth) return [list, next]
  // An item of the same depth with another kind of mark starts another list.
  const [more, end] = listFrom(items, next)
  return [list + more, end]
}

function tableHtml({ rows }: Table): string {
  return element('table', rows.map((row) => element('tr', row.map(cellHtml).join(''))).join(''))
}

function cellHtml({ lines, colspan, rowspan, kind }: Cell): string {
  const spans = { colspan: colspan > 1 ? colspan : undefined, rowspan: rowspan > 1 ? rowspan : undefined }
  const inner = inlineHtml(lines)
  return element(kind === 'header' ? 'th' : 'td', kind === 'header' ? headingHtml(inner) : inner, {
    ...spans,
    dir: directionOf(lines),
  })
}

/** Renders typewriter text with its columns: positions are rounded to whole characters from the left. */
function codeHtml(lines: readonly TextLine[]): string {
  const advance = advanceOf(lines)
  const left = Math.min(...lines.map((line) => line.left))
  const pitch = Math.min(...lines.slice(1).map((line, index) => line.baseline - lines[index]!.baseline), 100)
  const text = lines.map((line, index) => {
    const gap = index > 0 ? line.baseline - lines[index - 1]!.baseline : 0
    const blanks = Math.min(3, Math.max(0, Math.round(gap / Math.max(pitch, line.size)) - 1))
    return '\n'.repeat(blanks) + typed(line, left, advance)
  })
  return element('pre', element('code', escapeHtml(text.join('\n'))))
}

function advanceOf(lines: readonly TextLine[]): number {
  const longest = lines
    .flatMap(({ words }) => words)
    .reduce((best, word) => (word.drawn.length > best.drawn.length ? word : best))
  return (longest.right - longest.left) / longest.drawn.length || 6
}

function typed({ words }: TextLine, left: number, advance: number): string {
  let text = ''
  for (const word of words) {
    const place = Math.min(400, Math.round((word.left - left) / advance))
    text = text.padEnd(Math.max(place, text.length > 0 && word.isSpaced ? text.length + 1 : 0)) + word.text
  }
  return text
}
