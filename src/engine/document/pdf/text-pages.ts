import type { Typewriter } from './blocks.ts'
import type { PageParts } from './document-html.ts'
import type { PdfFile } from './open-pdf.ts'
import { partsOfPage, readPage, type ReadPage } from './page.ts'
import { repeatsOf, withoutRepeats, type Repeats } from './repeats.ts'
import type { TextLayer } from './scans.ts'

/** Pages that are in memory at once; what repeats is looked for among them and those before. */
const batchSize = 40
/** Characters of HTML after which no further page is read. */
const maxChars = 12_000_000
/** A page with fewer characters may have a stamp or a page number, but no text. */
const minChars = 12

/** Broken pages are those that pdf.js cannot read at all. */
export type TextPages = TextLayer & { broken: readonly number[] }

/** The first pages of a file, up to a number or until they hold too much text. */
export async function textPages(pdf: PdfFile, wanted: number): Promise<TextPages> {
  const all = { pages: [] as PageParts[], bare: [] as number[], drawn: [] as number[], broken: [] as number[] }
  let repeats: Repeats = new Map()
  let typewriter: Typewriter | undefined
  let chars = 0
  for (let first = 1; first <= wanted && chars < maxChars; first += batchSize) {
    const batch = await batchFrom(pdf, first, Math.min(first + batchSize - 1, wanted), all.broken)
    typewriter ??= typewriterOf(batch)
    repeats = repeatsOf(batch, repeats)
    for (const page of batch) {
      if (page.chars < minChars) all.bare.push(page.number)
      if (page.chars < minChars && page.hasShapes) all.drawn.push(page.number)
      const parts = partsOfPage(page, withoutRepeats(page, repeats, pdf.numPages), typewriter)
      chars += parts.reduce((sum, { html }) => sum + html.length, 0)
      all.pages.push({ number: page.number, parts })
    }
  }
  return all
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
