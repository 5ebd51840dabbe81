import { elementsIn, type Element } from '../dom/dom.ts'

/** The elements of the chosen content by name, in document order, read once; each topic of the normaliser takes what it needs. */
export type ContentView = {
  root: Element
  /** Where relative addresses start. */
  base: string
  named(...names: string[]): Element[]
  /** Elements with a class attribute. */
  classed(): Element[]
}

export function viewOf(root: Element, base: string): ContentView {
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
    classed: () => (classed ??= elements.filter((element) => element.getAttributeNode('class'))),
    named: (...names) => names.flatMap((name) => byName.get(name) ?? []),
  }
}
