import { plainLine } from '../../../util/plain-markdown.ts'

/** Lengths and positions are in UTF-16 units, as everywhere in JavaScript. */

/** The share of the room in which a good place to cut is looked for. */
const searchShare = 0.25
/** Best place first: before a heading, after a paragraph, a line, a sentence, a word. */
const breaks = [/\n(?=#{1,6} )/g, /\n\n/g, /\n/g, /[.!?] |[。！？]/g, / /g]

/**
 * Where a piece of `text` that starts at `from` and may be `room` long had best end: at a boundary near the limit,
 * never inside a surrogate pair, and rather before a code fence than in it. Always after `from` when text is left.
 */
export function cutEnd(text: string, from: number, room: number): number {
  const limit = from + Math.max(room, 2)
  if (limit >= text.length) return text.length
  const earliest = limit - Math.floor((limit - from) * searchShare)
  const end = earliest + (lastBreak(text.slice(earliest, limit)) ?? limit - earliest)
  const fence = openFence(text, end)
  if (fence && fence.start > from + room / 2) return fence.start
  return offPair(text, end)
}

/** The same place or one earlier, so that it does not lie inside a surrogate pair. */
export function offPair(text: string, at: number): number {
  const isInside = /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1))
  return isInside ? at - 1 : at
}

/** A piece of `text` that reads well alone: code that is open at its ends is opened and closed around it. */
export function standalone(text: string, from: number, end: number): string {
  const before = openFence(text, from)
  const after = openFence(text, end)
  const piece = text.slice(from, end)
  const opening = before ? `${before.line}\n` : ''
  const closing = after ? `${piece.endsWith('\n') ? '' : '\n'}${after.mark}` : ''
  return `${opening}${piece}${closing}`
}

type Fence = { start: number; mark: string; line: string }

/** The fenced code block that is open at a position. Rules: CommonMark 0.31.2, section 4.5. */
export function openFence(text: string, at: number): Fence | undefined {
  let open: Fence | undefined
  for (const found of fenceLines(text.slice(0, at))) {
    const [line, mark = '', info = ''] = found
    if (!open && !(mark.startsWith('`') && info.includes('`'))) open = { start: found.index, mark, line }
    else if (open && mark.startsWith(open.mark) && info.trim() === '') open = undefined
  }
  return open
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/my

/** Jumps from mark to mark: trying each line of a long text takes ten times as long. */
function* fenceLines(text: string): Generator<RegExpExecArray> {
  const next = { '```': -1, '~~~': -1 }
  for (let from = 0; ;) {
    for (const mark of ['```', '~~~'] as const)
      if (next[mark] < from) next[mark] = orEnd(text.indexOf(mark, from), text)
    const at = Math.min(next['```'], next['~~~'])
    if (at === text.length) return
    fenceLine.lastIndex = at - (/ {1,3}$/.exec(text.slice(Math.max(0, at - 3), at))?.[0].length ?? 0)
    const found = fenceLine.exec(text)
    if (found) yield found
    from = found ? found.index + found[0].length : at + 1
  }
}

const orEnd = (at: number, text: string) => (at === -1 ? text.length : at)

function lastBreak(text: string): number | undefined {
  for (const pattern of breaks) {
    const last = [...text.matchAll(pattern)].at(-1)
    if (last) return last.index + last[0].length
  }
  return undefined
}

export type Heading = {
  level: number
  /** As people read it. */
  title: string
  /** Titles of the headings above it, outermost first. */
  above: readonly string[]
  /** Where its line begins. */
  at: number
  /** Where the part under it ends: at the next heading of its level or a higher one. */
  end: number
}

/** Headings and fences: the lines that a scan for structure has to stop at. CommonMark 0.31.2, sections 4.2 and 4.5. */
const structure = /^ {0,3}(?:(#{1,6})(?:[ \t]+(.*))?|(`{3,}|~{3,})(.*))$/gm

/** No page has more that anyone looks for, and each costs time. */
const mostHeadings = 200_000
const longestTitle = 300

/** The headings of a page, in order. Lines of code are none. */
export function headingsOf(markdown: string): Heading[] {
  const headings: Heading[] = []
  const open: Heading[] = []
  let fence: string | undefined
  for (const { 1: marks, 2: title = '', 3: mark, 4: info = '', index } of markdown.matchAll(structure)) {
    if (headings.length >= mostHeadings) break
    if (mark !== undefined) fence = fenceAfter(fence, mark, info)
    else if (marks !== undefined && fence === undefined && title.trim() !== '') {
      while ((open.at(-1)?.level ?? 0) >= marks.length) close(open.pop(), index)
      const heading = {
        level: marks.length,
        title: titleOf(title.slice(0, longestTitle)),
        above: open.map((each) => each.title),
        at: index,
        end: markdown.length,
      }
      headings.push(heading)
      open.push(heading)
    }
  }
  return headings
}

/** As people read it. */
const titleOf = (line: string): string => plainLine(line.replace(/[ \t]+#+[ \t]*$/, '')).trim()

function close(heading: Heading | undefined, end: number): void {
  if (heading) heading.end = end
}

/** The mark of the block of code that is open after a line with a mark. */
export function fenceAfter(open: string | undefined, mark: string, info: string): string | undefined {
  if (open === undefined) return mark.startsWith('`') && info.includes('`') ? undefined : mark
  return mark.startsWith(open) && info.trim() === '' ? undefined : open
}

/** What an agent calls a heading by: its title and those above it. */
export const nameOf = ({ above, title }: Pick<Heading, 'above' | 'title'>): string => [...above, title].join(' > ')

const longestLine = 120

/** Headings with offset and size, one a line; the deepest levels are left out until it fits into `room`. */
export function outlineText(headings: readonly Heading[], base: number, room: number): string {
  const levels = [...new Set(headings.map(({ level }) => level))].sort((one, other) => other - one)
  let shown = headings
  for (const level of levels) {
    const text = linesOf(shown, base)
    if (text.length <= room || level === levels.at(-1)) return text.length <= room ? text : cutLines(text, room)
    shown = shown.filter((heading) => heading.level < level)
  }
  return ''
}

const linesOf = (headings: readonly Heading[], base: number): string =>
  headings
    .map(({ level, title, at, end }) =>
      `${base + at} ${'#'.repeat(level)} ${title} (${end - at})`.slice(0, longestLine),
    )
    .join('\n')

function cutLines(text: string, room: number): string {
  const end = text.lastIndexOf('\n', room - 2)
  return end <= 0 ? '' : `${text.slice(0, end)}\n…`
}
