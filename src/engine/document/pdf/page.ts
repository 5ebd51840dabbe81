import type { PDFPageProxy } from 'unpdf/pdfjs'
import { linesAndGrids } from './layout/page-layout.ts'
import type { PageLines } from './layout/running-heads.ts'
import type { StructureNode } from './layout/structure-tree.ts'
import {
  type Box,
  contains,
  type Glyph,
  type Link,
  type Matrix,
  moved,
  type PageGraphics,
  type RulingLine,
  sixOf,
} from './content-stream/page-graphics.ts'
import { interpreted } from './content-stream/interpreter.ts'
import type { PdfFile } from './open-pdf.ts'
import { fontsOf } from './text/pdf-fonts.ts'
import { isMostlyRtl } from './text/pdf-inline.ts'
import { linesOf, type TextLine } from './text/text-lines.ts'
import { gridsOf, middleOf } from './layout/pdf-tables.ts'
import { type Flow, flowsOf, uprighter, type Word } from './text/pdf-words.ts'

/** A page after reading and before layout: it still contains content repeated on other pages. */
export type ReadPage = PageLines & {
  words: readonly Word[]
  rules: readonly RulingLine[]
  tags: StructureNode | null
  /** True if many shapes are drawn on the page, which may be letters. */
  hasShapes: boolean
}

/** Number of shapes of a drawing or two; a page whose letters are drawn as shapes has far more. */
const manyShapes = 50

export async function readPage(pdf: PdfFile, page: PDFPageProxy, number: number): Promise<ReadPage> {
  const marks = await graphicsOf(pdf, page)
  const [main, ...beside] = flowsOf(marks)
  const isTurned = main?.direction === 'up' || main?.direction === 'down'
  const rules = main ? turnedRules(marks, main.direction) : []
  // Slanted text is a stamp or a watermark.
  const level = beside.filter(({ direction }) => direction !== 'oblique')
  const isUpright = main?.direction === 'right'
  const { heads, others } = isUpright ? turnedHeads(level, gridsOf(rules), marks) : { heads: [], others: level }
  const drawn = isUpright ? withDrawnBullets([...main.words, ...heads], marks.dots) : (main?.words ?? [])
  const words = withoutMarkedHeads(drawn)
  const read = {
    number,
    height: isTurned ? marks.width : marks.height,
    lines: linesAndGrids(words, rules),
    artifacts: words === drawn ? [] : linesOf(drawn.filter(({ tag }) => tag === 'artifact')),
    words,
    rules,
    tags: await tagsOf(page),
    others,
    chars: marks.glyphs.length,
    hasShapes: marks.shapes > manyShapes,
  }
  page.cleanup()
  return read
}

/** Rotates the rules of a page like its text. */
function turnedRules({ width, height, rules }: PageGraphics, direction: Flow['direction']): readonly RulingLine[] {
  if (direction === 'right' || direction === 'oblique') return direction === 'right' ? rules : []
  const upright = uprighter(direction, width, height)
  return rules.map(({ left, top, right, bottom }) => {
    const [one, other] = [upright({ x: left, y: top }), upright({ x: right, y: bottom })]
    return {
      left: Math.min(one.x, other.x),
      right: Math.max(one.x, other.x),
      top: Math.min(one.y, other.y),
      bottom: Math.max(one.y, other.y),
    }
  })
}

/** Returns null for broken tags, because every file is readable without tags. */
async function tagsOf(page: PDFPageProxy): Promise<StructureNode | null> {
  try {
    return (await page.getStructTree()) as StructureNode | null
  } catch {
    return null
  }
}

/** Removes what the file marks as running heads and page numbers, unless it marks most of the text so. */
function withoutMarkedHeads(words: readonly Word[]): readonly Word[] {
  const own = words.filter(({ tag }) => tag !== 'artifact')
  return own.length * 2 > words.length ? own : words
}

/** Reads the graphics of a page in drawing order. Content outside the visible page is dropped. */
async function graphicsOf(pdf: PdfFile, page: PDFPageProxy): Promise<PageGraphics> {
  const { OPS } = await import('unpdf/pdfjs')
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const { fnArray, argsArray } = await page.getOperatorList()
  const layers = await pdf.getOptionalContentConfig()
  const base = sixOf(transform as number[])
  const fontNames = argsArray.flatMap((args: unknown[] | null, index) =>
    fnArray[index] === OPS.setFont ? [String(args?.[0])] : [],
  )
  const stepNames = new Map(Object.entries(OPS).map(([name, code]) => [code as number, name]))
  const fonts = await fontsOf(page, new Set(fontNames))
  function* steps(): Generator<readonly [name: string, args: unknown[]]> {
    for (const [index, code] of fnArray.entries())
      yield [stepNames.get(code) ?? '', (argsArray[index] ?? []) as unknown[]]
  }
  const pen = interpreted(steps(), { fonts, base, isShown: (group) => layers.isVisible(group) !== false })
  const isOnPage = ({ x, y }: Glyph) => x >= -1 && y >= -1 && x <= width + 1 && y <= height + 1
  return {
    width,
    height,
    glyphs: readableGlyphs(pen.glyphs.filter(isOnPage)),
    rules: pen.rules.filter((rule) => isInside(rule, width, height)),
    links: await linksOf(page, base),
    dots: pen.dots,
    shapes: pen.shapes,
  }
}

const isInside = ({ left, top, right, bottom }: RulingLine, width: number, height: number) =>
  right >= 0 && bottom >= 0 && left <= width && top <= height

/** Drops invisible text if at least a quarter of the text is visible; otherwise it is the OCR of a scanned page. */
function readableGlyphs(glyphs: readonly Glyph[]): readonly Glyph[] {
  const visible = glyphs.filter(({ ink }) => ink === 'visible')
  return visible.length * 4 < glyphs.length ? glyphs : visible
}

const maxLinks = 1000

async function linksOf(page: PDFPageProxy, base: Matrix): Promise<Link[]> {
  const annotations = (await page.getAnnotations()) as { subtype?: string; url?: string; rect?: ArrayLike<number> }[]
  return annotations
    .slice(0, maxLinks * 5)
    .flatMap(({ subtype, url, rect }) =>
      subtype === 'Link' && rect && url && /^(?:https?|mailto):/i.test(url)
        ? [{ box: boxOf(base, rect), href: url }]
        : [],
    )
    .slice(0, maxLinks)
}

/** Returns the axis-aligned box around a transformed rectangle. */
function boxOf(map: Matrix, rectangle: ArrayLike<number>): Box {
  const [x0, y0, x1, y1] = [rectangle[0] ?? 0, rectangle[1] ?? 0, rectangle[2] ?? 0, rectangle[3] ?? 0]
  const corners = [moved(map, x0, y0), moved(map, x1, y0), moved(map, x0, y1), moved(map, x1, y1)]
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

/** Adds a bullet before each line that starts next to a small drawn shape; other shapes are not text. */
function withDrawnBullets(words: readonly Word[], dots: readonly Box[]): readonly Word[] {
  if (dots.length === 0) return words
  const rows = Map.groupBy(words, ({ baseline }) => Math.round(baseline / rowHeight))
  const bullets = dots.flatMap((dot) => {
    const row = Math.round(dot.bottom / rowHeight)
    const near = [row - 1, row, row + 1].flatMap((key) => rows.get(key) ?? []).filter((word) => isLevelWith(word, dot))
    const after = near.filter(({ left }) => left >= dot.right).sort((one, other) => one.left - other.left)[0]
    const before = near.filter(({ right }) => right <= dot.left).sort((one, other) => other.right - one.right)[0]
    const [next, last] = before && isMostlyRtl([before]) ? [before, after] : [after, before]
    return next && gapTo(next, dot) < next.size * 2 && !(last && gapTo(last, dot) < last.size * 1.5)
      ? [bulletBefore(next, dot)]
      : []
  })
  return bullets.length > 0 ? [...bullets, ...words] : words
}

const gapTo = ({ left, right }: Word, dot: Box) => Math.max(left - dot.right, dot.left - right)

const rowHeight = 8

/** True for a small shape at half the height of the word's small letters. */
function isLevelWith({ baseline, size }: Word, { top, bottom }: Box): boolean {
  const middle = (top + bottom) / 2
  return middle < baseline - size * 0.1 && middle > baseline - size * 0.6 && bottom - top < size * 0.6
}

const bulletBefore = (word: Word, { left, right }: Box): Word => ({
  ...word,
  text: '•',
  drawn: ['•'],
  left,
  right,
  href: undefined,
  isSpaced: false,
})

type PageSize = { width: number; height: number }

/** Minimum number of turned lines side by side for them to be the heads of columns. */
const minHeads = 3

/**
 * Finds text turned by 90 degrees that belongs to a table: inside one of its grids, or in a row above its columns.
 * Returns that text as upright words at its lower end, and the remaining flows.
 */
function turnedHeads(flows: readonly Flow[], grids: readonly Box[], page: PageSize): { heads: Word[]; others: Flow[] } {
  const heads: Word[] = []
  const others = flows.map((flow) => {
    const { direction } = flow
    if (direction !== 'up' && direction !== 'down') return flow
    const placed = linesOf(flow.words).map((line) => ({ line, box: boxOnPage(line, direction, page) }))
    const isTurnedHead = ({ line, box }: (typeof placed)[number]) =>
      grids.some((grid) => contains(grid, middleOf(box))) ||
      placed.filter((other) => Math.abs(other.box.bottom - box.bottom) < line.size).length >= minHeads
    const found = placed.filter(isTurnedHead)
    heads.push(...found.map(({ line, box }) => uprightWord(line, box)))
    const taken = new Set(found.flatMap(({ line }) => line.words))
    return { ...flow, words: flow.words.filter((word) => !taken.has(word)) }
  })
  return { heads, others: others.filter(({ words }) => words.length > 0) }
}

/** Converts the box of a rotated line to coordinates of the page. */
function boxOnPage({ left, top, right, bottom }: TextLine, direction: 'up' | 'down', { width, height }: PageSize): Box {
  return direction === 'up'
    ? { left: top, right: bottom, top: height - right, bottom: height - left }
    : { left: width - bottom, right: width - top, top: left, bottom: right }
}

function uprightWord({ words, size }: TextLine, { left, right, bottom }: Box): Word {
  const text = words.map((word) => word.text).join(' ')
  const place = { left, right, top: bottom - size, bottom, baseline: bottom - size * 0.2 }
  return { ...words[0]!, ...place, text, drawn: [...text], size, isSpaced: false }
}
