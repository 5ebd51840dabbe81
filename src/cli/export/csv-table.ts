import { open } from 'node:fs/promises'
import { type Cell, columns, type Row } from './table-columns.ts'

/** Characters buffered before a write. */
const chunk = 1024 * 1024

/** Writes a CSV file (RFC 4180): UTF-8 without a byte order mark, CR LF line ends, a header line. */
export async function writeCsv(rows: AsyncIterable<Row>, path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    let text = `${columns.map(({ name }) => name).join(',')}\r\n`
    for await (const row of rows) {
      text += `${row.map(csvCell).join(',')}\r\n`
      if (text.length < chunk) continue
      await file.appendFile(text)
      text = ''
    }
    await file.appendFile(text)
  } finally {
    await file.close()
  }
}

/**
 * Text that a spreadsheet would read as a formula (OWASP, CSV injection), including full-width forms and skipped
 * leading characters.
 */
const formula = /^(?:[\p{C}\p{Z}]*[=+\-@＝＋－＠]|[\t\r\n])/u

/**
 * Text is always quoted, to distinguish it from an empty cell. A possible formula gets a leading apostrophe, which
 * makes spreadsheets show it as text.
 */
export function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  return `"${formula.test(cell) ? "'" : ''}${cell.replaceAll('"', '""')}"`
}
