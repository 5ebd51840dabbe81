import { heaviest } from './geometry.ts'
import type { Part, TextPart } from './block-html.ts'

/** Entry of the file's own table of contents; the outermost have depth 1. */
export type Bookmark = { title: string; depth: number }

/** The level of a text as a heading, 1 to 4; undefined for a paragraph. */
export type LevelOf = (part: TextPart) => number | undefined

const maxChars = 200
const maxLines = 4
/** Dots that lead to a page number: an entry of a table of contents. */
const leaders = / … /
const styleOf = ({ size, weight }: Pick<TextPart, 'size' | 'weight'>) => `${size} ${weight}`
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * Headings are short texts that are larger than most of the document's text, or bold at its size. Their styles, from
 * the largest, are levels 1 to 4 in the whole document; bookmarks, where there are any, say which style has which level.
 */
export function headingLevels(parts: readonly Part[], bookmarks: readonly Bookmark[]): LevelOf {
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

/** Level by rank; by bookmarks where they know a style, without letting a smaller style outrank a larger one. */
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
