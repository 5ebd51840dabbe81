import { plainLine } from '../../../util/plain-markdown.ts'
import { maxCharacters, maxLine } from '../../../util/markdown-blocks.ts'

/** A labelled value in a line of a page; `where` is the heading above. */
type Label = { label: string; value: string; weight: number; where?: string }
/** A table of a page: the heading above it, the names of its columns, and its rows. */
export type Table = { where?: string; columns: string[]; rows: string[][] }

/** Returns the labelled values of all lines, each with the heading above it. */
export function labelsIn(markdown: string): Label[] {
  let heading: string | undefined
  return linesOf(joinDefinitions(markdown)).flatMap((line) => {
    const found = labelled(line)
    if (/^#{1,6}\s/.test(line)) heading = plainLine(line).slice(0, maxHeading)
    return heading === undefined ? found : found.map((label) => ({ ...label, where: heading as string }))
  })
}

const maxHeading = 120

/** Limits the text to bound the time. */
const linesOf = (markdown: string): string[] =>
  markdown
    .slice(0, maxCharacters)
    .split('\n')
    .map((line) => line.slice(0, maxLine))

/** A definition list has the value below its label, as `: value`. */
const joinDefinitions = (markdown: string) => markdown.replace(/^(\S.{0,80})\n: +(?=\S)/gm, '$1: ')

/** Parses `Label: value` in a line, a list item or a row of two cells; the first heading is a title. */
function labelled(line: string): Label[] {
  const text = plainLine(line)
  if (/^#\s/.test(line)) return [{ label: 'title', value: text, weight: 0.75 }]
  const [name = '', cell, ...more] = cellsOf(line)
  if (cell !== undefined && more.length === 0) return [{ label: name.replace(/:$/, ''), value: cell, weight: 0.65 }]
  const [, label, value] = /^([\p{L}][\p{L}\p{M}\p{N} /()-]{1,40})(?::\s+|：\s*)(.{1,300})$/u.exec(text) ?? []
  return label === undefined || value === undefined ? byline(text) : [{ label, value, weight: 0.6 }]
}

function byline(text: string): Label[] {
  if (text.length > 120) return []
  const [, author] =
    /^(?:[Ww]ritten |[Pp]osted )?[Bb]y:?\s+(\p{Lu}[\p{L}.'’-]+(?:\s+\p{Lu}[\p{L}.'’-]+){1,3})/u.exec(text) ?? []
  const [date] = /updated|modified|reviewed/i.test(text) ? [] : (datePattern.exec(text) ?? [])
  return [
    ...(author === undefined ? [] : [{ label: 'author', value: author, weight: 0.55 }]),
    ...(date === undefined ? [] : [{ label: 'datePublished', value: date, weight: 0.5 }]),
  ]
}

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const datePattern = new RegExp(
  String.raw`\b(?:${month}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+20\d\d|\d{1,2}\.?\s+${month}\.?,?\s+20\d\d|20\d\d-\d\d-\d\d)\b`,
  'i',
)

const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line)
const isRule = (line: string) => /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(line)

function cellsOf(line: string): string[] {
  if (!isRow(line) || isRule(line)) return []
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => plainLine(cell))
}

/** Returns the tables of a page that have a header row. */
export function tablesOf(markdown: string): Table[] {
  const tables: Table[] = []
  let open: Table | undefined
  let heading: string | undefined
  const lines = linesOf(markdown)
  for (const [at, line] of lines.entries()) {
    if (/^#{1,6}\s/.test(line)) heading = plainLine(line).slice(0, maxHeading)
    if (!isRow(line)) open = undefined
    else if (isRule(line)) {
      open = { ...(heading !== undefined && { where: heading }), columns: cellsOf(lines[at - 1] ?? ''), rows: [] }
      tables.push(open)
    } else open?.rows.push(cellsOf(line))
  }
  return tables
}
