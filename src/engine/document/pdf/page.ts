import type { PDFPageProxy } from 'unpdf/pdfjs'
import { type Part, partsOf } from './block-html.ts'
import { blocksOf, type Typewriter } from './layout/blocks.ts'
import { withDots } from './layout/dots.ts'
import { layout, linesAndGrids } from './layout/layout.ts'
import type { PageLines } from './layout/repeats.ts'
import { linesInOrder, taggedBlocks, type TagNode } from './layout/tags.ts'
import type { Rule } from './marks/marks.ts'
import { marksOf } from './marks/page-marks.ts'
import type { PdfFile } from './open-pdf.ts'
import type { Line } from './text/line.ts'
import { type Flow, flowsOf, type Word } from './text/words.ts'

/** A page between reading and laying out: what repeats on other pages is still in it. */
export type ReadPage = PageLines & {
  words: readonly Word[]
  rules: readonly Rule[]
  tags: TagNode | null
  /** Text in other directions than that of the page. */
  others: readonly Flow[]
  chars: number
  /** Nothing is written on it, but shapes are drawn: letters may be among them. */
  hasShapes: boolean
}

/** Letters drawn one by one as shapes make far more of them than a picture or two. */
const manyShapes = 50

export async function readPage(pdf: PdfFile, number: number): Promise<ReadPage> {
  const page = await pdf.getPage(number)
  const marks = await marksOf(pdf, page)
  const [main, ...others] = flowsOf(marks)
  const isTurned = main?.direction === 'up' || main?.direction === 'down'
  const rules = main?.direction === 'right' ? marks.rules : []
  const drawn = main?.direction === 'right' ? withDots(main.words, marks.dots) : (main?.words ?? [])
  const words = withoutFurniture(drawn)
  const read = {
    number,
    height: isTurned ? marks.width : marks.height,
    lines: linesAndGrids(words, rules),
    words: drawn,
    rules,
    tags: await tagsOf(page),
    others,
    chars: marks.glyphs.length,
    hasShapes: marks.shapes > manyShapes,
  }
  page.cleanup()
  return read
}

/** A few files have broken tags, and all are readable without. */
async function tagsOf(page: PDFPageProxy): Promise<TagNode | null> {
  try {
    return (await page.getStructTree()) as TagNode | null
  } catch {
    return null
  }
}

/** Files say themselves what are running heads and page numbers, unless they say it of the text too. */
function withoutFurniture(words: readonly Word[]): readonly Word[] {
  const own = words.filter(({ tag }) => tag !== 'artifact')
  return own.length * 2 > words.length ? own : words
}

export function partsOfPage(page: ReadPage, lines: readonly Line[], typewriter: Typewriter): Part[] {
  const left = new Set(lines.flatMap((line) => line.words))
  const gone = new Set(page.lines.flatMap((line) => line.words).filter((word) => !left.has(word)))
  const words = page.words.filter((word) => !gone.has(word))
  const blocks = taggedBlocks(page.tags, words, typewriter) ?? layout(lines, page.rules, typewriter)
  const beside = page.others.flatMap((flow) => besideBlocks(flow, typewriter))
  return [...partsOf(blocks), ...partsOf(beside)]
}

/** Labels of axes, stamps on the margin, watermarks: after the text of the page. */
function besideBlocks({ direction, words }: Flow, typewriter: Typewriter) {
  return direction === 'oblique'
    ? blocksOf(linesInOrder(words), typewriter)
    : layout(linesAndGrids(words, []), [], typewriter)
}
