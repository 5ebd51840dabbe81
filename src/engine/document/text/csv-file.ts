import type { Converter, Source } from '../converter.ts'
import { essenceOf } from '../media-types.ts'
import { guessWarning, textOf } from './plain.ts'

/** Maximum number of cells written; no model can read more. */
const maxCells = 500_000

/**
 * Converts separated values to a markdown table whose head is the first row. Writes markdown directly, because a tree
 * of that many cells is slow.
 */
export const readCsv: Converter = (source) => {
  const { rows, delimiter } = rowsIn(source)
  const shown: string[] = []
  let head: readonly string[] = []
  let width = 0
  let cells = 0
  let all = 0
  for (const row of rowsOf(rows, delimiter)) {
    all++
    if ((cells += row.length) > maxCells) continue
    width = Math.max(width, row.length)
    if (shown.length === 0) head = row
    shown.push(lineOf(row))
  }
  // A head with fewer cells than a row would hide some; a row may have fewer than the head.
  const widened = lineOf([...head, ...Array<string>(width - head.length).fill('')])
  const lines = shown.length === 0 ? [] : [widened, `|${' --- |'.repeat(width)}`, ...shown.slice(1)]
  const cut = `The table has ${all} rows; the first ${shown.length} are shown (${maxCells} cells at most).`
  const warning = [all > shown.length && cut, guessWarning(source).warning].filter(Boolean).join(' ')
  return {
    markdown: lines.map((line) => `${line}\n`).join(''),
    metadata: { rowCount: Math.max(0, all - 1), columnCount: width },
    ...(warning !== '' && { warning }),
  }
}

/** Splits off the line `sep=;`, with which Excel names the delimiter. */
function rowsIn(source: Source): { rows: string; delimiter: string } {
  const text = textOf(source)
  const [hint, named] = /^"?sep=(.)"?[ ]*\n/i.exec(text) ?? []
  if (hint !== undefined && named !== undefined) return { rows: text.slice(hint.length), delimiter: named }
  return { rows: text, delimiter: isTabbed(source) && text.includes('\t') ? '\t' : delimiterOf(text) }
}

const isTabbed = ({ contentType, url }: Source) =>
  /tab-separated|tsv/.test(essenceOf(contentType ?? '')) || /\.(?:tsv|tab)$/i.test(URL.parse(url)?.pathname ?? '')

const lineOf = (row: readonly string[]) => `| ${row.map(cell).join(' | ')} |`

/** Escapes pipes, which end cells, line breaks, which end rows, and tags, which would be markup. */
function cell(value: string): string {
  const trimmed = value.trim()
  if (!/[|\n<]/.test(trimmed)) return trimmed
  return trimmed
    .replace(/\\(?=\|)/g, '\\\\')
    .replaceAll('|', '\\|')
    .replace(/<(?=[a-z!/?])/gi, '\\<')
    .replace(/(?<!\s)\s*\n\s*/g, '<br>')
}

/**
 * Yields rows of a text with separated values (RFC 4180): quotes, doubled quotes, line breaks in quotes. Lenient: a
 * quote inside a field, or one that is never closed, is an ordinary character. Blank lines are skipped. Line breaks are
 * "\n".
 */
export function* rowsOf(text: string, delimiter: string): Generator<string[]> {
  const field = fieldReader(text, delimiter)
  let row: string[] = []
  let at = 0
  while (at <= text.length) {
    const { value, end } = field(at)
    row.push(value)
    at = end + 1
    if (text[end] === delimiter) continue
    if (row.length > 1 || value.trim() !== '') yield row
    row = []
  }
}

type Field = { value: string; end: number }

function fieldReader(text: string, delimiter: string): (start: number) => Field {
  // After one unclosed quote no others are searched, because each search would run to the end.
  let mayQuote = true
  return (start) => {
    const quoted = mayQuote && text[start] === '"' ? quotedField(text, start) : undefined
    if (text[start] === '"' && !quoted) mayQuote = false
    const end = endOfPlain(text, quoted?.end ?? start, delimiter)
    return { value: quoted ? quoted.value + text.slice(quoted.end, end).trimEnd() : text.slice(start, end), end }
  }
}

function quotedField(text: string, start: number): Field | undefined {
  const parts: string[] = []
  let from = start + 1
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', from)) {
    parts.push(text.slice(from, quote))
    if (text[quote + 1] !== '"') return { value: parts.join('"'), end: quote + 1 }
    from = quote + 2
  }
  return undefined
}

function endOfPlain(text: string, start: number, delimiter: string): number {
  let at = start
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at++
  return at
}

const delimiters = [',', ';', '\t', '|']
const sampleChars = 32_768
const sampleRows = 40

/** Returns the delimiter that splits the first rows into the most even number of fields; a comma if none does. */
export function delimiterOf(text: string): string {
  const sample = text.slice(0, sampleChars)
  const ranked = delimiters
    .map((delimiter) => ({ delimiter, score: evenness(sample, delimiter) }))
    .toSorted((one, other) => other.score - one.score)
  return ranked[0]?.delimiter ?? ','
}

/** Returns the share of rows with the most frequent number of fields; more fields win a tie. 0 for one field. */
function evenness(sample: string, delimiter: string): number {
  const widths: number[] = []
  for (const row of rowsOf(sample, delimiter)) {
    if (widths.push(row.length) >= sampleRows) break
  }
  const [width, rows] = [...Map.groupBy(widths, (each) => each)]
    .map(([each, all]) => [each, all.length] as const)
    .reduce((best, next) => (next[0] > 1 && next[1] > best[1] ? next : best), [1, 0] as const)
  return width === 1 ? 0 : rows / widths.length + Math.min(width, 100) / 1000
}
