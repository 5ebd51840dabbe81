import type { ParsedPage } from '../parse/parse-html.ts'
import { type Element, elementsIn, type DomNode, isElement, metaName, previousElement } from './dom-tree.ts'
import { compile } from 'css-select'
import nthCheck from 'nth-check'

/** Number of siblings before and after an element: of any name, and of its own name. */
type Place = { before: number; after: number; alikeBefore: number; alikeAfter: number }

type Pseudos = Record<string, (element: Element, rule?: string | null) => boolean>

/**
 * Pseudo-classes that depend on an element's position among its siblings. Each list of siblings is counted once;
 * css-select counts it again for each element, which takes quadratic time. Valid only while the tree does not change.
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

/** Tree adapter for css-select. `siblingsOf` may cache its lists. */
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

/** Caches one list for all siblings, because css-select requests it for each of them. */
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

/** Returns the elements that match a CSS selector; `:scope` is `scope`. Throws if the selector is invalid. */
export function matching(elements: readonly Element[], selector: string, scope: Element): Element[] {
  const adapter = adapterWith(keptSiblings())
  const context = selector.includes(':scope') ? { context: scope } : {}
  // Compiles first with only css-select's own pseudo-classes, which validate their arguments; ours do so only when
  // matching.
  compile<DomNode, Element>(selector, { adapter })
  const matches = compile<DomNode, Element>(selector, { adapter, pseudos: placePseudos(), ...context })
  return elements.filter(matches)
}

/**
 * Elements by name that several page parts need, collected in one walk before anything is removed. Lists are in
 * document order.
 */
export type ElementIndex = { named(...names: IndexedName[]): readonly Element[] }

const indexedNames = [
  'a',
  'area',
  'audio',
  'base',
  'frameset',
  'iframe',
  'img',
  'input',
  'link',
  'meta',
  'noscript',
  'script',
  'select',
  'source',
  'style',
  'textarea',
  'time',
  'title',
  'video',
] as const
type IndexedName = (typeof indexedNames)[number]

export function indexElements(page: ParsedPage): ElementIndex {
  const lists = new Map<string, Element[]>(indexedNames.map((name) => [name, []]))
  const all: Element[] = []
  for (const part of [page.head, page.body])
    for (const element of elementsIn(part)) {
      const list = lists.get(element.localName)
      if (!list) continue
      list.push(element)
      all.push(element)
    }
  return { named }

  function named(...names: IndexedName[]): readonly Element[] {
    const [first] = names
    if (names.length === 1) return lists.get(first!) ?? []
    return all.filter(({ localName }) => (names as string[]).includes(localName))
  }
}

/** Returns the contents of the meta elements whose lower-case name matches. */
export const metaContents = (elements: ElementIndex, name: RegExp): string[] =>
  elements
    .named('meta')
    .filter((meta) => name.test(metaName(meta)))
    .map((meta) => meta.getAttribute('content') ?? '')

/** Returns all that a page gives as its title, the title element first. */
export const titlesOf = (elements: ElementIndex): string[] => [
  ...elements.named('title').map(({ textContent }) => textContent),
  ...metaContents(elements, /^(?:og|twitter):title$/),
]

/**
 * All elements of the chosen content by name, in document order, collected in one walk that the normaliser's steps
 * share.
 */
export type ContentIndex = {
  root: Element
  /** Base URL for relative addresses. */
  base: string
  all: readonly Element[]
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
    all: elements,
    classed: () => (classed ??= elements.filter((element) => element.hasAttribute('class'))),
    named: (...names) => names.flatMap((name) => byName.get(name) ?? []),
  }
}
