import { plainLine } from '../../../util/plain-markdown.ts'

/** Share of the room that is searched for a good place to cut. */
const searchShare = 0.25
/** Places to cut, best first: before a heading, after a paragraph, a line, a sentence, a word. */
const breaks = [/\n(?=#{1,6} )/g, /\n\n/g, /\n/g, /[.!?] |[。！？]/g, / /g]

/**
 * Best end of a part of `text` that starts at `from` and may be `room` long: a boundary near the limit, never inside
 * a surrogate pair, and preferably before a code fence. Always greater than `from` if text is left.
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

/** The same position, or one earlier if it is inside a surrogate pair. */
export function offPair(text: string, at: number): number {
  const isInside = /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1))
  return isInside ? at - 1 : at
}

/** A part of `text` that is complete on its own: code fences cut at its ends are opened and closed. */
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
  for (const match of fenceLines(text.slice(0, at))) {
    const [line, mark = '', info = ''] = match
    if (!open && !(mark.startsWith('`') && info.includes('`'))) open = { start: match.index, mark, line }
    else if (open && mark.startsWith(open.mark) && info.trim() === '') open = undefined
  }
  return open
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/my

/** Lines with a fence. Searches for the marks, because testing each line of a long text takes ten times as long. */
function* fenceLines(text: string): Generator<RegExpExecArray> {
  const next = { '```': -1, '~~~': -1 }
  for (let from = 0; ;) {
    for (const mark of ['```', '~~~'] as const)
      if (next[mark] < from) next[mark] = orEnd(text.indexOf(mark, from), text)
    const at = Math.min(next['```'], next['~~~'])
    if (at === text.length) return
    fenceLine.lastIndex = at - (/ {1,3}$/.exec(text.slice(Math.max(0, at - 3), at))?.[0].length ?? 0)
    const match = fenceLine.exec(text)
    if (match) yield match
    from = match ? match.index + match[0].length : at + 1
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
  /** Plain text. */
  title: string
  /** Titles of the headings above it, outermost first. */
  above: readonly string[]
  /** Offset of its line. */
  at: number
  /** End of its section: the next heading of the same or a higher level. */
  end: number
}

/** Lines that are headings or fences. CommonMark 0.31.2, sections 4.2 and 4.5. */
const structure = /^ {0,3}(?:(#{1,6})(?:[ \t]+(.*))?|(`{3,}|~{3,})(.*))$/gm

/** Limit on headings, each of which costs time. */
const maxHeadings = 200_000
const longestTitle = 300

/** The headings of a page, in order. Lines of code are skipped. */
export function headingsOf(markdown: string): Heading[] {
  const headings: Heading[] = []
  const open: Heading[] = []
  let fence: string | undefined
  for (const { 1: marks, 2: title = '', 3: mark, 4: info = '', index } of markdown.matchAll(structure)) {
    if (headings.length >= maxHeadings) break
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

/** Plain text of a heading line. */
const titleOf = (line: string): string => plainLine(line.replace(/[ \t]+#+[ \t]*$/, '')).trim()

function close(heading: Heading | undefined, end: number): void {
  if (heading) heading.end = end
}

/** Fence of the code block that is open after a line with a mark. */
export function fenceAfter(open: string | undefined, mark: string, info: string): string | undefined {
  if (open === undefined) return mark.startsWith('`') && info.includes('`') ? undefined : mark
  return mark.startsWith(open) && info.trim() === '' ? undefined : open
}

/** Name of a heading for agents: its path of titles. */
export const nameOf = ({ above, title }: Pick<Heading, 'above' | 'title'>): string => [...above, title].join(' > ')

const longestLine = 120

/**
 * Headings with offset and size, one per line. The deepest levels are omitted until the rest fits into `room`; if the
 * highest level alone does not fit, its end is cut.
 */
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
