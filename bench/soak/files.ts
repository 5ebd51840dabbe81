import { flateBomb } from '../../test/document/pdf/raw-pdf.ts'
import { storedZip } from '../../test/document/stored-zip.ts'
import { pdfOf, sheetOf, wordOf } from '../../test/e2e/parse-files.ts'

export type UploadedFile = { name: string; bytes: Uint8Array }

/** Ordinary files, and hostile ones. */
export async function makeFiles(): Promise<readonly [UploadedFile, ...UploadedFile[]]> {
  const nested = `<w:document>${'<w:tbl><w:tr><w:tc>'.repeat(2000)}`
  return [
    { name: 'report.pdf', bytes: await pdfOf(20) },
    { name: 'letter.docx', bytes: wordOf('Dear reader, '.repeat(500)) },
    { name: 'list.xlsx', bytes: sheetOf(3000) },
    { name: 'page.html', bytes: Buffer.from(`<title>Page</title><p>${'Some words. '.repeat(5000)}`) },
    { name: 'bomb.pdf', bytes: flateBomb(300) },
    { name: 'bomb.docx', bytes: wordOf('a'.repeat(120_000_000)) },
    { name: 'nested.docx', bytes: storedZip({ 'word/document.xml': nested }) },
    { name: 'cut.pdf', bytes: (await pdfOf(3)).subarray(0, 700) },
    { name: 'noise.xlsx', bytes: crypto.getRandomValues(new Uint8Array(50_000)) },
  ]
}
