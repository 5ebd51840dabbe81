import type { PageTools, Row } from '../snapshot/tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: the rows of a table by the names of its columns, or the items of a list. 0 is the page. */
export function rowsIn(tools: PageTools, ref: number): Row[] {
  const scope = tools.elementOf(ref) ?? document.body
  const most = 5000
  const tables = [
    scope,
    ...tools.everyElement(scope.shadowRoot ?? scope, 'table,[role=table],[role=grid],[role=treegrid]', 20),
  ]
  const table = tables
    .filter((each) => each.matches('table,[role=table],[role=grid],[role=treegrid]'))
    .map((each) => tools.recordsOf(each, most))
    .toSorted((a, b) => b.length - a.length)[0]
  if (table && table.length > 0) return table
  return itemsOf().slice(0, most).map(itemOf)

  /** The largest family of like brothers. */
  function itemsOf(): Element[] {
    const lists = tools.everyElement(
      scope.shadowRoot ?? scope,
      'ul,ol,dl,[role=list],[role=listbox],[role=feed],main,section,div',
      5000,
    )
    const families = [scope, ...lists].map((list) => {
      const children = Array.from(list.children).filter((child) => tools.isShown(child))
      const kinds = Map.groupBy(children, (child) => `${child.localName} ${child.classList[0] ?? ''}`)
      return Array.from(kinds.values()).toSorted((a, b) => b.length - a.length)[0] ?? []
    })
    return families.toSorted((a, b) => weight(b) - weight(a))[0] ?? []
  }

  function weight(family: readonly Element[]): number {
    return family.length < 2 ? 0 : family.length * Math.min(200, (family[0]?.textContent ?? '').length)
  }

  function itemOf(item: Element): Row {
    const link = item.matches('a[href]')
      ? (item as HTMLAnchorElement)
      : item.querySelector<HTMLAnchorElement>('a[href]')
    return { text: textOf(item), ...(link && { link: tools.placeOf(link) }) }
  }

  function textOf(element: Element): string {
    return tools.textOf(element, 1000)
  }
}

/** Runs in the page: an element as HTML and as text, lines kept. 0 is the page. */
export function linkedText(tools: PageTools, ref: number): { html: string; text: string; url: string } {
  const scope = (tools.elementOf(ref) ?? document.body) as HTMLElement
  const most = 5_000_000
  return {
    html: scope.outerHTML.slice(0, most),
    text: (scope.innerText ?? scope.textContent ?? '').trim().slice(0, most),
    url: location.href,
  }
}
