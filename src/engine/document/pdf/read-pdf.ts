import { refuse } from '../refuse.ts'
import { boundless, type Metadata, metadataFrom, type Converter, type Budget } from '../converter.ts'
import {
  type Bookmark,
  documentHtml,
  headingLevels,
  type HtmlPart,
  pageHtml,
  partsOf,
  type PdfPageContent,
} from './document-html.ts'
import { layout, linesAndGrids } from './layout/page-layout.ts'
import { taggedBlocks } from './layout/structure-tree.ts'
import { openPdf, type PdfFile } from './open-pdf.ts'
import { withOcr, type TextLayer } from './ocr/scanned-pages.ts'
import { createHash } from 'node:crypto'
import type { PdfOptions } from '../../../contracts/page-content.ts'
import type { Typewriter } from './layout/pdf-blocks.ts'
import { type Repeats, repeatsOf, watermarksOf, withoutRunningHeads } from './layout/running-heads.ts'
import { readPage, type ReadPage } from './page.ts'
import type { TextLine } from './text/text-lines.ts'

/** Number of pages in memory at a time; repetitions are searched among them and those before. */
const batchSize = 40
/** Maximum number of characters of HTML, after which no further page is read. */
const maxChars = 12_000_000
/** Minimum number of characters of a text; a page with fewer has only a stamp or a page number. */
const minChars = 12

/** CPU time in ms that each new page adds to the budget: that of a typical book page, because long books are common. */
const cpuMsPerPage = 10

/**
 * `headed`: pages whose running heads were removed; `broken`: pages that pdf.js cannot read; `repeated`: number of
 * pages that the file lists again.
 */
type TextPages = TextLayer & { headed: readonly number[]; broken: readonly number[]; repeated: number }

/** Reads the first pages of a file, up to a number or until they contain too much text or the budget is used up. */
async function textPages(pdf: PdfFile, wanted: number, budget: Budget): Promise<TextPages> {
  const pages: PdfPageContent[] = []
  const [bare, drawn, headed]: [number[], number[], number[]] = [[], [], []]
  const reader: PageReader = { pdf, budget, broken: [], repeated: 0, seen: new Set(), texts: new Set() }
  let repeats: Repeats = new Map()
  let typewriter: Typewriter | undefined
  let chars = 0
  for (let first = 1; first <= wanted && chars < maxChars && !budget.isSpent(); first += batchSize) {
    const batch = withoutWatermarks(await batchFrom(reader, first, Math.min(first + batchSize - 1, wanted)))
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

function partsOfPage(page: ReadPage, lines: readonly TextLine[], typewriter: Typewriter): HtmlPart[] {
  const left = new Set(lines.flatMap((line) => line.words))
  const gone = new Set(page.lines.flatMap((line) => line.words).filter((word) => !left.has(word)))
  const words = page.words.filter((word) => !gone.has(word))
  const blocks = taggedBlocks(page.tags, words, page.rules, typewriter) ?? layout(lines, page.rules, typewriter)
  // Labels of axes and stamps in the margin follow the text of the page.
  const beside = page.others.flatMap(({ words: own }) => layout(linesAndGrids(own, []), [], typewriter))
  return [...partsOf(blocks), ...partsOf(beside)]
}

/** Removes words that are at the same place behind the text of most pages. */
function withoutWatermarks(pages: readonly ReadPage[]): ReadPage[] {
  const marks = watermarksOf(pages.map(({ words }) => words))
  return pages.map((page) => {
    const words = page.words.filter((word) => !marks.has(word))
    return words.length === page.words.length ? page : { ...page, words, lines: linesAndGrids(words, page.rules) }
  })
}

type PageReader = {
  pdf: PdfFile
  budget: Budget
  broken: number[]
  repeated: number
  /** Object ids of the pages read so far; `texts` contains digests of their text. */
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

/** Returns undefined for a page that was read before. */
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

/** Treats fixed-pitch text as body text rather than code if it is more than half of the text. */
function typewriterOf(pages: readonly ReadPage[]): Typewriter {
  let fixed = 0
  let all = 0
  for (const { isTyped, drawn } of pages.flatMap(({ words }) => words)) {
    all += drawn.length
    if (isTyped) fixed += drawn.length
  }
  return fixed * 2 > all ? 'text' : 'code'
}

/** pdf.js refuses a Buffer. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new Uint8Array(buffer, byteOffset, byteLength)

/**
 * Reads a PDF: by its tags if they mark more than paragraphs, otherwise by the appearance of its pages; scanned pages
 * by OCR. `numPages` counts the pages read. Throws SCRAPE_UNSUPPORTED_FILE_ERROR (broken or password-protected) or
 * SCRAPE_PDF_OCR_REQUIRED (a scan, and no OCR).
 */
export const readPdf: Converter = async ({ bytes, isGivenUp, pdf: options }, budget = boundless) => {
  const pdf = await openPdf(isGivenUp ? viewOf(bytes) : new Uint8Array(bytes))
  try {
    const wanted = Math.min(pdf.numPages, options.maxPages ?? Infinity)
    const text = await textPages(pdf, wanted, budget)
    if (text.pages.length === 0)
      refuse('No page of the PDF can be read.', { hint: 'Download the file again, or use another copy.' })
    const bookmarks = budget.isSpent() ? [] : await bookmarksOf(pdf)
    // OCR is inherently slow; the timeout of the call limits it.
    budget.lift()
    const { pages, warning } = await withOcr(pdf, options, text)
    const levelOf = headingLevels(
      pages.flatMap(({ parts }) => parts),
      bookmarks,
    )
    const read = pages.length
    const textLayer = new Set(text.pages.map(({ parts }) => parts))
    const headed = pages.filter((page) => text.headed.includes(page.number) && textLayer.has(page.parts)).length
    const warnings = [
      warning,
      headed > 0
        ? `Left out on ${headed} of ${pages.length} pages: running heads and feet, which repeat at the same place near an edge.`
        : undefined,
      text.broken.length > 0
        ? `Left out, because they are damaged: pages ${text.broken.slice(0, 50).join(', ')}.`
        : undefined,
      text.repeated > 0
        ? `Left out, because they are pages that were read before: ${text.repeated} of ${wanted} pages.`
        : undefined,
      !budget.hasCut() && read + text.broken.length + text.repeated < wanted
        ? `Only the first ${read} pages were read, because the text is very long.`
        : undefined,
    ].filter((written) => written !== undefined)
    return {
      html: documentHtml(pages, levelOf, pdf.numPages > 1 ? 'with page numbers' : 'without'),
      ...eachPage(pages, levelOf, options),
      metadata: await metadataOf(pdf),
      numPages: read,
      ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

const eachPage = (
  pages: readonly PdfPageContent[],
  levelOf: ReturnType<typeof headingLevels>,
  { pages: isWanted, pageMarkers }: PdfOptions,
) =>
  (isWanted || pageMarkers) && {
    pages: pages.map(({ number, parts }) => ({ number, html: pageHtml(parts, levelOf) })),
  }

type OutlineNode = { title: string; items?: readonly OutlineNode[] }

async function bookmarksOf(pdf: PdfFile): Promise<Bookmark[]> {
  const outline = ((await pdf.getOutline().catch(() => null)) ?? []) as readonly OutlineNode[]
  const below = (nodes: readonly OutlineNode[], depth: number): Bookmark[] =>
    depth > 6 ? [] : nodes.flatMap(({ title, items = [] }) => [{ title, depth }, ...below(items, depth + 1)])
  return below(outline, 1)
}

type Info = Readonly<Record<string, unknown>>

const names: Readonly<Record<string, string>> = {
  Title: 'dc:title',
  Author: 'dc:creator',
  Subject: 'dc:description',
  Keywords: 'cp:keywords',
  CreationDate: 'dcterms:created',
  ModDate: 'dcterms:modified',
  Language: 'dc:language',
}
const xmpNames: Readonly<Record<string, string>> = {
  'dc:title': 'dc:title',
  'dc:creator': 'dc:creator',
  'dc:description': 'dc:description',
  'pdf:keywords': 'cp:keywords',
  'xmp:createdate': 'dcterms:created',
  'xmp:modifydate': 'dcterms:modified',
}

/** Reads metadata from the information dictionary, and what is missing there from the XMP packet. */
async function metadataOf(pdf: PdfFile): Promise<Metadata> {
  const { info, metadata } = await pdf.getMetadata().catch(() => ({ info: {}, metadata: null }))
  const written = Object.entries(names).map(([key, name]) => [name, isoOr(textOf((info as Info)[key]))] as const)
  const xmp = metadata as { get(name: string): unknown } | null
  const known = new Set(written.filter(([, text]) => text !== '').map(([name]) => name))
  const more = Object.entries(xmpNames)
    .filter(([, name]) => !known.has(name))
    .map(([key, name]) => [name, textOf(xmp?.get(key))] as const)
  return metadataFrom([...written, ...more])
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(', ')
  return typeof value === 'string' ? value.replaceAll('\u0000', '') : ''
}

const date = /^D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/

/** Converts D:YYYYMMDDHHmmSSOHH'mm' (ISO 32000-1, 7.9.4) to ISO 8601; other text is returned unchanged. */
function isoOr(text: string): string {
  const [
    whole,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    ,
    sign,
    zoneHour,
    zoneMinute = '00',
  ] = date.exec(text) ?? []
  if (whole === undefined || !text.startsWith('D:')) return text
  const zone = sign === undefined ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`
}
