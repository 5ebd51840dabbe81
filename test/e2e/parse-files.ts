import { docx, para, pptx, run, xlsx } from '../document/office-files.ts'
import { makePdf } from '../document/pdf/make-pdf.ts'
import { png } from '../document/pictures.ts'

export type FileToSend = { filename: string; contentType: string; bytes: Uint8Array }

const office = 'application/vnd.openxmlformats-officedocument'
const text = (filename: string, contentType: string, content: string): FileToSend => ({
  filename,
  contentType,
  bytes: Buffer.from(content),
})

const written = new Date('2026-03-15T12:00:00Z')

/** Creates a PDF with a number of pages and a title. */
export const pdfOf = (pages: number): Promise<Uint8Array> =>
  makePdf(
    Array.from({ length: pages }, (_, index) => ({
      texts: [
        { text: `Chapter ${index + 1}`, x: 60, y: 80, size: 24 },
        { text: `What page ${index + 1} of the report says about ropes.`, x: 60, y: 130 },
      ],
    })),
    (document) => {
      document.setTitle('A report on ropes')
      document.setCreationDate(written)
      document.setModificationDate(written)
    },
  )

const cells = (...values: string[]) => values.map((value) => `<c t="inlineStr"><is><t>${value}</t></is></c>`).join('')
export const sheetOf = (rows: number) =>
  xlsx(
    `<sheetData>${Array.from({ length: rows }, (_, at) => `<row>${cells(`rope ${at}`, '7')}</row>`).join('')}</sheetData>`,
  )

export const wordOf = (words: string) => docx(para(words) + para(run('bold', '<w:b/>')))

export const page = `<!doctype html><html lang="en"><head><title>Ropes</title></head><body>
<nav><a href="https://example.com/home">Home</a></nav>
<main><h1>Ropes</h1><p>${'A rope is a group of yarns, plies or strands that are twisted together. '.repeat(6)}</p>
<p>See <a href="knots.html">knots</a>, <a href="#end">the end</a> and <a href="https://example.com/hemp">hemp</a>.</p>
<p><img src="img/rope.png" alt="A rope"></p></main></body></html>`

/** Returns a file of each family, and a text that its markdown contains. */
export async function filesToSend(): Promise<[file: FileToSend, says: string][]> {
  return [
    [{ filename: 'report.pdf', contentType: 'application/pdf', bytes: await pdfOf(3) }, 'page 2 of the report'],
    [
      {
        filename: 'letter.docx',
        contentType: `${office}.wordprocessingml.document`,
        bytes: wordOf('Dear reader'),
      },
      'Dear reader',
    ],
    [{ filename: 'list.xlsx', contentType: `${office}.spreadsheetml.sheet`, bytes: sheetOf(2) }, '| rope 0 | 7 |'],
    [
      {
        filename: 'talk.pptx',
        contentType: `${office}.presentationml.presentation`,
        bytes: pptx(['<p:sp><p:txBody><a:p><a:r><a:t>On ropes</a:t></a:r></a:p></p:txBody></p:sp>']),
      },
      'On ropes',
    ],
    [text('page.html', 'text/html', page), '[hemp](https://example.com/hemp)'],
    [text('prices.csv', 'text/csv', 'name,price\nrope,7\n'), '| rope | 7 |'],
    [text('notes.md', 'text/markdown', '# Notes\n\nSome *words*.\n'), '# Notes'],
    [text('größe.json', 'application/json', '{"rope": "Größe"}'), '"Größe"'],
    [{ filename: 'rope.png', contentType: 'image/png', bytes: png(3, 2) }, '3 × 2'],
  ]
}

export const base64Of = ({ bytes }: Pick<FileToSend, 'bytes'>) => Buffer.from(bytes).toString('base64')

/** Returns the file as the input of the operation. */
export const uploadOf = (file: FileToSend) => ({
  file: { filename: file.filename, contentType: file.contentType, base64: base64Of(file) },
})

export function formOf({ filename, contentType, bytes }: FileToSend, options?: object): FormData {
  const form = new FormData()
  if (options) form.append('options', JSON.stringify(options))
  form.append('file', new File([Buffer.from(bytes)], filename, { type: contentType }))
  return form
}
