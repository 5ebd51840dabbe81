import { compile } from 'css-select'
import { type DomNode, type Element, elementsIn, isElement } from './dom.ts'
import { placePseudos } from './places.ts'

type Test = (element: Element) => boolean

/** What css-select asks of a tree. `siblingsOf` may keep lists for the next question. */
const adapterWith = (siblingsOf: (node: DomNode) => DomNode[]) => ({
  isTag: isElement as (node: DomNode) => node is Element,
  getAttributeValue: (element: Element, name: string) => element.getAttribute(name) ?? undefined,
  getChildren: (node: DomNode): DomNode[] => (isElement(node) ? node.childNodes : []),
  getName: ({ localName }: Element) => localName,
  getParent: (node: DomNode) => node.parentNode,
  getSiblings: siblingsOf,
  prevElementSibling: previousElement,
  getText: ({ textContent }: DomNode) => textContent,
  hasAttrib: (element: Element, name: string) => element.hasAttribute(name),
  existsOne: (test: Test, nodes: DomNode[]) => selfAndInner(nodes).some(test),
  findAll: (test: Test, nodes: DomNode[]) => selfAndInner(nodes).filter(test),
  findOne: (test: Test, nodes: DomNode[]) => selfAndInner(nodes).find(test) ?? null,
  removeSubsets: (nodes: DomNode[]) =>
    nodes.filter((node) => !nodes.some((other) => other !== node && isElement(other) && other.contains(node))),
})

function previousElement(node: DomNode): Element | null {
  let at = node.previousSibling
  while (at && !isElement(at)) at = at.previousSibling
  return at
}

/** A list is made once for all siblings, as css-select asks for it with each of them. */
function keptSiblings(): (node: DomNode) => DomNode[] {
  const lists = new WeakMap<Element, DomNode[]>()
  return (node) => {
    const { parentNode } = node
    if (!parentNode) return [node]
    const list = lists.get(parentNode) ?? parentNode.childNodes
    lists.set(parentNode, list)
    return list
  }
}

const selfAndInner = (nodes: DomNode[]): Element[] =>
  nodes.flatMap((node) => (isElement(node) ? [node, ...elementsIn(node)] : []))

/** Those of the elements that match a CSS selector; `:scope` is `scope`. Throws when the selector is not valid. */
export function matching(elements: readonly Element[], selector: string, scope: Element): Element[] {
  const adapter = adapterWith(keptSiblings())
  const context = selector.includes(':scope') ? { context: scope } : {}
  // First with css-select's own pseudo-classes alone, which check their arguments where ours wait for an element.
  compile<DomNode, Element>(selector, { adapter })
  const matches = compile<DomNode, Element>(selector, { adapter, pseudos: placePseudos(), ...context })
  return elements.filter(matches)
}
