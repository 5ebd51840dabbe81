import { type DomNode, type Element, classOf, isElement, nodeAfter } from '../dom.ts'
import type { Measures } from './measure.ts'
import { namesComments, namesConsent, namesFurniture } from './words.ts'

const furnitureRole =
  /^(?:navigation|banner|contentinfo|complementary|search|dialog|alertdialog|menu|menubar|toolbar|tablist|alert|status)$/
/** Elements whose class names say nothing about their being furniture. */
const trusted = /^(?:body|main|article|code|pre|table|tbody|tr|td|th|h[1-6]|html|p|blockquote)$/

export type Strictness = {
  /** Class and id words count as evidence, besides element names and roles. */
  byClass: boolean
  /** On a forum the comments are the content. */
  forum: boolean
}

/**
 * Chooses the parts of a page that are furniture: from the top down, each kind with the share of the page's text
 * up to which it is believed, and never what holds the main element or the title. Nothing is changed.
 */
export function findBoilerplate(body: Element, measures: Measures, strictness: Strictness): Element[] {
  const total = measures.of(body).text || 1
  const found: Element[] = []
  let main: Element | undefined
  for (let at: DomNode | null = body.firstChild; at;) {
    let goIn = isElement(at)
    if (isElement(at)) {
      if (main && !main.contains(at)) main = undefined
      const limit = believedShare(at, main !== undefined, strictness)
      if (limit > 0 && measures.of(at).text <= limit * total && !isPrecious(at, measures)) {
        found.push(at)
        goIn = false
      } else if (!main && isMain(at)) main = at
    }
    at = (goIn && (at as Element).firstChild) || nodeAfter(at, body)
  }
  return found
}

/** The largest share of the page that an element with these looks may take and still be furniture; 0 when nothing speaks for it. */
function believedShare(element: Element, inMain: boolean, strictness: Strictness): number {
  const byName = shareByName(element.localName, inMain)
  if (byName !== undefined) return byName
  const role = element.getAttribute('role')
  if (role && furnitureRole.test(role.toLowerCase())) return 0.35
  return trusted.test(element.localName) ? 0 : shareByClass(element, inMain, strictness)
}

function shareByName(name: string, inMain: boolean): number | undefined {
  if (name === 'header') return inMain ? 0 : 0.3
  if (name === 'nav') return 0.6
  return name === 'footer' || name === 'aside' || name === 'menu' ? 0.35 : undefined
}

function shareByClass(element: Element, inMain: boolean, { byClass, forum }: Strictness): number {
  const words = `${classOf(element)} ${element.getAttribute('id') ?? ''}`.toLowerCase().split(/\s+/)
  if (namesConsent(words)) return 0.8
  if (!byClass) return 0
  if (namesFurniture(words)) return inMain ? 0.12 : 0.25
  return !forum && namesComments(words) ? 0.6 : 0
}

function isMain(element: Element): boolean {
  const name = element.localName
  return name === 'main' || name === 'article' || element.getAttribute('role') === 'main'
}

function isPrecious(element: Element, measures: Measures): boolean {
  const { main, h1, text } = measures.of(element)
  if (main > 0) return true
  if (h1 === 0 || text <= 60 || element.localName === 'nav') return false
  return element.localName !== 'header' || text > 400
}
