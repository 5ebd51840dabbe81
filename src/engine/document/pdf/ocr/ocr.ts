import { spawn } from 'node:child_process'
import { fail } from '../../../../kernel/error.ts'
import { element, escapeHtml } from '../../markup/inline-markup.ts'
import type { HtmlPart } from '../block-html.ts'
import type { PdfPageContent } from '../document-html.ts'
import { openPdf, type PdfFile } from '../open-pdf.ts'
import { joinLineEnds } from '../text/pdf-inline.ts'
import { pageImages } from './page-images.ts'
import type { PdfOptions } from '../../../../contracts/page-content.ts'

export type TextLayer = {
  pages: readonly PdfPageContent[]
  /** Pages with hardly any text. */
  bare: readonly number[]
  /** Bare pages on which many shapes are drawn. */
  drawn: readonly number[]
}

/** Maximum number of bare pages to check for pictures; further ones are assumed to be alike. */
const maxProbedPages = 12

/**
 * Adds OCR results to the text layer. Throws SCRAPE_PDF_OCR_REQUIRED if hardly any page has text and none can be read;
 * a few unreadable pages are omitted with a warning.
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
  const looked = bare.filter((number) => !isDrawn.has(number)).slice(0, maxProbedPages)
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
  const parts = []
  for (const picture of pictures) parts.push(...(await recogniseText(picture)))
  if (parts.length > 0) read.set(number, parts)
}

/** Pixels of the longer side: a sheet of paper at 210 dots per inch. */
const longSide = 2480

function renderedByPoppler(bytes: Uint8Array, number: number): Promise<Buffer | undefined> {
  const page = String(number)
  return runProgram('pdftoppm', ['-gray', '-scale-to', String(longSide), '-f', page, '-l', page, '-'], bytes)
}

export async function hasTesseract(): Promise<boolean> {
  return (await runProgram('tesseract', ['--version'], new Uint8Array())) !== undefined
}

/** Recognises paragraphs in a picture (PGM, PBM, PPM). Returns an empty list for a picture without words. */
async function recogniseText(picture: Uint8Array): Promise<HtmlPart[]> {
  const output = await runProgram('tesseract', ['stdin', 'stdout', '-l', 'eng', 'tsv'], picture)
  return output ? paragraphsOf(output.toString('utf8')) : []
}

/** Minimum confidence in percent; below it a word is noise rather than a misread word. */
const minCertainty = 20

/**
 * Columns of tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
 */
export function paragraphsOf(table: string): HtmlPart[] {
  const paragraphs = new Map<string, Map<string, string[]>>()
  for (const row of table.split('\n').slice(1)) {
    const [level, , block, paragraph, line, , , , , , certainty, ...text] = row.split('\t')
    const word = text.join(' ').trim()
    if (level !== '5' || word === '' || Number(certainty) < minCertainty || line === undefined) continue
    const key = `${block} ${paragraph}`
    const lines = paragraphs.get(key) ?? new Map<string, string[]>()
    lines.set(line, [...(lines.get(line) ?? []), word])
    paragraphs.set(key, lines)
  }
  return [...paragraphs.values()].map((lines) => {
    const text = [...lines.values()].map((words) => words.join(' ')).reduce(joined, '')
    return { kind: 'html', html: element('p', escapeHtml(text)) }
  })
}

function joined(text: string, line: string): string {
  if (text === '') return line
  const { kept, between } = joinLineEnds(text, line)
  return kept + between + line
}

const maxOutputBytes = 100_000_000
const maxTimeMs = 120_000

/**
 * Runs a local program with bytes on its stdin and returns its output; undefined if the program is missing or fails.
 * Uses no shell and no files; the program is limited by its stdin, output size and time.
 */
function runProgram(command: string, args: readonly string[], input: Uint8Array): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>()
  const chunks: Buffer[] = []
  let bytes = 0
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: maxTimeMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  })
  child.once('error', () => resolve(undefined))
  child.once('close', (code) => resolve(code === 0 && bytes <= maxOutputBytes ? Buffer.concat(chunks) : undefined))
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes > maxOutputBytes) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  // A program may exit before it has read everything; its exit code tells whether that was a failure.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return promise
}
