import type { ParsedPage } from '../parse/parse-html.ts'
import { type Element, elementsIn, metaName } from './dom-tree.ts'

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
