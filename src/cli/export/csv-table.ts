import { open } from 'node:fs/promises'
import { type Cell, columns, type Row } from './table-columns.ts'

/** Characters that are gathered before they go to the disk. */
const chunk = 1024 * 1024

/** Writes a CSV file (RFC 4180): UTF-8 without a byte order mark, lines that end with CR LF, a first line of names. */
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
 * What a spreadsheet would take for the beginning of a formula (OWASP, CSV injection), full-width forms and characters
 * that are skipped before it included.
 */
const formula = /^(?:[\p{C}\p{Z}]*[=+\-@＝＋－＠]|[\t\r\n])/u

/**
 * Text is always quoted, so that it differs from a cell that is not there. One that would begin a formula gets an
 * apostrophe in front, which makes spreadsheets show it as it is.
 */
export function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  return `"${formula.test(cell) ? "'" : ''}${cell.replaceAll('"', '""')}"`
}
