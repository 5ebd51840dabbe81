import { fenceAfter } from './outline.ts'

/** A stretch of a page that is found as one: a heading, a paragraph, a block of code, a line of a long list or table. */
export type Unit = { kind: 'heading' | 'code' | 'text'; at: number; end: number }
type Line = { at: number; end: number; start: string }

/** Longer paragraphs are found line by line. */
const longest = 600

/** The units of `text` from `from` to `end`, in order. */
export function unitsOf(text: string, from = 0, end = text.length): Unit[] {
  const units: Unit[] = []
  let lines: Unit[] = []
  let code: { at: number; mark: string } | undefined
  const flush = () => {
    const [first, last] = [lines[0], lines.at(-1)]
    if (first && last) units.push(...(last.end - first.at <= longest ? [{ ...first, end: last.end }] : lines))
    lines = []
  }
  const add = ({ start, ...place }: Line) => {
    const isHeading = /^ {0,3}#{1,6}[ \t]/.test(start)
    if (!isHeading && /\S/.test(start)) return void lines.push({ kind: 'text', ...place })
    flush()
    if (isHeading) units.push({ kind: 'heading', ...place })
  }
  for (const line of linesOf(text, from, end)) {
    const mark = openAfter(line, code?.mark)
    if (code && mark === undefined) {
      units.push({ kind: 'code', at: code.at, end: line.end })
      code = undefined
    } else if (!code && mark !== undefined) {
      flush()
      code = { at: line.at, mark }
    } else if (!code) add(line)
  }
  flush()
  if (code) units.push({ kind: 'code', at: code.at, end })
  return units
}

/** As much of a line as tells what it is. */
const startLength = 300

function* linesOf(text: string, from: number, end: number): Generator<Line> {
  for (let at = from; at < end;) {
    const next = text.indexOf('\n', at)
    const lineEnd = next === -1 || next > end ? end : next
    yield { at, end: lineEnd, start: text.slice(at, Math.min(lineEnd, at + startLength)) }
    at = lineEnd + 1
  }
}

/** The mark of the block of code that is open after a line; in a list or a quotation code is indented. */
function openAfter({ start }: Line, open: string | undefined): string | undefined {
  const [, mark, info = ''] = /^[ \t>]*(`{3,}|~{3,})(.*)$/s.exec(start) ?? []
  return mark === undefined ? open : fenceAfter(open, mark, info)
}
