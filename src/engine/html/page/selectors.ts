import { fail } from '../../../kernel/error.ts'
import { compile } from 'css-select'
import nthCheck from 'nth-check'
import { type DomNode, type Element, elementsIn, isElement, previousElement, visit } from '../dom/dom-tree.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import type { ParsedPage } from '../parse/parse-html.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'
import type { AttributeQuery, ContentOptions } from '../../../contracts/page-content.ts'

const addressAttributes = new Set(['href', 'src', 'action', 'poster', 'data-src', 'cite'])

/**
 * Returns the values of an attribute on every element that matches a selector; URLs are absolute. Throws BAD_REQUEST
 * for an invalid selector.
 */
export function attributesOf(
  page: ParsedPage,
  queries: readonly AttributeQuery[],
  base: string,
): (AttributeQuery & { values: string[] })[] {
  const { root } = page
  const all = queries.length > 0 ? [root, ...elementsIn(root)] : []
  return queries.map(({ selector, attribute }) => {
    const values = select(all, root, selector, 'attributes').flatMap((element) => {
      const value = element.getAttribute(attribute.toLowerCase())
      return value === null ? [] : sanitiseText(value)
    })
    const isAddress = addressAttributes.has(attribute.toLowerCase())
    return {
      selector,
      attribute,
      values: isAddress ? values.map((value) => absoluteUrl(value, base) ?? value) : values,
    }
  })
}

/** Option of the caller that contains the selector, for the error message. */
type SelectorOption = 'includeTags' | 'excludeTags' | 'attributes'

/**
 * Returns those of the elements that match a CSS selector, or `*word*`: a tag name or attribute that contains the word,
 * in any case.
 */
function select(elements: readonly Element[], root: Element, selector: string, place: SelectorOption): Element[] {
  const word = /^\*([^*]+)\*$/.exec(selector.trim())?.[1]
  if (word) return elements.filter(holdsWord(word.toLowerCase()))
  try {
    return matching(elements, selector, root)
  } catch (cause) {
    return fail('BAD_REQUEST', {
      message: `${place} holds a selector that is not valid CSS: ${selector}`,
      details: [{ path: [place], selector }],
      cause,
    })
  }
}

function holdsWord(word: string): (element: Element) => boolean {
  return (element) =>
    element.localName.includes(word) ||
    element
      .getAttributeNames()
      .some((name) => `${name}="${element.getAttribute(name) ?? ''}"`.toLowerCase().includes(word))
}

/**
 * Removes excluded elements, then everything but the included ones. Returns the outermost included elements in document
 * order, or none if the body itself is included. Throws BAD_REQUEST for an invalid selector.
 */
export function applyTags(body: Element, options: Pick<ContentOptions, 'includeTags' | 'excludeTags'>): Element[] {
  for (const selector of options.excludeTags)
    for (const element of select(elementsIn(body), body, selector, 'excludeTags')) element.remove()
  if (options.includeTags.length === 0) return []
  const top = body.parentNode ?? body
  const all = elementsIn(top)
  const wanted = new Set(options.includeTags.flatMap((selector) => select(all, top, selector, 'includeTags')))
  if (wanted.has(body)) return []
  const included = outermost(body, wanted)
  for (const child of body.childNodes) child.remove()
  for (const element of included) body.append(element)
  return included
}

function outermost(body: Element, wanted: ReadonlySet<Element>): Element[] {
  const result: Element[] = []
  visit(body, (element) => {
    if (!wanted.has(element)) return undefined
    result.push(element)
    return 'skip'
  })
  return result
}

/** Number of siblings before and after an element: all of them, and those of the same name. */
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
function cachedSiblings(): (node: DomNode) => DomNode[] {
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
function matching(elements: readonly Element[], selector: string, scope: Element): Element[] {
  const adapter = adapterWith(cachedSiblings())
  const context = selector.includes(':scope') ? { context: scope } : {}
  // Compiled once with css-select's own pseudo-classes, because they report invalid arguments immediately.
  compile<DomNode, Element>(selector, { adapter })
  const matches = compile<DomNode, Element>(selector, { adapter, pseudos: placePseudos(), ...context })
  return elements.filter(matches)
}
