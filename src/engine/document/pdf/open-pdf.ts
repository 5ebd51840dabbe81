import type { PDFDocumentProxy } from 'unpdf/pdfjs'
import { refuse } from '../refuse.ts'

export type PdfFile = PDFDocumentProxy
/** Handling of pictures: decoding takes time and memory and is needed only for OCR. */
export type Pictures = 'decoded' | 'left out'

/**
 * Opens a file with pdf.js. Nothing is fetched and no script of the file runs: missing fonts and character maps are
 * omitted or generated here. pdf.js takes ownership of the bytes. Throws SCRAPE_UNSUPPORTED_FILE_ERROR for a broken or
 * locked file.
 */
export async function openPdf(bytes: Uint8Array, pictures: Pictures = 'left out'): Promise<PdfFile> {
  if (!mayBePdf(bytes)) refuse('The file is empty or not a PDF.', { hint: 'Check that the URL leads to a PDF file.' })
  const { getDocument } = await import('unpdf/pdfjs')
  const task = getDocument({
    data: bytes,
    verbosity: 0,
    maxImageSize: pictures === 'decoded' ? maxPixels : 16,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
    cMapUrl: 'none/',
    cMapPacked: false,
    standardFontDataUrl: 'none/',
    BinaryDataFactory: GeneratedFiles,
  })
  try {
    return await task.promise
  } catch (cause) {
    await task.destroy()
    return refuseFault(cause)
  }
}

/** Maximum size of a decoded picture; a sheet of paper at 600 dots per inch has 35 million pixels. */
const maxPixels = 40_000_000

/** The marker may not be at the start: some files begin with a mail or printer header. */
function mayBePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).includes('%PDF-')
}

function refuseFault(cause: unknown): never {
  if (cause instanceof Error && cause.name === 'PasswordException')
    refuse('The PDF is password-protected.', { hint: 'Use a copy of the file that opens without a password.', cause })
  return refuse('The PDF is damaged or incomplete.', { hint: 'Download the file again, or use another copy.', cause })
}

/** Source of the files that pdf.js needs in addition to the PDF: character maps only, which are generated. */
class GeneratedFiles {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const map = kind === 'cMapUrl' ? writtenCMap(filename) : undefined
    if (map === undefined) throw new Error('The file is not available.')
    return new TextEncoder().encode(map)
  }
}

/**
 * Predefined character maps of the PDF specification (ISO 32000-1, 9.7.5.2) map codes to glyph numbers of Adobe's
 * collections, and these to Unicode. Reading text needs only the composition, so these maps, generated from the
 * platform's own decoders, use the Unicode value as glyph number; widths are then the default ones, a full square.
 */
function writtenCMap(name: string): string | undefined {
  if (/^Adobe-(?:GB1|CNS1|Japan1|Korea1)-UCS2$/.test(name)) return cmap(name, [[0, 0xffff, 2]], toUnicode())
  const direction = name.endsWith('-V') ? '/WMode 1 def\n' : ''
  if (/^Uni(?:GB|CNS|JIS|JISX0213|JIS2004|KS)[^-]*-(?:UCS2|UTF16)/.test(name)) {
    return cmap(name, [[0, 0xffff, 2]], `${direction}1 begincidrange\n<0000> <ffff> 0\nendcidrange\n`)
  }
  const label = legacy.find(([pattern]) => pattern.test(name))?.[1]
  return label === undefined ? undefined : legacyCMap(name, label, direction)
}

const legacy: readonly (readonly [RegExp, string])[] = [
  [/^(?:GBK|GBKp|GBK2K|GBpc|GB)-(?:EUC-)?[HV]$/, 'gbk'],
  [/^(?:ETen|ETenms|B5pc|HKscs)-B5-[HV]$|^B5pc-[HV]$/, 'big5'],
  [/^(?:90ms|90msp|90pv|83pv|Add|Ext)?-?RKSJ-[HV]$/, 'shift_jis'],
  [/^EUC-[HV]$/, 'euc-jp'],
  [/^(?:KSCms-UHC|KSCms-UHC-HW|KSCpc-EUC|KSC-EUC)-[HV]$/, 'euc-kr'],
]

const hex = (value: number, digits: number) => `<${value.toString(16).padStart(digits, '0')}>`

function toUnicode(): string {
  const rows = Array.from(
    { length: 256 },
    (_, high) => `${hex(high * 256, 4)} ${hex(high * 256 + 255, 4)} ${hex(high * 256, 4)}`,
  )
  return `256 beginbfrange\n${rows.join('\n')}\nendbfrange\n`
}

type Span = readonly [from: number, to: number, bytes: number]

function cmap(name: string, spans: readonly Span[], body: string): string {
  const ranges = spans.map(([from, to, bytes]) => `${hex(from, bytes * 2)} ${hex(to, bytes * 2)}`)
  const codespace = `${ranges.length} begincodespacerange\n${ranges.join('\n')}\nendcodespacerange\n`
  return `begincmap\n/CMapName /${name} def\n${codespace}${body}endcmap\n`
}

function legacyCMap(name: string, label: string, direction: string): string {
  const decoder = new TextDecoder(label, { fatal: true })
  const unicodeOf = (bytes: readonly number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes))
      return [...text].length === 1 ? text.codePointAt(0) : undefined
    } catch {
      return undefined
    }
  }
  const lead = Array.from({ length: 0x7f }, (_, index) => 0x81 + index).filter(
    (byte) => unicodeOf([byte]) === undefined,
  )
  const single = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !lead.includes(byte))
  const chars: string[] = []
  for (const byte of single) add(chars, hex(byte, 2), unicodeOf([byte]))
  for (const first of lead) {
    for (let second = 0x40; second < 0xff; second += 1)
      add(chars, hex(first * 256 + second, 4), unicodeOf([first, second]))
  }
  const spans = [
    ...single.map((byte): Span => [byte, byte, 1]),
    ...lead.map((byte): Span => [byte * 256 + 0x40, byte * 256 + 0xfe, 2]),
  ]
  return cmap(name, spans, `${direction}${chars.length} begincidchar\n${chars.join('\n')}\nendcidchar\n`)
}

function add(chars: string[], code: string, unicode: number | undefined): void {
  if (unicode !== undefined && unicode <= 0xffff) chars.push(`${code} ${unicode}`)
}
