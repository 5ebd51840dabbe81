import type { Outline } from '../snapshot/look.ts'
import type { Item, PageNode, PageTools, Quota } from '../snapshot/tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: where a text stands, each place with the heading above it. Whole phrases first, then all words in any order. */
export function find(tools: PageTools, text: string, most: number): Outline {
  const { blocks, mark } = tools.placesOf(tools.clean(text).toLowerCase())
  const whole = { top: -1e9, left: -1e9, bottom: 1e9, right: 1e9 }
  const quota = (): Quota => ({ inView: 200, above: 0, below: 0, beside: 0, left: 400 })
  const titles = Array.from(document.querySelectorAll('h1,h2,h3,h4,[role=heading]'))
  const shown = blocks.filter((each) => tools.isShown(each))
  tools.sought = mark
  const nodes = shown.slice(0, most).map(tell)
  tools.sought = ''
  return {
    documentId: tools.documentId,
    url: location.href,
    title: tools.clean(document.title).slice(0, 120),
    nodes,
    modal: false,
    screens: { above: 0, below: 0 },
    headings: { above: [], below: [] },
    controls: 0,
    isCut: false,
    found: shown.length,
  }

  function tell(element: Element): PageNode {
    const items: Item[] = []
    const isRow = element.matches('tr,[role=row]') && element.closest('table,[role=grid],[role=table]') !== null
    if (isRow) items.push({ role: 'row', cells: tools.cellsOf(element).map(cellOf) })
    else for (const each of [element, ...tools.under(element)]) tools.walk(each, items, whole, quota())
    const children = tools.grouped(items).slice(0, 6)
    return { role: 'place', name: titleOf(element), children, note: distance(element) }
  }

  function cellOf(cell: Element): PageNode[] {
    const items: Item[] = []
    tools.walkChildren(cell, items, whole, quota(), 'shown')
    return tools.grouped(items)
  }

  /** The last heading before it. */
  function titleOf(element: Element): string {
    const isBefore = (title: Element) => title.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
    let [low, high] = [0, titles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(titles[middle] as Element)) low = middle + 1
      else high = middle
    }
    const title = titles[low - 1]
    return title ? tools.textOf(title, 60) : ''
  }

  function distance(element: Element): string {
    const { top, bottom } = element.getBoundingClientRect()
    if (top >= innerHeight) return `${(top / innerHeight).toFixed(1)} screens below`
    return bottom > 0 ? '' : `${(-bottom / innerHeight).toFixed(1)} screens above`
  }
}
