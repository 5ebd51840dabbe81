import type { PdfOptions } from '../../../../contracts/ports.ts'
import { fail } from '../../../../kernel/error.ts'
import type { PageContent } from '../document-html.ts'
import { openPdf } from '../open-pdf.ts'
import { pagePictures } from './pictures.ts'
import { hasTesseract, outputOf, recognised } from './tesseract.ts'

export type TextLayer = {
  pages: readonly PageContent[]
  /** Pages with hardly any text. */
  bare: readonly number[]
  /** Those of them on which many shapes are drawn. */
  drawn: readonly number[]
}

/** Bare pages that are looked at for pictures; when there are more, the others are as these. */
const maxLooks = 12

/**
 * Adds what OCR reads to the text layer. Fails with SCRAPE_PDF_OCR_REQUIRED when hardly a page has text and none can be
 * read; a few such pages are left out with a warning.
 */
export async function withScans(
  bytes: Uint8Array,
  { mode }: PdfOptions,
  text: TextLayer,
): Promise<{ pages: PageContent[]; warning?: string }> {
  const scans = mode === 'ocr' ? text.pages.map(({ number }) => number) : await scansAmong(bytes, text)
  if (scans.length === 0) return { pages: [...text.pages] }
  const canRead = mode !== 'fast' && (await hasTesseract())
  if (!canRead) {
    if (mode === 'ocr' || scans.length * 10 >= text.pages.length * 9) fail('SCRAPE_PDF_OCR_REQUIRED')
    return { pages: [...text.pages], warning: leftOut(scans) }
  }
  const read = await readScans(bytes, scans)
  const failed = mode === 'ocr' ? [] : scans.filter((number) => !read.has(number))
  const pages = text.pages.map((page) => ({ ...page, parts: read.get(page.number) ?? page.parts }))
  return { pages, ...(failed.length > 0 && { warning: leftOut(failed) }) }
}

const leftOut = (numbers: readonly number[]) =>
  `Left out, because they are pictures of text or drawings and OCR did not read them: ${numbers.length === 1 ? 'page' : 'pages'} ${spans(numbers)}.`

/** 1, 2, 3, 7 as "1–3, 7". */
function spans(numbers: readonly number[]): string {
  const groups: [number, number][] = []
  for (const number of numbers) {
    const last = groups.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else groups.push([number, number])
  }
  return groups.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}

async function scansAmong(bytes: Uint8Array, { bare, drawn }: TextLayer): Promise<number[]> {
  if (bare.length === 0) return []
  const isDrawn = new Set(drawn)
  const pictured = new Set<number>()
  const looked = bare.filter((number) => !isDrawn.has(number)).slice(0, maxLooks)
  await withPictures(bytes, looked, async (number, pictures) => void (pictures.length > 0 && pictured.add(number)))
  const isLooked = new Set(looked)
  return bare.filter(
    (number) => isDrawn.has(number) || pictured.has(number) || (!isLooked.has(number) && pictured.size > 0),
  )
}

async function withPictures(
  bytes: Uint8Array,
  numbers: readonly number[],
  use: (number: number, pictures: Uint8Array[]) => Promise<void>,
): Promise<void> {
  if (numbers.length === 0) return
  const pdf = await openPdf(bytes, 'decoded')
  try {
    for (const number of numbers) await use(number, await pagePictures(pdf, number).catch(() => []))
  } finally {
    await pdf.loadingTask.destroy()
  }
}

type Read = Map<number, PageContent['parts']>

/** By the page as poppler paints it, where that is installed; else by the pictures on the page. */
async function readScans(bytes: Uint8Array, numbers: readonly number[]): Promise<Read> {
  const read: Read = new Map()
  const unpainted: number[] = []
  for (const number of numbers) {
    const picture = unpainted.length === 0 ? await painted(bytes, number) : undefined
    if (!picture) unpainted.push(number)
    else await note(read, number, [picture])
  }
  await withPictures(bytes, unpainted, (number, pictures) => note(read, number, pictures))
  return read
}

async function note(read: Read, number: number, pictures: readonly Uint8Array[]): Promise<void> {
  const parts = []
  for (const picture of pictures) parts.push(...(await recognised(picture)))
  if (parts.length > 0) read.set(number, parts)
}

/** Pixels of the longer side: a sheet of paper at 210 dots an inch. */
const longSide = 2480

function painted(bytes: Uint8Array, number: number): Promise<Buffer | undefined> {
  const page = String(number)
  return outputOf('pdftoppm', ['-gray', '-scale-to', String(longSide), '-f', page, '-l', page, '-'], bytes)
}
