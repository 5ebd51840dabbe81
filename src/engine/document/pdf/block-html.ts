import { element, escapeHtml } from '../markup/inline-markup.ts'
import type { Block, Item } from './layout/pdf-blocks.ts'
import { directionOf, inlineHtml, plainText } from './text/pdf-inline.ts'
import { type Cell, type TextLine, type Table, isAllBold } from './text/text-lines.ts'

/** Text that is classified as heading or paragraph only when all pages are known. */
export type TextPart = {
  kind: 'text'
  html: string
  text: string
  size: number
  weight: 'normal' | 'bold'
  lines: number
  dir: 'rtl' | undefined
}
/** Content of a page, small enough to keep thousands of pages. */
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
export const headingHtml = (html: string): string => html.replace(/<\/?[bi]>/g, '')

function listHtml(items: readonly Item[]): string {
  const [html] = listFrom(items, 0)
  return html
}

/** Builds one list of the items from `at` on that are at least as deep as the first of them; returns it and its end. */
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

/** Typewriter text keeps its columns: every position is a whole number of characters from the left. */
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
