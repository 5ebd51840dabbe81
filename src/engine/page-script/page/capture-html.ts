import { foreignFramesIn } from '../dom/sight.ts'
import { isElement, isHtml, isShadowRoot, frameDocument, refOf, shadowOf } from '../dom/tree.ts'

/** `frames` are the refs of the cross-origin frames that the HTML has placeholders for. */
export type CapturedHtml = { html: string; url: string; isCut: boolean; frames: number[] }

const maxFrames = 10
/** Size in CSS pixels below which a frame contains nothing to read. */
const minSize = { width: 100, height: 50 }

let foreignFrames: Element[] = []

/**
 * Captures the current page, with the contents of shadow roots and same-origin frames inserted at their positions. If
 * there are any, copies the page into a document that is never displayed, where nothing loads and which scripts of the
 * page do not notice. For a `frame`, returns only the content of its body, to be inserted into another page. Replaces a
 * frameset by a body with its frames. With a mark, adds a comment with the mark and the ref after each visible
 * cross-origin frame.
 */
export function captureHtml(maxChars: number, mark: string | null, as: 'page' | 'frame'): CapturedHtml {
  foreignFrames = mark === null ? [] : foreignFramesIn(document, minSize).slice(0, maxFrames)
  const shelf = document.implementation.createHTMLDocument('')
  const root = document.documentElement
  const doctype = document.doctype ? `<!doctype ${document.doctype.name}>` : ''
  const content = () => fill(shelf.createElement('div'), document.body?.childNodes ?? []).outerHTML
  const html = as === 'frame' ? content() : doctype + (root ? htmlOf(root) : '')
  const isCut = html.length > maxChars
  return { html: html.slice(0, maxChars), url: location.href, isCut, frames: foreignFrames.map((each) => refOf(each)) }

  function htmlOf(element: Element): string {
    if (!Array.prototype.some.call(element.getElementsByTagName('*'), isHost)) return element.outerHTML
    // A tree too deep to walk is serialized unchanged.
    try {
      return fill(shelf.createElement('div'), [element]).innerHTML
    } catch {
      return element.outerHTML
    }
  }

  /** Nodes of a frame have their own classes, so they are identified by type and name. */
  function copyOf(node: Node): Node {
    if (!isElement(node)) return shelf.importNode(node, true)
    const body = frameBody(node)
    if (body) return fill(shelf.createElement('div'), body.childNodes)
    if (isHtml(node, 'slot') && isShadowRoot(node.getRootNode())) {
      const shown = node.assignedNodes({ flatten: true })
      return fill(shelf.createDocumentFragment(), shown.length > 0 ? shown : node.childNodes)
    }
    // A parser would drop everything but frames from a frameset, and show the text for browsers without frames.
    if (node.localName === 'noframes') return shelf.createDocumentFragment()
    if (node.localName === 'frameset')
      return fill(shelf.createElement(node === document.body ? 'body' : 'div'), node.childNodes)
    const copy = shelf.importNode(node, node.localName === 'template')
    if (node.ownerDocument !== document || as === 'frame') makeUrlsAbsolute(copy, node)
    return fill(copy, (shadowOf(node) ?? node).childNodes)
  }

  function fill<T extends Node>(box: T, nodes: Iterable<Node>): T {
    for (const node of nodes) {
      box.appendChild(copyOf(node))
      const frame = foreignFrames.find((each) => each === node)
      if (frame) box.appendChild(shelf.createComment(`${mark}-${refOf(frame)}`))
    }
    return box
  }
}

const isHost = (element: Element) => shadowOf(element) ?? frameBody(element) ?? foreignFrames.includes(element)

/** Outside its frame, a relative URL would be resolved against the page. */
function makeUrlsAbsolute(copy: Element, { baseURI }: Element): void {
  for (const name of ['href', 'src', 'poster', 'action']) {
    const value = copy.getAttribute(name)
    const url = value === null || value.startsWith('#') ? null : URL.parse(value, baseURI)
    if (url) copy.setAttribute(name, url.href)
  }
  const candidates = copy.getAttribute('srcset')
  if (candidates !== null)
    copy.setAttribute(
      'srcset',
      candidates.replace(/\S+/g, (part) =>
        part.replace(
          candidate,
          (_, start = '', url = '', comma = '') => `${start}${url && (URL.parse(url, baseURI)?.href ?? url)}${comma}`,
        ),
      ),
    )
}

/**
 * Matches a part of a srcset between white space: the descriptor of a candidate, or a URL, or both of two candidates.
 */
const candidate = /^(,*(?:[\d.]+[wxh](?:,|$))?)(.*?)(,?)$/

function frameBody(element: Element): HTMLElement | undefined {
  const body = frameDocument(element)?.body
  return body?.firstChild ? body : undefined
}
