import type { Converter, Source } from '../converter.ts'
import { essenceOf } from '../media-types.ts'
import { delimiterOf, rowsOf } from './csv-rows.ts'
import { textOf } from './decode.ts'

/** A table beyond this is more than a model can read. */
const maxCells = 500_000

/** Separated values as a markdown table whose head is the first row. Markdown at once: a tree of so many cells is slow. */
export const readCsv: Converter = (source) => {
  const { rows, delimiter } = rowsIn(source)
  const kept: string[] = []
  let head: readonly string[] = []
  let width = 0
  let cells = 0
  let all = 0
  for (const row of rowsOf(rows, delimiter)) {
    all++
    if ((cells += row.length) > maxCells) continue
    width = Math.max(width, row.length)
    if (kept.length === 0) head = row
    kept.push(lineOf(row))
  }
  // A head with fewer cells than a row would hide some; a row may have fewer than the head.
  const widened = lineOf([...head, ...Array<string>(width - head.length).fill('')])
  const lines = kept.length === 0 ? [] : [widened, `|${' --- |'.repeat(width)}`, ...kept.slice(1)]
  return {
    markdown: lines.map((line) => `${line}\n`).join(''),
    metadata: { rowCount: Math.max(0, all - 1), columnCount: width },
    ...(all > kept.length && {
      warning: `The table has ${all} rows; the first ${kept.length} are shown (${maxCells} cells at most).`,
    }),
  }
}

/** Excel's own hint `sep=;` on the first line names the delimiter and is no row. */
function rowsIn(source: Source): { rows: string; delimiter: string } {
  const text = textOf(source)
  const [hint, named] = /^"?sep=(.)"?[ ]*\n/i.exec(text) ?? []
  if (hint !== undefined && named !== undefined) return { rows: text.slice(hint.length), delimiter: named }
  return { rows: text, delimiter: isTabbed(source) && text.includes('\t') ? '\t' : delimiterOf(text) }
}

const isTabbed = ({ contentType, url }: Source) =>
  /tab-separated|tsv/.test(essenceOf(contentType ?? '')) || /\.(?:tsv|tab)$/i.test(URL.parse(url)?.pathname ?? '')

const lineOf = (row: readonly string[]) => `| ${row.map(cell).join(' | ')} |`

/** Pipes end cells, line ends rows, and a tag would be markup. */
function cell(value: string): string {
  const trimmed = value.trim()
  if (!/[|\n<]/.test(trimmed)) return trimmed
  return trimmed
    .replace(/\\(?=\|)/g, '\\\\')
    .replaceAll('|', '\\|')
    .replace(/<(?=[a-z!/?])/gi, '\\<')
    .replace(/\s*\n\s*/g, '<br>')
}
