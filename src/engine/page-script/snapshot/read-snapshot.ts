import { documentId, elementOf, isHtml, everyElement, shadowOf } from '../dom/tree.ts'
import { roleOf } from '../dom/roles-and-names.ts'
import { clean, textOf, relativeUrl, shownHtml, shownText } from '../dom/element-text.ts'
import { isShown, topModal } from '../dom/sight.ts'
import { controlNode, groupLines, type Item, recordsOf, type Row } from './outline-nodes.ts'
import { type HiddenText, type Budget, walk } from './walk-tree.ts'
import type { Outline, PageNode } from './page-outline.ts'
import { everywhere } from './in-view.ts'
import { movesSinceLastLook } from './moves.ts'
import { valueOf } from '../dom/states.ts'

const tableSelector = 'table,[role=table],[role=grid],[role=treegrid]'
const listSelector = 'ul,ol,dl,[role=list],[role=listbox],[role=feed],main,section,div'
const maxRows = 5000
const maxContent = 5_000_000

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

export const documentFacts = (): Pick<Outline, 'documentId' | 'url' | 'title' | 'file'> => ({
  documentId,
  url: location.href,
  title: clean(document.title).slice(0, 120),
  ...(!/html/.test(document.contentType) && { file: document.contentType }),
})

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
    moved: root ? [] : movesSinceLastLook(),
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
