import { fail } from '../../../../kernel/error.ts'
import { hasTesseract, recogniseText, runProgram } from '../../ocr/tesseract.ts'
import type { PdfPageContent } from '../document-html.ts'
import { openPdf, type PdfFile } from '../open-pdf.ts'
import type { PdfOptions } from '../../../../contracts/page-content.ts'
import type { PDFPageProxy } from 'unpdf/pdfjs'
import { type Matrix, product, sixOf } from '../content-stream/page-graphics.ts'

export type TextLayer = {
  pages: readonly PdfPageContent[]
  /** Pages with hardly any text. */
  bare: readonly number[]
  /** Bare pages on which many shapes are drawn. */
  drawn: readonly number[]
}

/** Maximum number of bare pages to check for pictures. If any of them has one, the others count as scanned too. */
const maxProbedPages = 12

/**
 * Replaces scanned pages by their OCR results; pages that OCR does not read are omitted with a warning. Without OCR,
 * throws SCRAPE_PDF_OCR_REQUIRED if it was requested or at least 90 % of the pages are scanned.
 */
export async function withOcr(
  pdf: Pick<PdfFile, 'getData'>,
  { mode }: PdfOptions,
  text: TextLayer,
): Promise<{ pages: PdfPageContent[]; warning?: string }> {
  if (mode !== 'ocr' && text.bare.length === 0) return { pages: [...text.pages] }
  const bytes = await pdf.getData()
  const scans = mode === 'ocr' ? text.pages.map(({ number }) => number) : await scannedPages(bytes, text)
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

/** Formats 1, 2, 3, 7 as "1–3, 7". */
function spans(numbers: readonly number[]): string {
  const groups: [number, number][] = []
  for (const number of numbers) {
    const last = groups.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else groups.push([number, number])
  }
  return groups.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}

async function scannedPages(bytes: Uint8Array, { bare, drawn }: TextLayer): Promise<number[]> {
  const isDrawn = new Set(drawn)
  const pictured = new Set<number>()
  const probed = bare.filter((number) => !isDrawn.has(number)).slice(0, maxProbedPages)
  await withPictures(bytes, probed, async (number, pictures) => void (pictures.length > 0 && pictured.add(number)))
  const wasProbed = new Set(probed)
  return bare.filter(
    (number) => isDrawn.has(number) || pictured.has(number) || (!wasProbed.has(number) && pictured.size > 0),
  )
}

async function withPictures(
  bytes: Uint8Array,
  numbers: readonly number[],
  use: (number: number, pictures: Uint8Array[]) => Promise<void>,
): Promise<void> {
  if (numbers.length === 0) return
  const pdf = await openPdf(new Uint8Array(bytes), 'decoded')
  try {
    for (const number of numbers) await use(number, await pageImages(pdf, number).catch(() => []))
  } finally {
    await pdf.loadingTask.destroy()
  }
}

type OcrPages = Map<number, PdfPageContent['parts']>

/** Reads the page as rendered by poppler, if installed; otherwise the pictures on the page. */
async function readScans(bytes: Uint8Array, numbers: readonly number[]): Promise<OcrPages> {
  const read: OcrPages = new Map()
  const unpainted: number[] = []
  for (const number of numbers) {
    const picture = unpainted.length === 0 ? await renderedByPoppler(bytes, number) : undefined
    if (!picture) unpainted.push(number)
    else await addOcrPage(read, number, [picture])
  }
  await withPictures(bytes, unpainted, (number, pictures) => addOcrPage(read, number, pictures))
  return read
}

async function addOcrPage(read: OcrPages, number: number, pictures: readonly Uint8Array[]): Promise<void> {
  const found: string[] = []
  for (const picture of pictures) found.push(...((await recogniseText(picture)) ?? []))
  if (found.length > 0)
    read.set(
      number,
      found.map((html) => ({ kind: 'html', html })),
    )
}

/** Pixels of the longer side of a rendered page: a sheet of paper at 210 dots per inch. */
const longSide = 2480

function renderedByPoppler(bytes: Uint8Array, number: number): Promise<Buffer | undefined> {
  const page = String(number)
  return runProgram('pdftoppm', ['-gray', '-scale-to', String(longSide), '-f', page, '-l', page, '-'], bytes)
}

/** A picture on a page: its name among the page's objects, or its data, and its position. */
type PlacedImage = { source: string | Raster; map: Matrix }

/** Minimum share of the page covered by a picture of text; smaller ones are logos. */
const minShare = 0.05

/** Returns pictures of a page that are large enough to contain its text, from top to bottom, as PGM. */
export async function pageImages(pdf: PdfFile, number: number): Promise<Uint8Array[]> {
  const page = await pdf.getPage(number)
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const pictures = (await paintedOn(page, sixOf(transform as number[])))
    .filter(({ map: [a, b, c, d] }) => Math.abs(a * d - b * c) > width * height * minShare)
    .sort((one, other) => topOf(one.map) - topOf(other.map))
  const found: Uint8Array[] = []
  for (const { source, map } of pictures.slice(0, 50)) {
    const raster = typeof source === 'string' ? await rasterNamed(page, source) : source
    const gray = raster && grayOf(raster)
    if (gray) found.push(pgmOf(upright(gray, map)))
  }
  page.cleanup()
  return found
}

const topOf = ([, b, , d, , f]: Matrix) => Math.min(f, f + b, f + d, f + b + d)

async function paintedOn(page: PDFPageProxy, base: Matrix): Promise<PlacedImage[]> {
  const { OPS } = await import('unpdf/pdfjs')
  const { fnArray, argsArray } = await page.getOperatorList()
  const stack: Matrix[] = []
  const pictures: PlacedImage[] = []
  let map = base
  fnArray.forEach((code, index) => {
    const [first] = (argsArray[index] ?? []) as unknown[]
    if (code === OPS.save || code === OPS.paintFormXObjectBegin) stack.push(map)
    if (code === OPS.restore || code === OPS.paintFormXObjectEnd) map = stack.pop() ?? base
    if (code === OPS.transform) map = product(map, argsArray[index] as number[])
    if (code === OPS.paintFormXObjectBegin && first) map = product(map, first as ArrayLike<number>)
    const source = sourceOf(first)
    const isPicture =
      code === OPS.paintImageXObject || code === OPS.paintInlineImageXObject || code === OPS.paintImageMaskXObject
    if (isPicture && source) pictures.push({ source, map })
  })
  return pictures
}

function sourceOf(value: unknown): string | Raster | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || !('data' in value)) return undefined
  // A reused mask is stored by name instead of its data.
  return typeof value.data === 'string' ? value.data : (value as Raster)
}

async function rasterNamed(page: PDFPageProxy, name: string): Promise<Raster | undefined> {
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs
  const raster = await new Promise<unknown>((resolve) => objects.get(name, resolve))
  const isRaster = typeof raster === 'object' && raster !== null && 'data' in raster && Boolean(raster.data)
  return isRaster ? (raster as Raster) : undefined
}

/** A decoded picture as returned by pdf.js. */
type Raster = { width: number; height: number; data: Uint8Array | Uint8ClampedArray }
type Gray = { width: number; height: number; data: Uint8Array }

/** Returns the brightness of each pixel, 0 to 255; undefined for an unknown data layout. */
function grayOf({ width, height, data }: Raster): Gray | undefined {
  const rowBytes = (width + 7) >> 3
  const gray = new Uint8Array(width * height)
  if (data.length === rowBytes * height && data.length < gray.length) {
    for (let at = 0; at < gray.length; at += 1) {
      const x = at % width
      const byte = data[((at - x) / width) * rowBytes + (x >> 3)] ?? 0
      gray[at] = (byte >> (7 - (x & 7))) & 1 ? 255 : 0
    }
    return { width, height, data: gray }
  }
  const channels = data.length / gray.length
  if (channels !== 1 && channels !== 3 && channels !== 4) return undefined
  for (let at = 0; at < gray.length; at += 1) {
    const from = at * channels
    const [red = 0, green = 0, blue = 0] =
      channels === 1 ? [data[from], data[from], data[from]] : [data[from], data[from + 1], data[from + 2]]
    gray[at] = (red * 77 + green * 151 + blue * 28) >> 8
  }
  return { width, height, data: gray }
}

/** Rotates the picture as the page shows it. `map` transforms the unit square, whose top is y = 1, to the page. */
function upright({ width, height, data }: Gray, [a, b, c, d]: Matrix): Gray {
  const isSideways = Math.abs(a) < Math.abs(b)
  const size = isSideways ? { width: height, height: width } : { width, height }
  const turned = new Uint8Array(data.length)
  // y grows downwards both on the page and in the picture.
  const flipsX = (isSideways ? -c : a) < 0
  const flipsY = (isSideways ? b : -d) < 0
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const across = flipsX ? size.width - 1 - x : x
      const down = flipsY ? size.height - 1 - y : y
      const from = isSideways ? across * width + down : down * width + across
      turned[y * size.width + x] = data[from] ?? 255
    }
  }
  return { ...size, data: turned }
}

/** Portable graymap (PGM), which needs no encoder. */
function pgmOf({ width, height, data }: Gray): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data])
}
