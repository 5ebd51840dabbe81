import { getDocumentProxy } from 'unpdf'

/** Size of the first page in points, number of pages, and text of a PDF in a data URL. */
export async function readPdf(dataUrl: string): Promise<{ size: [number, number]; pages: number; text: string }> {
  const [kind, base64 = ''] = dataUrl.split(',')
  if (kind !== 'data:application/pdf;base64') throw new Error(`not a PDF: ${kind}`)
  const pdf = await getDocumentProxy(new Uint8Array(Buffer.from(base64, 'base64')))
  const page = await pdf.getPage(1)
  const [left = 0, top = 0, right = 0, bottom = 0] = page.view
  const { items } = await page.getTextContent()
  const text = items.map((item) => ('str' in item ? item.str : '')).join('')
  return { size: [right - left, bottom - top], pages: pdf.numPages, text }
}
