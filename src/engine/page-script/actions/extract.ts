import { isHtml } from '../dom/kinds.ts'
import { elementOf } from '../dom/refs.ts'
import { roleOf } from '../dom/roles.ts'
import { valueOf } from '../dom/states.ts'
import { shownHtml, shownText } from '../dom/shown.ts'
import { relativeUrl, textOf } from '../dom/text.ts'
import { everyElement, shadowOf } from '../dom/tree.ts'
import { isShown } from '../dom/visibility.ts'
import { recordsOf, type Row } from '../snapshot/tables.ts'

const tableSelector = 'table,[role=table],[role=grid],[role=treegrid]'
const listSelector = 'ul,ol,dl,[role=list],[role=listbox],[role=feed],main,section,div'
const maxRows = 5000
const maxContent = 5_000_000

/** The rows of the longest table, or else the items of the largest list, in the element of a ref; 0 is the page. */
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

/** The largest group of siblings of one kind. */
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

/** An element as HTML and as text with its lines; 0 is the page. A field has no HTML to read, only its value. */
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
