import { onePage } from '../../document/pdf/raw-pdf.ts'
import { storedZip } from '../../document/stored-zip.ts'
import type { FileAnswer, Pages } from './crawl-model.ts'

const file = (type: string, content: string | Uint8Array): FileAnswer => ({
  kind: 'file',
  type,
  bytes: typeof content === 'string' ? Buffer.from(content) : content,
})

const bundle = storedZip({ 'readme.txt': 'The bundle of the harbour.' })
const report = onePage('BT /F1 12 Tf 60 780 Td (The report of the harbour says this.) Tj ET', '/Font << /F1 5 0 R >>', [
  '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
])

/** Files other than HTML. Only the report is a document; the name of the last one does not reveal its type. */
export const crawlFiles: Pages = {
  '/files/photo.png': file('image/png', 'not looked at'),
  '/files/Photo.JPG': file('image/jpeg', 'not looked at'),
  '/files/bundle.zip': file('application/zip', bundle),
  '/files/site.css': file('text/css', 'p { color: teal }'),
  '/files/site.js': file('text/javascript', 'export {}'),
  '/files/film.mp4': file('video/mp4', 'not looked at'),
  '/files/font.woff2': file('font/woff2', 'not looked at'),
  '/files/report.pdf': file('application/pdf', report),
  '/files/download': file('application/zip', bundle),
}
