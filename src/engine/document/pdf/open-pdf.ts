import type { PDFDocumentProxy } from 'unpdf/pdfjs'
import { fail } from '../../../core/error.ts'
import { writtenCMap } from './cmaps.ts'

export type PdfFile = PDFDocumentProxy
/** Whether pictures are decoded: that costs time and memory, and only a reader of pictures needs it. */
export type Pictures = 'decoded' | 'left out'

/**
 * Opens a file with pdf.js. Nothing is fetched and no script of the file runs: fonts and character maps that the file
 * does not hold are left out or written here. Fails with SCRAPE_UNSUPPORTED_FILE_ERROR for a broken or locked file.
 */
export async function openPdf(bytes: Uint8Array, pictures: Pictures = 'left out'): Promise<PdfFile> {
  if (!mayBePdf(bytes)) {
    fail('SCRAPE_UNSUPPORTED_FILE_ERROR', {
      message: 'The file is empty or no PDF.',
      hint: 'Check that the address leads to a PDF file.',
    })
  }
  const { getDocument } = await import('unpdf/pdfjs')
  const task = getDocument({
    // pdf.js takes the bytes for itself, and they may be needed again.
    data: new Uint8Array(bytes),
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
    BinaryDataFactory: NothingElsewhere,
  })
  try {
    return await task.promise
  } catch (cause) {
    await task.destroy()
    return refuse(cause)
  }
}

/** A picture of this size fills a page at 600 dots an inch. */
const maxPixels = 40_000_000

/** The marker may come late: some files begin with a mail or printer header. */
function mayBePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).includes('%PDF-')
}

function refuse(cause: unknown): never {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'PasswordException') {
    fail('SCRAPE_UNSUPPORTED_FILE_ERROR', {
      message: 'The PDF is locked by a password.',
      hint: 'Use a copy of the file that opens without a password.',
      cause,
    })
  }
  return fail('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: 'The PDF is damaged or cut off and cannot be read.',
    hint: 'Download the file again, or use another copy.',
    cause,
  })
}

/** pdf.js makes one of these to ask for files that are not in the PDF. */
class NothingElsewhere {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const map = kind === 'cMapUrl' ? writtenCMap(filename) : undefined
    if (map === undefined) throw new Error('Nothing is loaded from elsewhere.')
    return new TextEncoder().encode(map)
  }
}
