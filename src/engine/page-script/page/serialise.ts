import type { ClosedFrames } from './frames.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

type Serialised = { html: string; url: string; isCut: boolean }

/**
 * Runs in the page: the page as it stands, with what is in open shadow roots and in frames of the same site in its place.
 * It copies nothing unless there is something to put in, and copies into a document that is shown nowhere, where
 * nothing loads and no script of the page notices. Of a `frame` it takes the content alone, for a place in another page.
 * The nth of its closed frames is followed by a comment with the mark and n.
 */
export function serialise(maxChars: number, mark: string, place: 'page' | 'frame'): Serialised {
  const shelf = document.implementation.createHTMLDocument('')
  const root = document.documentElement
  const doctype = document.doctype ? `<!doctype ${document.doctype.name}>` : ''
  const { gossamerFrames: closed = [] } = globalThis as ClosedFrames
  const content = () => filled(shelf.createElement('div'), document.body?.childNodes ?? []).outerHTML
  const html = place === 'frame' ? content() : doctype + (root ? htmlOf(root) : '')
  return { html: html.slice(0, maxChars), url: location.href, isCut: html.length > maxChars }

  function htmlOf(element: Element): string {
    const isHost = (each: Element) => each.shadowRoot ?? bodyOf(each) ?? closed.includes(each)
    if (!Array.prototype.some.call(element.getElementsByTagName('*'), isHost)) return element.outerHTML
    // A tree too deep to walk is taken as it is.
    try {
      return (copyOf(element) as Element).outerHTML
    } catch {
      return element.outerHTML
    }
  }

  /** Nodes of a frame have classes of their own, so that kinds are told by type and name. */
  function copyOf(node: Node): Node {
    if (node.nodeType !== Node.ELEMENT_NODE) return shelf.importNode(node, true)
    const element = node as Element
    const body = bodyOf(element)
    if (body) return filled(shelf.createElement('div'), body.childNodes)
    if (element.localName === 'slot' && 'host' in element.getRootNode()) {
      const shown = (element as HTMLSlotElement).assignedNodes({ flatten: true })
      return filled(shelf.createDocumentFragment(), shown.length > 0 ? shown : element.childNodes)
    }
    const copy = shelf.importNode(element, element.localName === 'template')
    if (element.ownerDocument !== document || place === 'frame') complete(copy, element)
    return filled(copy, (element.shadowRoot ?? element).childNodes)
  }

  function filled<T extends Node>(box: T, nodes: Iterable<Node>): T {
    for (const node of nodes) {
      box.appendChild(copyOf(node))
      const at = closed.indexOf(node as Element)
      if (at >= 0) box.appendChild(shelf.createComment(`${mark}-${at}`))
    }
    return box
  }

  /** In place of a frame, an address is no longer read from where the frame was. */
  function complete(copy: Element, { baseURI }: Element): void {
    for (const name of ['href', 'src', 'poster', 'action']) {
      const value = copy.getAttribute(name)
      const url = value === null || value.startsWith('#') ? null : URL.parse(value, baseURI)
      if (url) copy.setAttribute(name, url.href)
    }
  }

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page is given the outer function alone
  function bodyOf(element: Element): HTMLElement | undefined {
    if (!/^i?frame$/.test(element.localName)) return undefined
    const { contentDocument } = element as HTMLIFrameElement
    return contentDocument?.body?.firstChild ? contentDocument.body : undefined
  }
}
