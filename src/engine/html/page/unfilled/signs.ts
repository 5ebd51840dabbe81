import type { UnfilledPart } from '../../../../contracts/page-content.ts'
import { classOf, type Element, elementsIn, oneLine } from '../../dom/dom.ts'
import { isLoadingMessage, namesList, namesLoader, namesPlaceholder } from './words.ts'

/** What an element with a few words says. */
export const messageSign = (element: Element): UnfilledPart | undefined =>
  isLoadingMessage(oneLine(element.textContent), element) ? 'loading message' : undefined

/** What an element that shows nothing is certainly for. */
export function clearSign(element: Element): UnfilledPart | undefined {
  const attributes = element.getAttributeNames()
  if (attributes.length === 0 && element.localName !== 'tbody') return undefined
  if (attributes.some((name) => repeats(element, name))) return 'template'
  if (element.getAttribute('aria-busy') === 'true') return 'loading message'
  if (fetchesItself(element, attributes)) return 'empty list'
  return element.localName === 'tbody' && hasHeadings(element) ? 'empty list' : undefined
}

const phrasing = new Set('span i p a br hr em strong b li td th tr col colgroup thead wbr progress'.split(' '))

/** What it is probably for, by its names. `writers` are the scripts of the page that write into it. */
export function likelySign(
  element: Element,
  names: string,
  writers: () => readonly string[],
): UnfilledPart | undefined {
  // A loader that covers the whole page is gone once it has loaded.
  if (namesLoader(names)) return element.parentNode?.localName === 'body' ? undefined : 'loading message'
  if (namesPlaceholder(names)) return element.parentNode?.localName === 'body' ? undefined : 'placeholders'
  if (phrasing.has(element.localName)) return undefined
  return isMadeForContent(element) || isWritten(element, writers) ? 'empty list' : undefined
}

const repeating = /^(?:v-for|ng-repeat|data-ng-repeat|x-for|\*ngfor)$/

/** Whether an attribute makes a framework repeat the element for each entry of a list. */
export const repeats = (element: Element, name: string): boolean =>
  repeating.test(name) || (name === 'data-bind' && /\bforeach\s*:/.test(element.getAttribute(name) ?? ''))

/** Loads its content as soon as the page is there. */
function fetchesItself(element: Element, attributes: readonly string[]): boolean {
  if (/^(?:turbo-frame|include-fragment)$/.test(element.localName)) return attributes.includes('src')
  if (attributes.includes('wire:init')) return true
  const trigger = element.getAttribute('hx-trigger') ?? element.getAttribute('data-hx-trigger') ?? ''
  return attributes.some((name) => /^(?:data-)?hx-get$/.test(name)) && /\b(?:load|revealed|intersect)\b/.test(trigger)
}

const hasHeadings = ({ parentNode }: Element) =>
  parentNode?.localName === 'table' && elementsIn(parentNode).some(({ localName }) => localName === 'th')

/** A table with headings and not a single cell. */
export function isBareTable(table: Element): boolean {
  const names = new Set(elementsIn(table).map(({ localName }) => localName))
  return names.has('thead') && !names.has('td')
}

const component = /^data-(?:react-class|react-component|vue-component|component|island|controller|(?:\w+-)?props)$/
const source =
  /^data-(?:[a-z-]+-)?(?:url|src|href|uri|endpoint|api|source|fetch|remote|ajax|feed|query|path|json|load|include|fragment|partial)(?:-value)?$/
const place = /^(?:https?:)?\/\/?[^/]|^\.{0,2}[\w-]+\/|\.json$/
const file = /\.(?:jpe?g|png|gif|webp|svg|avif|mp4|js|css)(?:[?#]|$)|\bima?ge?s?\b/i

const container = /^(?:div|section|article|ul|ol|dl|table|tbody)$/
const wholeContent = /^(?:content|output|data|main-content|page-content|app-content)$/

/** By its kind, by data in the midst of the page, or by a name that says list, data source or component. */
function isMadeForContent(element: Element): boolean {
  const data = dataOf(element)
  if (isContentElement(element)) return true
  if (data.length > 0 && container.test(element.localName) && element.parentNode?.localName !== 'body') return true
  const words = data.flatMap(([name, value]) => [name, ...(/^[\w-]{1,40}$/.test(value) ? [value] : [])])
  const names = [...classOf(element).split(/\s+/), element.getAttribute('id') ?? '', ...words]
  if (element.localName.includes('-')) names.push(element.localName)
  return names.some(namesList) || data.some(([name, value]) => component.test(name) || isSource(name, value))
}

function isContentElement(element: Element): boolean {
  const { localName } = element
  const id = element.getAttribute('id') ?? ''
  if (localName === 'main' || element.getAttribute('role') === 'main' || wholeContent.test(id)) return true
  if (localName === 'astro-island') return element.getAttribute('client') === 'only'
  return id !== '' && /^(?:ul|ol|dl|table|tbody)$/.test(localName)
}

const isSource = (name: string, value: string) => source.test(name) && place.test(value) && !file.test(value)

/** Such attributes are for tests, statistics, styles and effects. */
const noData =
  /^data-(?:v-|test|qa|cy|track|analytics|ga|gtm|aos|animat|scroll|bg|background|style|theme|color|sticky|tippy)/

/** Its `data-` attributes that may be about content. */
const dataOf = (element: Element) =>
  element
    .getAttributeNames()
    .filter((name) => name.startsWith('data-') && !noData.test(name))
    .map((name) => [name, element.getAttribute(name) ?? ''] as const)

/** A script of the page names it, or what follows asks for scripts in its place. */
function isWritten(element: Element, writers: () => readonly string[]): boolean {
  const next = element.nextElementSibling
  if (next?.localName === 'noscript' && /java ?script/i.test(next.textContent)) return true
  const id = element.getAttribute('id') ?? ''
  if (id.length < 2) return false
  return writers().some((code) => [`'${id}'`, `"${id}"`, `\`${id}\``, `#${id}`].some((name) => code.includes(name)))
}
