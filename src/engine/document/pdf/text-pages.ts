import type { PdfPageContent } from './document-html.ts'
import type { Typewriter } from './layout/blocks.ts'
import { type Repeats, repeatsOf, withoutRunningHeads } from './layout/running-heads.ts'
import type { TextLayer } from './ocr/ocr.ts'
import type { PdfFile } from './open-pdf.ts'
import { partsOfPage, readPage, type ReadPage } from './page.ts'

/** Pages that are in memory at once; what repeats is looked for among them and those before. */
const batchSize = 40
/** Characters of HTML after which no further page is read. */
const maxChars = 12_000_000
/** A page with fewer characters may have a stamp or a page number, but no text. */
const minChars = 12

/** Headed pages are those whose running heads were left out; broken ones, those that pdf.js cannot read at all. */
type TextPages = TextLayer & { headed: readonly number[]; broken: readonly number[] }

/** The first pages of a file, up to a number or until they hold too much text. */
export async function textPages(pdf: PdfFile, wanted: number): Promise<TextPages> {
  const pages: PdfPageContent[] = []
  const [bare, drawn, headed, broken]: [number[], number[], number[], number[]] = [[], [], [], []]
  let repeats: Repeats = new Map()
  let typewriter: Typewriter | undefined
  let chars = 0
  for (let first = 1; first <= wanted && chars < maxChars; first += batchSize) {
    const batch = await batchFrom(pdf, first, Math.min(first + batchSize - 1, wanted), broken)
    typewriter ??= typewriterOf(batch)
    repeats = repeatsOf(batch, repeats)
    for (const { page, lines, lost } of withoutRunningHeads(batch, repeats)) {
      if (page.chars < minChars) bare.push(page.number)
      if (page.chars < minChars && page.hasShapes) drawn.push(page.number)
      if (lost === 'heads') headed.push(page.number)
      const parts = partsOfPage(page, lines, typewriter)
      chars += parts.reduce((sum, { html }) => sum + html.length, 0)
      pages.push({ number: page.number, parts })
    }
  }
  return { pages, bare, drawn, headed, broken }
}

async function batchFrom(pdf: PdfFile, first: number, last: number, broken: number[]): Promise<ReadPage[]> {
  const pages: ReadPage[] = []
  for (let number = first; number <= last; number += 1) {
    try {
      pages.push(await readPage(pdf, number))
    } catch {
      broken.push(number)
    }
  }
  return pages
}

/** Where more than half of the text is of a fixed pitch, that is how the text is set. */
function typewriterOf(pages: readonly ReadPage[]): Typewriter {
  let fixed = 0
  let all = 0
  for (const { isTyped, drawn } of pages.flatMap(({ words }) => words)) {
    all += drawn.length
    if (isTyped) fixed += drawn.length
  }
  return fixed * 2 > all ? 'text' : 'code'
}
