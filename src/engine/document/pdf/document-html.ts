import { element } from '../markup/inline-markup.ts'
import { headingHtml, type HtmlPart, type TextPart } from './block-html.ts'
import { heaviest } from './content-stream/page-graphics.ts'
import { joinLineEnds } from './text/pdf-inline.ts'

/** Parts of one page; empty for an unreadable page. */
export type PdfPageContent = { number: number; parts: readonly HtmlPart[] }

/**
 * Renders the document as HTML. Each page starts with a paragraph that names it ("Page 3"), for citations; a paragraph
 * that continues on the next page stays whole on the page where it starts.
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

function partHtml(part: HtmlPart, levelOf: LevelOf): string {
  if (part.kind === 'html') return part.html
  if (part.kind === 'heading') return element(`h${Math.min(6, part.level)}`, part.html)
  const level = levelOf(part)
  const { html, dir } = part
  return level === undefined ? element('p', html, { dir }) : element(`h${level}`, headingHtml(html), { dir })
}

/** Moves the end of a paragraph from the top of a page to the previous page. */
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

/** Finds the paragraph that this text continues: the last one, apart from notes in smaller type below it. */
function openIn(parts: readonly HtmlPart[], next: TextPart, levelOf: LevelOf): number | undefined {
  const isNote = (part: HtmlPart) => part.kind === 'text' && part.size < next.size
  const place = parts.findLastIndex((part) => !isNote(part))
  const last = parts[place]
  if (last?.kind !== 'text' || levelOf(last) !== undefined || last.size !== next.size) return undefined
  const isOpen = last.text.length >= 40 && !/[.!?:;…。！？]["”’)\]]?$/.test(last.text)
  return isOpen && /^["“(]?\p{Ll}/u.test(next.text) ? place : undefined
}

function joinedPart(before: TextPart, after: TextPart): TextPart {
  const { kept, between } = joinLineEnds(before.html, after.html)
  return { ...before, html: kept + between + after.html, text: before.text + between + after.text }
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
    const said = marked && heaviest(marked.map((part) => [depthOf(part) ?? 1, 1]))
    const isSame = size - style.size < 0.6 && style.weight === 'normal'
    const rank = level + (isSame && level > 0 ? 0 : 1)
    level = Math.min(4, said === undefined ? rank : Math.max(level, Math.min(said, rank)))
    levels.set(styleOf(style), level)
    size = style.size
  }
  return levels
}
