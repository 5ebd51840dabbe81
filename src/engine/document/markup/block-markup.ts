import { element, escapeHtml, heading, isBlank, openTag } from './inline-markup.ts'

/** A list paragraph as office formats store it: flat, with a level that starts at 0. */
type ListItem = {
  level: number
  /** Number that the item shows; undefined for a bullet. */
  number?: number | undefined
  html: string
}
type OpenList = { level: number; name: 'ul' | 'ol'; next: number }

/** Builds nested lists from a run of flat items. */
function listHtml(items: readonly ListItem[]): string {
  const open: OpenList[] = []
  const parts: string[] = []
  for (const item of items) {
    const list = listFor(item, open, parts)
    const isExpected = item.number === undefined || item.number === list.next
    parts.push(openTag('li', { value: isExpected ? undefined : item.number }), item.html)
    list.next = (item.number ?? list.next) + 1
  }
  while (open.length > 0) closeList(open, parts)
  return parts.join('')
}

function listFor({ level, number }: ListItem, open: OpenList[], parts: string[]): OpenList {
  const name = number === undefined ? 'ul' : 'ol'
  while (open.length > 1 && open.at(-1)!.level > level) closeList(open, parts)
  const last = open.at(-1)
  if (last && last.level >= level && last.name !== name) closeList(open, parts)
  const current = open.at(-1)
  if (current && current.level >= level) {
    parts.push('</li>')
    return current
  }
  const list: OpenList = { level, name, next: number ?? 1 }
  parts.push(openTag(name, { start: number === 1 ? undefined : number }))
  open.push(list)
  return list
}

function closeList(open: OpenList[], parts: string[]): void {
  parts.push(`</li></${open.pop()!.name}>`)
}

export type Block =
  | { kind: 'html'; html: string }
  | ({ kind: 'item' } & ListItem)
  | { kind: 'code'; text: string }
  | { kind: 'quote'; html: string }

/** Writes blocks; adjacent items become one list, lines of code one block, quoted paragraphs one quote. */
export function blocksHtml(blocks: Iterable<Block>): string {
  const parts: string[] = []
  let group: Block[] = []
  const flush = () => {
    parts.push(groupHtml(group))
    group = []
  }
  for (const block of blocks) {
    if (group[0] && (group[0].kind !== block.kind || block.kind === 'html')) flush()
    group.push(block)
  }
  flush()
  return parts.join('')
}

function groupHtml(group: readonly Block[]): string {
  const [first] = group
  if (!first) return ''
  if (first.kind === 'item') return listHtml(group.filter((block) => block.kind === 'item'))
  if (first.kind === 'code')
    return element('pre', element('code', group.map((block) => (block.kind === 'code' ? block.text : '')).join('\n')))
  const html = group.map((block) => ('html' in block ? block.html : '')).join('')
  return first.kind === 'quote' && html ? element('blockquote', html) : html
}

export type TableCell = { html: string; colspan?: number | undefined; rowspan?: number | undefined }

/** Builds a table of finished cells; the first `headRows` rows are its head. */
export function tableHtml(rows: readonly (readonly TableCell[])[], headRows: number, caption = ''): string {
  const filled = rows.filter((row) => row.length > 0)
  if (filled.length === 0) return ''
  const head = filled.slice(0, headRows).map((row) => rowHtml(row, 'th'))
  const body = filled.slice(headRows).map((row) => rowHtml(row, 'td'))
  return element(
    'table',
    (caption && element('caption', caption)) +
      (head.length > 0 ? element('thead', head.join('')) : '') +
      (body.length > 0 ? element('tbody', body.join('')) : ''),
  )
}

function rowHtml(cells: readonly TableCell[], name: 'th' | 'td'): string {
  return element('tr', cells.map(({ html, ...spans }) => element(name, html, spansOf(spans))).join(''))
}

const spansOf = ({ colspan, rowspan }: Omit<TableCell, 'html'>) => ({
  colspan: colspan !== undefined && colspan > 1 ? colspan : undefined,
  rowspan: rowspan !== undefined && rowspan > 1 ? rowspan : undefined,
})

export type Notes = ReturnType<typeof createNotes>

/** Collects the footnotes and endnotes of a document, numbered in the order of their references. */
export function createNotes() {
  const numbers = new Map<string, number>()
  const written: string[] = []
  return {
    /** Returns the reference to insert into the text; the note is created at its first reference. */
    refer(id: string, content: () => string): string {
      const known = numbers.get(id)
      const number = known ?? numbers.size + 1
      if (known === undefined) {
        numbers.set(id, number)
        written[number - 1] = element('li', content(), { id: `fn-${number}` })
      }
      return element('sup', element('a', String(number), { href: `#fn-${number}` }))
    },
    html: () => (written.length > 0 ? element('section', element('ol', written.join('')), { class: 'footnotes' }) : ''),
  }
}

/** Position of a shape, in a unit that is the same for all shapes of a slide. */
export type Place = { x: number; y: number }
export type Slide = {
  /** Finished HTML on one line; empty if the slide has no title. */
  title: string
  shapes: readonly { place: Place | undefined; html: string }[]
  notesHtml: string
}

/**
 * Renders slides in order: title, content in reading order, speaker notes. Hidden slides are undefined; shapes whose
 * tops differ by less than `bandHeight` are in one row.
 */
export function slidesHtml(slides: readonly (Slide | undefined)[], bandHeight: number) {
  const htmls = slides
    .map((slide, i) => slide && slideHtml(slide, i + 1, bandHeight))
    .filter((html) => html !== undefined)
  const hidden = slides.length - htmls.length
  return {
    html: htmls.join(''),
    numPages: htmls.length,
    ...(hidden > 0 && { warning: `Hidden slides left out: ${hidden}.` }),
  }
}

function slideHtml({ title, shapes, notesHtml }: Slide, number: number, bandHeight: number): string {
  const body = inReadingOrder(shapes, bandHeight).map(({ html }) => html)
  const notes = isBlank(notesHtml) ? '' : element('blockquote', `<p>Notes:</p>${notesHtml}`)
  return heading(2, isBlank(title) ? escapeHtml(`Slide ${number}`) : title) + body.join('') + notes
}

/**
 * Sorts row by row from the top, and from the left in a row; shapes without a position come first, in their original
 * order.
 */
function inReadingOrder(shapes: Slide['shapes'], bandHeight: number): Slide['shapes'] {
  const band = ({ place }: Slide['shapes'][number]) => (place ? Math.round(place.y / bandHeight) : -1e9)
  return shapes.toSorted((a, b) => band(a) - band(b) || (a.place?.x ?? 0) - (b.place?.x ?? 0))
}

/** Maximum number of characters of a mark. */
const maxMark = 50

/**
 * Builds a list item from its mark as shown; the mark of a bullet is empty. A mark that markdown does not have, such as
 * "(a)" or "2.1", stays in the text, because other places refer to it.
 */
export function listItem(level: number, mark: string, number: number | undefined, html: string): Block {
  const shown = mark.trim().slice(0, maxMark)
  if (number !== undefined && /^(?:\d+|[a-z]+)?[.):]?$/i.test(shown)) return { kind: 'item', level, number, html }
  return { kind: 'item', level, html: shown === '' ? html : `${escapeHtml(shown)} ${html}` }
}

/** Writes a number in a format of Word, such as `upperRoman`; unknown formats as digits. */
export function formatNumber(number: number, format: string): string {
  if (/roman/i.test(format)) return cased(roman(number), format)
  if (/letter/i.test(format)) return cased(letters(number), format)
  return format === 'decimalZero' && number < 10 ? `0${number}` : String(number)
}

const cased = (text: string, format: string) => (format.startsWith('upper') ? text.toUpperCase() : text)

const romanSigns = 'm1000 cm900 d500 cd400 c100 xc90 l50 xl40 x10 ix9 v5 iv4 i1'
  .split(' ')
  .map((pair): [string, number] => [pair.replace(/\d+/, ''), Number(pair.replace(/\D+/, ''))])

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number)
  let left = number
  let text = ''
  for (const [sign, value] of romanSigns) {
    text += sign.repeat(Math.floor(left / value))
    left %= value
  }
  return text
}

/** Numbers a … z, then aa, bb …, like word processors. */
function letters(number: number): string {
  if (number < 1 || number > 780) return String(number)
  return String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))
}
