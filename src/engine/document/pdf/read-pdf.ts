import { fail } from '../../../core/error.ts'
import type { Converter } from '../converter.ts'
import { documentHtml } from './document-html.ts'
import { headingLevels, type Bookmark } from './headings.ts'
import { metadataOf } from './metadata.ts'
import { openPdf, type PdfFile } from './open-pdf.ts'
import { withScans } from './scans.ts'
import { textPages } from './text-pages.ts'

/**
 * Reads a PDF: by its tags where they tell more than paragraphs, else by the look of its pages; scanned pages by OCR.
 * `numPages` counts the pages that were read. Fails with SCRAPE_UNSUPPORTED_FILE_ERROR (broken, locked by a password) or
 * SCRAPE_PDF_OCR_REQUIRED (a scan, and no OCR).
 */
export const readPdf: Converter = async ({ bytes, pdf: options }) => {
  const pdf = await openPdf(bytes)
  try {
    const wanted = Math.min(pdf.numPages, options.maxPages ?? Infinity)
    const text = await textPages(pdf, wanted)
    if (text.pages.length === 0)
      fail('SCRAPE_UNSUPPORTED_FILE_ERROR', {
        message: 'No page of the PDF can be read.',
        hint: 'Download the file again, or use another copy.',
      })
    const { pages, warning } = await withScans(bytes, options, text)
    const levelOf = headingLevels(
      pages.flatMap(({ parts }) => parts),
      await bookmarksOf(pdf),
    )
    const read = pages.length
    const warnings = [
      warning,
      text.broken.length > 0
        ? `Left out, because they are damaged: pages ${text.broken.slice(0, 50).join(', ')}.`
        : undefined,
      read + text.broken.length < wanted
        ? `Only the first ${read} pages were read, because the text is very long.`
        : undefined,
    ].filter((said) => said !== undefined)
    return {
      html: documentHtml(pages, levelOf, pdf.numPages > 1 ? 'with page numbers' : 'without'),
      metadata: await metadataOf(pdf),
      numPages: read,
      ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

type OutlineNode = { title: string; items?: readonly OutlineNode[] }

async function bookmarksOf(pdf: PdfFile): Promise<Bookmark[]> {
  const outline = ((await pdf.getOutline().catch(() => null)) ?? []) as readonly OutlineNode[]
  const below = (nodes: readonly OutlineNode[], depth: number): Bookmark[] =>
    depth > 6 ? [] : nodes.flatMap(({ title, items = [] }) => [{ title, depth }, ...below(items, depth + 1)])
  return below(outline, 1)
}
