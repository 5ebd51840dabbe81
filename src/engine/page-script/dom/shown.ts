import { isElement } from './kinds.ts'
import { placeSight, textSight } from './sight.ts'
import { childrenOf } from './tree.ts'

const silent = /^(?:script|style|template|noscript)$/

/** Elements inside, and the element itself, whose own text or picture nobody sees, by their place in the document's order. */
function unseenIn(root: Element): number[] {
  const all = [root, ...root.querySelectorAll('*')]
  return all.flatMap((each, at) => (isUnseen(each) ? at : []))
}

const isUnseen = (element: Element) =>
  element.localName === 'img' ? placeSight(element) !== 'seen' : hasText(element) && textSight(element) !== 'seen'

const hasText = (element: Element) =>
  !silent.test(element.localName) &&
  Array.from(element.childNodes).some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())

/** The text of an element with its lines, as people see it. */
export function shownText(element: Element): string {
  const { innerText }: Partial<HTMLElement> = element
  if (unseenIn(element).length === 0) return (innerText ?? element.textContent ?? '').trim()
  const texts: string[] = []
  collect(element)
  return texts
    .join('')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

  function collect(node: Element): void {
    const { display, whiteSpaceCollapse } = getComputedStyle(node)
    if (silent.test(node.localName) || display === 'none') return
    const edge = node.localName === 'br' || !display.startsWith('inline') ? '\n' : ''
    const isPreserved = whiteSpaceCollapse.startsWith('preserve')
    texts.push(edge)
    for (const child of childrenOf(node)) {
      if (isElement(child)) collect(child)
      else if (child.nodeType === Node.TEXT_NODE && textSight(node) === 'seen') {
        const text = child.nodeValue ?? ''
        texts.push(isPreserved ? text : text.replace(/\s+/g, ' '))
      }
    }
    texts.push(edge)
  }
}

/** The HTML of an element without the texts and pictures that nobody sees. */
export function shownHtml(element: Element): string {
  const unseen = unseenIn(element)
  if (unseen.length === 0) return element.outerHTML
  // Nothing in a document without a window loads, and no script of the page notices it.
  const copy = document.implementation.createHTMLDocument('').importNode(element, true)
  const all = [copy, ...copy.querySelectorAll('*')]
  for (const at of unseen) {
    if (all[at]?.localName === 'img') all[at].remove()
    for (const node of Array.from(all[at]?.childNodes ?? [])) if (node.nodeType === Node.TEXT_NODE) node.remove()
  }
  return copy.outerHTML
}
