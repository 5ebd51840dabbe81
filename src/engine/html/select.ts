import { fail } from '../../core/error.ts'
import { type Document, type Element, elementsIn } from './dom.ts'

/** Where a selector was written, for the message when it is wrong. */
export type SelectorPlace = 'includeTags' | 'excludeTags' | 'attributes'

/** Elements under `root` that match a CSS selector, or `*word*`: a tag name or attribute that holds the word, in any case. */
export function select(root: Element | Document, selector: string, place: SelectorPlace): Element[] {
  const word = /^\*([^*]+)\*$/.exec(selector.trim())?.[1]
  if (word) return everyElement(root).filter(holdsWord(word.toLowerCase()))
  try {
    return [...root.querySelectorAll(selector)]
  } catch (cause) {
    return fail('BAD_REQUEST', {
      message: `${place} holds a selector that is not valid CSS: ${selector}`,
      details: [{ path: [place], selector }],
      cause,
    })
  }
}

function everyElement(root: Element | Document): Element[] {
  if (!('documentElement' in root)) return elementsIn(root)
  return root.documentElement ? [root.documentElement, ...elementsIn(root.documentElement)] : []
}

function holdsWord(word: string): (element: Element) => boolean {
  return (element) =>
    element.localName.includes(word) ||
    element
      .getAttributeNames()
      .some((name) => `${name}="${element.getAttribute(name) ?? ''}"`.toLowerCase().includes(word))
}
