import type { PDFPageProxy } from 'unpdf/pdfjs'
import { linesAndGrids } from './layout/page-layout.ts'
import { type PageLines, turnedHeads } from './layout/running-heads.ts'
import type { StructureNode } from './layout/structure-tree.ts'
import {
  type Box,
  type Glyph,
  type Link,
  type Matrix,
  moved,
  type PageGraphics,
  type RulingLine,
  sixOf,
} from './content-stream/page-graphics.ts'
import { createInterpreter, operators } from './content-stream/interpreter.ts'
import type { PdfFile } from './open-pdf.ts'
import { fontsOf } from './text/pdf-fonts.ts'
import { isMostlyRtl } from './text/pdf-inline.ts'
import { linesOf } from './text/text-lines.ts'
import { gridsOf } from './layout/pdf-tables.ts'
import { type Flow, flowsOf, uprighter, type Word } from './text/pdf-words.ts'

/** A page after reading and before layout: it still contains content repeated on other pages. */
export type ReadPage = PageLines & {
  words: readonly Word[]
  rules: readonly RulingLine[]
  tags: StructureNode | null
  /** True if the page has no text but drawn shapes, which may be letters. */
  hasShapes: boolean
}

/** Minimum number of shapes; letters drawn one by one as shapes far exceed the number in a picture or two. */
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
  const words = withoutFurniture(drawn)
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

/** Turns the rules of a page together with its text. */
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

/** A few files have broken tags, and all are readable without them. */
async function tagsOf(page: PDFPageProxy): Promise<StructureNode | null> {
  try {
    return (await page.getStructTree()) as StructureNode | null
  } catch {
    return null
  }
}

/** Files mark running heads and page numbers themselves, unless they mark the text as well. */
function withoutFurniture(words: readonly Word[]): readonly Word[] {
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
  const pen = createInterpreter({ fonts, base, isShown: (group) => layers.isVisible(group) !== false })
  fnArray.forEach((code, index) => operators[stepNames.get(code) ?? '']?.(pen, (argsArray[index] ?? []) as unknown[]))
  const isOnPage = ({ x, y }: Glyph) => x >= -1 && y >= -1 && x <= width + 1 && y <= height + 1
  return {
    width,
    height,
    glyphs: readableInk(pen.glyphs.filter(isOnPage)),
    rules: pen.rules.filter((rule) => isInside(rule, width, height)),
    links: await linksOf(page, base),
    dots: pen.dots,
    shapes: pen.shapes,
  }
}

const isInside = ({ left, top, right, bottom }: RulingLine, width: number, height: number) =>
  right >= 0 && bottom >= 0 && left <= width && top <= height

/** Invisible text is a scanner's OCR of its picture of the page; next to visible text it is not part of the page. */
function readableInk(glyphs: readonly Glyph[]): readonly Glyph[] {
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

/** Bullets are vertically centred on small letters. */
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
