/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { PageTools } from './snapshot-tools.ts'

/** Runs in the page: where a text stands. */
export function addSearch(tools: PageTools): void {
  const mute = /^(?:script|style|noscript|option)$/
  const speaking = /^(?:input|select|textarea|img|button|a)$/
  const most = 500
  tools.placesOf = (sought) => {
    const words = sought.split(' ').toSorted((a, b) => b.length - a.length)
    const [longest = ''] = words
    const whole = blocksWith(sought, [sought])
    if (whole.length > 0) return { blocks: whole, mark: sought }
    // It may be spread over several elements, or its words over a block.
    const phrase = blocksWith(longest, [sought])
    return phrase.length > 0 ? { blocks: phrase, mark: longest } : { blocks: blocksWith(longest, words), mark: longest }
  }

  function blocksWith(word: string, all: readonly string[]): Element[] {
    const blocks = new Set<Element>()
    const found: Element[] = []
    if (word === '') return found
    collect(document, word, (element) => {
      const block = found.length < most ? tools.blockOf(element) : element
      if (found.length >= most || blocks.has(block)) return
      blocks.add(block)
      if (all.every((each) => tools.saysOf(block).includes(each))) found.push(block)
    })
    return found
  }

  function collect(root: Document | ShadowRoot, word: string, seen: (element: Element) => void): void {
    const walker = (root.ownerDocument ?? (root as Document)).createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { nodeValue, parentElement } = walker.currentNode
      if (!nodeValue?.toLowerCase().includes(word) || !parentElement) continue
      if (!mute.test(parentElement.localName)) seen(parentElement)
    }
    for (const each of root.querySelectorAll('*')) {
      if (each.shadowRoot) collect(each.shadowRoot, word, seen)
      const inner = /^i?frame$/.test(each.localName) && (each as HTMLIFrameElement).contentDocument
      if (inner) collect(inner, word, seen)
      else if (speaking.test(each.localName) && tools.attributesOf(each).includes(word)) seen(each)
    }
  }
}
