import { createHash } from 'node:crypto'
import type { Budget } from '../budget.ts'
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

/** What a page of a book takes. Files of many pages are common, and those of many costly pages are not. */
const cpuMsPerPage = 10

/**
 * Headed pages are those whose running heads were left out; broken ones, those that pdf.js cannot read at all; repeated
 * ones, those that the file names again.
 */
type TextPages = TextLayer & { headed: readonly number[]; broken: readonly number[]; repeated: number }

/** The first pages of a file, up to a number or until they hold too much text or the budget is spent. */
export async function textPages(pdf: PdfFile, wanted: number, budget: Budget): Promise<TextPages> {
  const pages: PdfPageContent[] = []
  const [bare, drawn, headed]: [number[], number[], number[]] = [[], [], []]
  const reader: PageReader = { pdf, budget, broken: [], repeated: 0, seen: new Set(), texts: new Set() }
  let repeats: Repeats = new Map()
  let typewriter: Typewriter | undefined
  let chars = 0
  for (let first = 1; first <= wanted && chars < maxChars && !budget.isSpent(); first += batchSize) {
    const batch = await batchFrom(reader, first, Math.min(first + batchSize - 1, wanted))
    typewriter ??= typewriterOf(batch)
    repeats = repeatsOf(batch, repeats)
    for (const { page, lines, lost } of withoutRunningHeads(batch, repeats)) {
      budget.mark(page.number - 1)
      if (page.chars < minChars) bare.push(page.number)
      if (page.chars < minChars && page.hasShapes) drawn.push(page.number)
      if (lost === 'heads') headed.push(page.number)
      const parts = partsOfPage(page, lines, typewriter)
      chars += parts.reduce((sum, { html }) => sum + html.length, 0)
      pages.push({ number: page.number, parts })
    }
  }
  return { pages, bare, drawn, headed, broken: reader.broken, repeated: reader.repeated }
}

type PageReader = {
  pdf: PdfFile
  budget: Budget
  broken: number[]
  repeated: number
  /** Objects of the file that are pages, and digests of what is written on them. */
  seen: Set<string>
  texts: Set<string>
}

async function batchFrom(reader: PageReader, first: number, last: number): Promise<ReadPage[]> {
  const pages: ReadPage[] = []
  for (let number = first; number <= last && !reader.budget.isSpent(); number += 1) {
    reader.budget.mark(number - 1)
    try {
      const page = await readNew(reader, number)
      if (page) pages.push(page)
      else reader.repeated += 1
    } catch {
      reader.broken.push(number)
    }
  }
  return pages
}

/** Undefined for a page that was read before. */
async function readNew({ pdf, budget, seen, texts }: PageReader, number: number): Promise<ReadPage | undefined> {
  const page = await pdf.getPage(number)
  if (page.ref && !isNewIn(seen, `${page.ref.num} ${page.ref.gen}`)) return undefined
  const read = await readPage(pdf, page, number)
  if (isNewIn(texts, digestOf(read))) budget.earn(cpuMsPerPage)
  return read
}

function isNewIn(set: Set<string>, key: string): boolean {
  const isNew = !set.has(key)
  set.add(key)
  return isNew
}

function digestOf({ words }: ReadPage): string {
  const text = words.map((word) => word.text).join(' ')
  return createHash('sha256').update(text).digest('base64')
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
