import type { PageTools, Wish } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

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

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: how well an element fits a description: 3 and more when its name holds what was said. */
export function addRank(tools: PageTools): void {
  const takes =
    /^(?:textbox|searchbox|combobox|listbox|spinbutton|slider|date|color|editor|file|checkbox|radio|switch)$/

  tools.rank = (element, wish) => {
    const field = element.localName === 'label' ? (element as HTMLLabelElement).control : element
    if (!field || (field !== element && tools.isShown(field))) return []
    const own = tools.roleOf(field) || 'clickable'
    const { role, fields } = wish
    if (role && role !== own && !isKind(role, own)) return []
    if (fields === 'only' && !takes.test(own)) return []
    const score = scoreOf(wish, tools.nameOf(field, own).toLowerCase(), field)
    return score > 0 && (tools.isShown(element) || own === 'file') ? [{ element: field, score }] : []
  }

  function isKind(role: string, own: string): boolean {
    if (role === 'heading') return /^h\d/.test(own)
    if (role === 'field' || role === 'input' || role === 'textbox')
      return /^(?:textbox|searchbox|combobox|spinbutton|date|editor)$/.test(own)
    if (role === 'select' || role === 'dropdown') return /^(?:combobox|listbox)$/.test(own)
    return role === 'button' && (own === 'clickable' || own === 'disclosure')
  }

  function scoreOf({ role, name: wanted }: Wish, said: string, element: Element): number {
    if (wanted === '') return role ? 5 : 0
    if (said === wanted) return 6
    const { id, name: key, placeholder } = element as HTMLInputElement
    if ([id, key, placeholder].some((each) => typeof each === 'string' && each.toLowerCase() === wanted)) return 5
    if (said.startsWith(wanted)) return 4
    if (said.includes(wanted)) return 3
    const words = wanted.split(' ')
    return words.filter((word) => word.length > 1 && said.includes(word)).length / (words.length + 1)
  }
}
