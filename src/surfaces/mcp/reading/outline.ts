import { plainLine } from '../../../util/plain-markdown.ts'

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
