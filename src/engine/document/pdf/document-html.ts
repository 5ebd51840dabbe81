import { element } from '../office/markup.ts'
import { headingHtml, type Part, type TextPart } from './block-html.ts'
import type { LevelOf } from './headings.ts'
import { joint } from './inline.ts'

/** Parts of one page; a page on which nothing could be read has none. */
export type PageParts = { number: number; parts: readonly Part[] }

/**
 * The document as HTML. Each page opens with a paragraph that names it ("Page 3"), for whoever cites it; a paragraph that
 * runs over to the next page stays whole on the page where it begins.
 */
export function documentHtml(
  pages: readonly PageParts[],
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

function partHtml(part: Part, levelOf: LevelOf): string {
  if (part.kind === 'html') return part.html
  if (part.kind === 'heading') return element(`h${Math.min(6, part.level)}`, part.html)
  const level = levelOf(part)
  const { html, dir } = part
  return level === undefined ? element('p', html, { dir }) : element(`h${level}`, headingHtml(html), { dir })
}

/** Moves the end of a paragraph from the top of a page to the page before. */
function joinedOver(pages: readonly PageParts[], levelOf: LevelOf): PageParts[] {
  const joined: { number: number; parts: Part[] }[] = []
  let before: Part[] = []
  for (const { number, parts } of pages) {
    const [first, ...rest] = parts
    const open = first?.kind === 'text' && levelOf(first) === undefined ? openIn(before, first, levelOf) : undefined
    if (open !== undefined && first?.kind === 'text') before[open] = joinedPart(before[open] as TextPart, first)
    const own = open === undefined ? [...parts] : rest
    joined.push({ number, parts: own })
    // A paragraph may run over a whole page.
    if (own.length > 0) before = own
  }
  return joined
}

/** Place of the paragraph that goes on with this text: the last one, but for notes in smaller type under it. */
function openIn(parts: readonly Part[], next: TextPart, levelOf: LevelOf): number | undefined {
  const isNote = (part: Part) => part.kind === 'text' && part.size < next.size
  const place = parts.findLastIndex((part) => !isNote(part))
  const last = parts[place]
  if (last?.kind !== 'text' || levelOf(last) !== undefined || last.size !== next.size) return undefined
  const isOpen = last.text.length >= 40 && !/[.!?:;…。！？]["”’)\]]?$/.test(last.text)
  return isOpen && /^["“(]?\p{Ll}/u.test(next.text) ? place : undefined
}

function joinedPart(before: TextPart, after: TextPart): TextPart {
  const { kept, between } = joint(before.html, after.html)
  return { ...before, html: kept + between + after.html, text: before.text + between + after.text }
}
