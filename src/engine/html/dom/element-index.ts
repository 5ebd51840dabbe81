import type { ParsedPage } from '../parse/parse.ts'
import { type Element, elementsIn } from './dom.ts'

/** The elements that several page parts need, by name, found in one walk before anything is removed. Results are in document order. */
export type ElementIndex = { named(...names: IndexedName[]): readonly Element[] }

const indexedNames = [
  'a',
  'area',
  'audio',
  'base',
  'img',
  'link',
  'meta',
  'noscript',
  'script',
  'source',
  'style',
  'time',
  'title',
  'video',
] as const
type IndexedName = (typeof indexedNames)[number]

export function indexElements(page: ParsedPage): ElementIndex {
  const lists = new Map<string, [Element, number][]>(indexedNames.map((name) => [name, []]))
  const all = [...elementsIn(page.head), ...elementsIn(page.body)]
  all.forEach((element, order) => lists.get(element.localName)?.push([element, order]))
  return { named }

  function named(...names: IndexedName[]): readonly Element[] {
    const found = names.flatMap((name) => lists.get(name) ?? [])
    if (names.length > 1) found.sort((one, other) => one[1] - other[1])
    return found.map(([element]) => element)
  }
}

/** All elements of the chosen content by name, in document order, found in one walk; the steps of the normaliser share it. */
export type ContentIndex = {
  root: Element
  /** Base URL of relative addresses. */
  base: string
  named(...names: string[]): Element[]
  /** Elements with a class attribute. */
  classed(): Element[]
}

export function indexContent(root: Element, base: string): ContentIndex {
  const elements = elementsIn(root)
  let classed: Element[] | undefined
  const byName = new Map<string, Element[]>()
  for (const element of elements) {
    const list = byName.get(element.localName)
    if (list) list.push(element)
    else byName.set(element.localName, [element])
  }
  return {
    root,
    base,
    classed: () => (classed ??= elements.filter((element) => element.hasAttribute('class'))),
    named: (...names) => names.flatMap((name) => byName.get(name) ?? []),
  }
}
