import { elementAt, isHitBy } from '../dom/hit-test.ts'
import { elementOf, everyElement, isHtml, refOf, shadowOf } from '../dom/tree.ts'
import { describe, roleOf, valueOf } from '../dom/roles-and-names.ts'
import { clean, isPageOrigin, shownHtml, shownText, textOf } from '../dom/element-text.ts'
import { isShown, topModal } from '../dom/sight.ts'
import { cellsOf, controlNode, groupLines, isHeadCell, type Item, type Row, rowsOf } from './outline-nodes.ts'
import { type Budget, everywhere, type HiddenText, shownRole, walk } from './walk-tree.ts'
import { isControl, type Outline, type PageNode } from './page-outline.ts'

const tableSelector = 'table,[role=table],[role=grid],[role=treegrid]'
const listSelector = 'ul,ol,dl,[role=list],[role=listbox],[role=feed],main,section,div'
const maxRows = 5000
const maxContent = 5_000_000
const maxCell = 1000

function recordsOf(table: Element, max: number): Row[] {
  const rows = rowsOf(table).slice(0, max)
  const head = rows.find((row) => cellsOf(row).some((cell) => isHeadCell(cell)))
  const isHead = head !== undefined && cellsOf(head).every((cell) => isHeadCell(cell))
  const names = isHead ? cellsOf(head).flatMap(columnNames) : []
  return rows
    .filter((row) => row !== head || !isHead)
    .map((row) => recordOf(row, names))
    .filter((row) => Object.keys(row).length > 0)
}

function columnNames(cell: Element): string[] {
  const columns = isHtml(cell, 'td', 'th') ? cell.colSpan : 1
  return Array<string>(columns).fill(textOf(cell, maxCell))
}

function recordOf(row: Element, names: readonly string[]): Row {
  const record: Row = {}
  for (const [at, cell] of cellsOf(row).entries()) {
    const name = names[at] || `column ${at + 1}`
    record[name in record ? `${name} ${at + 1}` : name] = textOf(cell, maxCell)
  }
  const link = row.querySelector<HTMLAnchorElement>('a[href]')
  if (!link) return record
  // The link text in an unnamed column carries no information.
  const informative = Object.entries(record).filter(
    ([name, text]) => !(name.startsWith('column ') && names.length > 0 && text === textOf(link, maxCell)),
  )
  return { ...Object.fromEntries(informative), link: relativeUrl(link) }
}

/** Returns the rows of the longest table, otherwise the items of the largest list; ref 0 is the page. */
export function extractRows(ref: number): Row[] {
  const scope = elementOf(ref) ?? document.body
  const tables = [scope, ...everyElement(shadowOf(scope) ?? scope, tableSelector, 20)]
  const table = tables
    .filter((each) => each.matches(tableSelector))
    .map((each) => recordsOf(each, maxRows))
    .toSorted((a, b) => b.length - a.length)[0]
  if (table && table.length > 0) return table
  return listItems(scope).slice(0, maxRows).map(itemRow)
}

function listItems(scope: Element): Element[] {
  const lists = everyElement(shadowOf(scope) ?? scope, listSelector, 5000)
  const groups = [scope, ...lists].map((list) => {
    const children = Array.from(list.children).filter((child) => isShown(child))
    const kinds = Map.groupBy(children, (child) => `${child.localName} ${child.classList[0] ?? ''}`)
    return Array.from(kinds.values()).toSorted((a, b) => b.length - a.length)[0] ?? []
  })
  return groups.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? []
}

function weightOf(group: readonly Element[]): number {
  return group.length < 2 ? 0 : group.length * Math.min(200, (group[0]?.textContent ?? '').length)
}

function itemRow(item: Element): Row {
  const isLink = isHtml(item, 'a') && item.hasAttribute('href')
  const link = isLink ? item : item.querySelector<HTMLAnchorElement>('a[href]')
  return { text: textOf(item, 1000), ...(link && { link: relativeUrl(link) }) }
}

/** Returns the URL of a link, without the origin if it is that of the page. */
function relativeUrl({ href, origin, pathname, search, hash }: HTMLAnchorElement): string {
  return isPageOrigin(origin) ? pathname + search + hash : href
}

/** Returns an element as HTML and as text with line breaks; 0 is the page. A field has no HTML, only its value. */
export function extractContent(ref: number): { html: string; text: string; url: string } {
  const scope = elementOf(ref) ?? document.body
  if (ref !== 0 && isHtml(scope, 'input', 'textarea', 'select'))
    return { html: '', text: valueOf(scope, roleOf(scope)) || '(empty)', url: location.href }
  return {
    html: shownHtml(scope).slice(0, maxContent),
    text: shownText(scope).slice(0, maxContent),
    url: location.href,
  }
}

const maxHeadings = 12

/** Unique per document. */
const documentId = String(Math.random())

export const documentFacts = (): Pick<Outline, 'documentId' | 'url' | 'title' | 'file'> => ({
  documentId,
  url: location.href,
  title: clean(document.title).slice(0, 120),
  ...(!/html/.test(document.contentType) && { file: document.contentType }),
})

const maxElements = 5000
const maxMoves = 3

let places = new WeakMap<Element, DOMRect>()
let scrolled = ''

/** Describes elements that moved by themselves since the last call; none if the page was scrolled. */
function movesSinceLastCall(): string[] {
  const before = places
  const isScrolled = scrolled !== `${scrollX},${scrollY}`
  scrolled = `${scrollX},${scrollY}`
  places = new WeakMap()
  const moves = new Map<Element | null, string>()
  const lines: string[] = []
  for (const element of everyElement(document, '*', maxElements)) {
    const box = element.getBoundingClientRect()
    const previous = before.get(element)
    places.set(element, box)
    const isDrawn = previous !== undefined && box.width > 0 && box.height > 0 && previous.width > 0
    const move = isDrawn ? `${Math.round(box.x - previous.x)}, ${Math.round(box.y - previous.y)} px` : ''
    if (isScrolled || move === '' || move === '0, 0 px') continue
    moves.set(element, move)
    if (moves.get(element.parentElement) !== move) lines.push(`${describe(element)} (e${refOf(element)}) by ${move}`)
  }
  return lines.slice(0, maxMoves)
}

/** Reads the whole page, or the element of a ref; undefined if the element is gone. */
export function readSnapshot(scope: number | undefined, hidden: HiddenText = 'left out'): Outline | undefined {
  const root = scope === undefined ? undefined : elementOf(scope)
  if (scope !== undefined && !root) return undefined
  const budget: Budget = { inView: 6000, above: 800, below: 3000, beside: 300, left: 400_000, hidden }
  const view = { top: 0, left: 0, bottom: innerHeight, right: innerWidth }
  const read = (start: Element | undefined) => {
    const items: Item[] = []
    if (start) walk(start, items, root ? everywhere : view, budget)
    return groupLines(items)
  }
  const dialog = root ? undefined : topModal()
  const inDialog = read(dialog)
  const modal = inDialog.length > 0 ? dialog : undefined
  return {
    ...documentFacts(),
    nodes: modal ? inDialog : read(root ?? document.body),
    modal: modal !== undefined,
    screens: screensOutOfView(),
    headings: root || modal ? { above: [], below: [] } : headingsOutOfView(),
    moved: root ? [] : movesSinceLastCall(),
    controls: document.querySelectorAll('a[href],button,input,select,textarea').length,
    isCut: [budget.inView, budget.above, budget.below, budget.beside, budget.left].some((left) => left < 0),
  }
}

function screensOutOfView(): Outline['screens'] {
  const height = Math.max(document.documentElement?.scrollHeight ?? 0, document.body?.scrollHeight ?? 0)
  return { above: scrollY / innerHeight, below: Math.max(0, height - scrollY - innerHeight) / innerHeight }
}

function headingsOutOfView(): Outline['headings'] {
  const headings: Outline['headings'] = { above: [], below: [] }
  for (const each of document.querySelectorAll('h1,h2,h3,[role=heading]')) {
    const { top, bottom, height } = each.getBoundingClientRect()
    const list = bottom <= 0 ? headings.above : top >= innerHeight ? headings.below : undefined
    const name = list && list.length < maxHeadings && height > 0 ? textOf(each, 40) : ''
    if (name) list?.push(name)
  }
  return headings
}

export function readElement(ref: number): PageNode | undefined {
  const element = elementOf(ref)
  return element && controlNode(element, roleOf(element) || 'clickable')
}

const maxMarks = 150
const markId = 'gossamer-marks'

/** Draws a numbered box around each control in view, for a screenshot. The numbers are those of the refs. */
export function markControls(): void {
  unmarkControls()
  const host = document.createElement('div')
  host.id = markId
  host.style.cssText = 'all:initial;position:fixed;inset:0;pointer-events:none;z-index:2147483647'
  const layer = host.attachShadow({ mode: 'closed' })
  const marked = everyElement(document, '*', Infinity).filter((each) => isMarkable(each))
  for (const each of marked.slice(0, maxMarks)) layer.append(...markOf(each))
  document.documentElement.append(host)
}

export function unmarkControls(): void {
  document.querySelector(`#${markId}`)?.remove()
}

function isMarkable(element: Element): boolean {
  if (!isControl(shownRole(element, getComputedStyle(element)))) return false
  const { x, y, width, height } = element.getBoundingClientRect()
  const middle = { x: x + width / 2, y: y + height / 2 }
  return width > 0 && height > 0 && element.ownerDocument === document && isHitBy(element, elementAt(middle))
}

function markOf(element: Element): HTMLElement[] {
  const { x, y, width, height } = element.getBoundingClientRect()
  const [frame, label] = [document.createElement('div'), document.createElement('div')]
  frame.style.cssText = `position:fixed;left:${x}px;top:${y}px;width:${width}px;height:${height}px;outline:2px solid #d00`
  label.style.cssText = `position:fixed;left:${Math.max(0, x)}px;top:${Math.max(0, y - 12)}px;font:bold 11px/12px sans-serif;color:#fff;background:#d00;padding:0 2px`
  label.textContent = `e${refOf(element)}`
  return [frame, label]
}
