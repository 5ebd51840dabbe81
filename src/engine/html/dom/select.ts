import { compile } from 'css-select'
import { type DomNode, type Element, elementsIn, isElement } from './dom.ts'
import nthCheck from 'nth-check'

/** How many siblings stand before and after an element: all, and those of its name. */
type Place = { before: number; after: number; alikeBefore: number; alikeAfter: number }

type Pseudos = Record<string, (element: Element, rule?: string | null) => boolean>

/**
 * The pseudo-classes that ask for the place of an element among its siblings. Each list of siblings is counted once;
 * css-select counts it anew for each element, which takes the square of its length. For one look through an unchanging tree.
 */
function placePseudos(): Pseudos {
  const places = new WeakMap<Element, Place>()
  const placeOf = (element: Element): Place => {
    if (!places.has(element)) countSiblings(element, places)
    return places.get(element) ?? { before: 0, after: 0, alikeBefore: 0, alikeAfter: 0 }
  }
  const checks = new Map<string, (index: number) => boolean>()
  const isNth = (rule: string | null | undefined, index: number): boolean => {
    const text = rule ?? ''
    const check = checks.get(text) ?? nthCheck(text)
    checks.set(text, check)
    return check(index)
  }
  return {
    'nth-child': (element, rule) => isNth(rule, placeOf(element).before),
    'nth-last-child': (element, rule) => isNth(rule, placeOf(element).after),
    'nth-of-type': (element, rule) => isNth(rule, placeOf(element).alikeBefore),
    'nth-last-of-type': (element, rule) => isNth(rule, placeOf(element).alikeAfter),
    'first-child': (element) => placeOf(element).before === 0,
    'last-child': (element) => placeOf(element).after === 0,
    'first-of-type': (element) => placeOf(element).alikeBefore === 0,
    'last-of-type': (element) => placeOf(element).alikeAfter === 0,
    'only-of-type': (element) => placeOf(element).alikeBefore + placeOf(element).alikeAfter === 0,
  }
}

function countSiblings({ parentNode }: Element, places: WeakMap<Element, Place>): void {
  const siblings = parentNode?.childNodes.filter(isElement) ?? []
  const totals = new Map<string, number>()
  for (const [before, sibling] of siblings.entries()) {
    const alikeBefore = totals.get(sibling.localName) ?? 0
    totals.set(sibling.localName, alikeBefore + 1)
    places.set(sibling, { before, after: siblings.length - before - 1, alikeBefore, alikeAfter: 0 })
  }
  for (const sibling of siblings) {
    const place = places.get(sibling)
    if (place) place.alikeAfter = (totals.get(sibling.localName) ?? 0) - place.alikeBefore - 1
  }
}

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
