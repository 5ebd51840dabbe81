import type { UnfilledPart } from '../../../../contracts/page-content.ts'
import { type Element, isElement, isText, oneLine } from '../../dom/dom.ts'
import type { ElementIndex } from '../../dom/element-index.ts'
import type { ParsedPage } from '../../parse/parse.ts'
import { hasNoscriptPage } from '../needs-browser.ts'
import { clearSign, isBareTable, likelySign, messageSign, repeats } from './signs.ts'
import { maxMessage, namesOf, namesPlaceholder, namesSomethingBeside } from './words.ts'

/** With this much text of its own, what a page loads later is beside the point. */
const enough = 4500
/** The same where it is only likely that something is missing. */
const enoughForDoubt = 2000
/** One or two are decoration. */
const leastPlaceholders = 3

/**
 * What a page with text of its own leaves to its scripts: a list that says "Loading…", placeholder boxes, an empty
 * container. Navigation, comments, advertising and the like do not count. Stops early on a page with much text.
 */
export function unfilledParts(page: ParsedPage, elements: ElementIndex): UnfilledPart[] {
  const scripts = elements.named('script').filter((script) => !isData(script))
  if (scripts.length === 0 || hasNoscriptPage(elements)) return []
  const { text, clear, likely, placeholders } = search(page.body, scripts)
  if (text >= enough) return []
  const signs = text < enoughForDoubt ? [...clear, ...likely] : clear
  const parts = signs.filter(({ element }) => isContent(element)).map(({ part }) => part)
  const isFull = placeholders.filter(isContent).length < leastPlaceholders
  return [...new Set(isFull ? parts : [...parts, 'placeholders' as const])]
}

const isData = (script: Element) => /json|template|html|x-/.test(script.getAttribute('type') ?? '')

type Sign = { part: UnfilledPart; element: Element }
type Found = { text: number; clear: Sign[]; likely: Sign[]; placeholders: Element[] }
/** What an element shows. `own` is the text that stands in it directly. */
type Extent = { text: number; own: number; pictures: number }

const nothing: Extent = { text: 0, own: 0, pictures: 0 }
/** Never the content of a page, or text about code. */
const passedOver = new Set(
  'header footer nav aside dialog noscript script style svg button select label textarea pre code head title'.split(
    ' ',
  ),
)
const pictures = new Set('img picture video audio iframe canvas input object embed math'.split(' '))

function search(body: Element, scripts: readonly Element[]): Found {
  const found: Found = { text: 0, clear: [], likely: [], placeholders: [] }
  let code: string[] | undefined
  const writers = () => (code ??= scripts.map(writing).filter((each) => each !== ''))
  extentOf(body)
  return found

  function extentOf(element: Element): Extent {
    const { localName } = element
    if (passedOver.has(localName) || isHidden(element)) return nothing
    if (pictures.has(localName)) return { ...nothing, pictures: 1 }
    if (localName === 'template') {
      if (element.getAttributeNames().some((name) => repeats(element, name))) note(found.likely, element, 'template')
      return nothing
    }
    const extent = { ...nothing }
    for (let at = element.firstChild; at && found.text < enough; at = at.nextSibling) {
      if (isText(at)) extent.own += oneLine(at.textContent).length
      const inner = isElement(at) ? extentOf(at) : nothing
      extent.text += inner.text
      extent.pictures += inner.pictures
    }
    extent.text += extent.own
    found.text += extent.own
    if (element !== body) look(element, extent)
    return extent
  }
  function look(element: Element, { text, own, pictures: shown }: Extent): void {
    if (element.localName === 'table' && text > 0 && isBareTable(element)) note(found.clear, element, 'empty list')
    if (shown > 0 || text > maxMessage) return
    if (own > 0) return note(found.clear, element, messageSign(element))
    if (text > 0) return
    const names = namesOf(element)
    if (names !== '' && namesPlaceholder(names)) found.placeholders.push(element)
    const clear = clearSign(element)
    if (clear || found.text >= enoughForDoubt) return note(found.clear, element, clear)
    note(found.likely, element, likelySign(element, names, writers))
  }
}

function note(signs: Sign[], element: Element, part: UnfilledPart | undefined): void {
  if (part) signs.push({ part, element })
}

const maxCode = 30_000
const writes =
  /\bfetch\(|XMLHttpRequest|\.(?:get|post|ajax|getJSON)\(|\baxios\b|innerHTML|insertAdjacentHTML|replaceChildren|append(?:Child)?\(/
const loadsScripts = /createElement\(\s*["'`](?:script|iframe)|googletag|adsbygoogle/

/** The text of an inline script that fetches or writes content. */
function writing(script: Element): string {
  const code = script.hasAttribute('src') ? '' : script.textContent
  return code.length <= maxCode && writes.test(code) && !loadsScripts.test(code) ? code : ''
}

const hiding = /display\s*:\s*none|visibility\s*:\s*hidden/i
const isHidden = (element: Element) =>
  element.hasAttribute('hidden') || hiding.test(element.getAttribute('style') ?? '')

const besideRole = /^(?:dialog|alertdialog|navigation|banner|contentinfo|complementary|search)$/

/** Shown at once, and part of what the page is about. */
function isContent(element: Element): boolean {
  for (let at: Element | null = element; at && isElement(at) && at.localName !== 'body'; at = at.parentNode) {
    if (at.getAttribute('loading') === 'lazy' || besideRole.test(at.getAttribute('role') ?? '')) return false
    if (at.getAttributeNames().some((name) => name.startsWith('wire:loading'))) return false
    if (namesSomethingBeside(namesOf(at))) return false
  }
  return true
}
