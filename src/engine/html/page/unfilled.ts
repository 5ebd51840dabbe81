import type { UnfilledPart } from '../../../contracts/page-content.ts'
import { type Element, isElement, isText, oneLine, classOf, elementsIn, previousElement } from '../dom/dom-tree.ts'
import { plainWordsIn } from '../../../util/words.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import type { ParsedPage } from '../parse/parse-html.ts'
import { asksToWait, hasNoscriptPage, namesLoader, namesPlaceholder } from './needs-browser.ts'

/** Matches one of the words as a part of a name: `product-list`, `ProductList` and `list_2` all name a list. */
const naming = (words: string) => new RegExp(`(?<![a-z])(?:${words})(?![a-z])`, 'i')

/** `productList` becomes `product List`. */
const withoutHumps = (name: string) => name.replace(/([a-z])(?=[A-Z])/g, '$1 ')

/** Returns the classes and id of an element, and its tag name if it is a custom element. */
function namesOf(element: Element): string {
  const { localName } = element
  const names = `${classOf(element)} ${element.getAttribute('id') ?? ''}`
  return withoutHumps(localName.includes('-') ? `${names} ${localName}` : names).trim()
}

const besideName = naming(
  [
    'comments?|disqus|replies|reactions?|likes?|shar(?:e|ing|edaddy)|social|fb|facebook|twitter|tweets?|instagram|chat',
    'reviews?|rating\\w*|related|recommend\\w*|recos?|similar|also|might|recent(?:ly)?|viewed|trending|popular|suggest\\w*',
    'ads?|adsby\\w*|advert\\w*|werbung|gpt|dfp|sponsor\\w*|banners?|promos?|outbrain|taboola|newsletter|subscribe|paywall|\\w*captcha|cookies?|consent',
    'modal|popup|popover|lightbox|overlay|drawer|off-?canvas|toasts?|alerts?|messages?|notifications?|tooltips?|dropdown',
    'menu|sub-?menu|nav\\w*|header|footer|sidebar|toolbar|breadcrumbs?|paginat\\w*|pager|load-?more|infinite|filters?|facets?',
    'autocomplete|typeahead|player|map|weather|cart|basket|wish\\w*|shipping|warranty|pay(?:pal|ments?)|swatch\\w*|variants?',
    'sticky|spacer|divider|clear\\w*|badges?|splash|preload(?:er)?|scripts?|anchor|feedback|survey|sliders?|settings?|widget_\\w+|elfsight|smile',
  ].join('|'),
)
/**
 * True for elements outside the page's content or not shown yet: overlays, advertising, and widgets that most sites
 * load late.
 */
const namesSomethingBeside = (names: string) => besideName.test(names) || hiddenName.test(names)

/** Matches whole class names: `overflow-hidden` and `visually-hidden` hide nothing from a reader. */
const hiddenName = /(?:^|\s)(?:(?:is-|u-)?hidden|hide|invisible|d-none|display-none|htmx-indicator)(?:$|\s)/i

const listWords =
  'lists?|listings?|results?|hits|products?|items|feeds?|cards|posts|articles|events|jobs|offers|entries|rows|records|catalog(?:ue)?|stories|news|timeline|gallery|directory|inventory|leaderboard'
const listHead = new RegExp(
  `(?:${naming(listWords).source}|[-_ ](?:grid|table))(?:[-_ ](?:container|wrapper|box|area|holder|root|app|mount))?$`,
  'i',
)
const utilityName = /^(?:no|inline)[-_]|[:[]/i

/** True if the last word of a name denotes a list. */
const namesList = (name: string) => !utilityName.test(name) && listHead.test(withoutHumps(name))

const maxMessage = 60
const label = /^(?:h[1-6]|a|dt|strong|b|em)$/

/**
 * True if a text announces that content is still loading: a few words that end in an ellipsis. After a list, they
 * announce more of it.
 */
function isLoadingMessage(text: string, element: Element): boolean {
  if (!asksToWait(text) || label.test(element.localName) || plainWordsIn(text).length > maxWords) return false
  const before = previousElement(element)
  return !before || before.children.length < 2 || before.textContent.trim() === ''
}

const maxWords = 3

/** Returns 'loading message' for an element with such a text. */
const messageSign = (element: Element): UnfilledPart | undefined =>
  isLoadingMessage(oneLine(element.textContent), element) ? 'loading message' : undefined

/** Returns the part that is certainly missing in an empty element. */
function clearSign(element: Element): UnfilledPart | undefined {
  const attributes = element.getAttributeNames()
  if (attributes.length === 0 && element.localName !== 'tbody') return undefined
  if (attributes.some((name) => repeats(element, name))) return 'template'
  if (element.getAttribute('aria-busy') === 'true') return 'loading message'
  if (fetchesItself(element, attributes)) return 'empty list'
  return element.localName === 'tbody' && hasHeadings(element) ? 'empty list' : undefined
}

const phrasing = new Set('span i p a br hr em strong b li td th tr col colgroup thead wbr progress'.split(' '))

/**
 * Returns the part that is probably missing in an empty element, by its names. `writers` returns the scripts of the
 * page that write content.
 */
function likelySign(element: Element, names: string, writers: () => readonly string[]): UnfilledPart | undefined {
  // A loader that covers the whole page is removed once the page has loaded.
  if (namesLoader(names)) return element.parentNode?.localName === 'body' ? undefined : 'loading message'
  if (namesPlaceholder(names)) return element.parentNode?.localName === 'body' ? undefined : 'placeholders'
  if (phrasing.has(element.localName)) return undefined
  return isMadeForContent(element) || isWritten(element, writers) ? 'empty list' : undefined
}

const repeating = /^(?:v-for|ng-repeat|data-ng-repeat|x-for|\*ngfor)$/

/** True if an attribute makes a framework repeat the element for each entry of a list. */
const repeats = (element: Element, name: string): boolean =>
  repeating.test(name) || (name === 'data-bind' && /\bforeach\s*:/.test(element.getAttribute(name) ?? ''))

/** True if the element loads its content as soon as the page has loaded. */
function fetchesItself(element: Element, attributes: readonly string[]): boolean {
  if (/^(?:turbo-frame|include-fragment)$/.test(element.localName)) return attributes.includes('src')
  if (attributes.includes('wire:init')) return true
  const trigger = element.getAttribute('hx-trigger') ?? element.getAttribute('data-hx-trigger') ?? ''
  return attributes.some((name) => /^(?:data-)?hx-get$/.test(name)) && /\b(?:load|revealed|intersect)\b/.test(trigger)
}

const hasHeadings = ({ parentNode }: Element) =>
  parentNode?.localName === 'table' && elementsIn(parentNode).some(({ localName }) => localName === 'th')

/** True for a table with headings but without cells. */
function isBareTable(table: Element): boolean {
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

/** True by element type, by data attributes inside the page, or by a name of a list, data source or component. */
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

/** Attributes for tests, statistics, styles and effects. */
const noData =
  /^data-(?:v-|test|qa|cy|track|analytics|ga|gtm|aos|animat|scroll|bg|background|style|theme|color|sticky|tippy)/

/** Returns the `data-` attributes that may relate to content. */
const dataOf = (element: Element) =>
  element
    .getAttributeNames()
    .filter((name) => name.startsWith('data-') && !noData.test(name))
    .map((name) => [name, element.getAttribute(name) ?? ''] as const)

/** True if a script of the page names the element, or the noscript after it requests JavaScript. */
function isWritten(element: Element, writers: () => readonly string[]): boolean {
  const next = element.nextElementSibling
  if (next?.localName === 'noscript' && /java ?script/i.test(next.textContent)) return true
  const id = element.getAttribute('id') ?? ''
  if (id.length < 2) return false
  return writers().some((code) => [`'${id}'`, `"${id}"`, `\`${id}\``, `#${id}`].some((name) => code.includes(name)))
}

/** Amount of text (characters) from which on content that loads later does not matter. */
const enough = 4500
/** The same limit if it is only likely that content is missing. */
const enoughForDoubt = 2000
/** Minimum number of placeholders; one or two are decoration. */
const minPlaceholders = 3

/**
 * Returns the kinds of parts that are still empty although the page has text: a list showing "Loading…", placeholder
 * boxes, an empty container; or 'frames' if the page only shows other documents. Navigation, comments, advertising and
 * similar parts do not count. Stops early on a page with much text.
 */
export function unfilledParts(page: ParsedPage, elements: ElementIndex): UnfilledPart[] {
  if (isOnlyFrames(page, elements)) return ['frames']
  const scripts = elements.named('script').filter((script) => !isData(script))
  if (scripts.length === 0 || hasNoscriptPage(elements)) return []
  const { text, clear, likely, placeholders } = search(page.body, scripts)
  if (text >= enough) return []
  const signs = text < enoughForDoubt ? [...clear, ...likely] : clear
  const parts = signs.filter(({ element }) => isContent(element)).map(({ part }) => part)
  const isFull = placeholders.filter(isContent).length < minPlaceholders
  return [...new Set(isFull ? parts : [...parts, 'placeholders' as const])]
}

/** True if other documents are all that the page shows: it is a frameset, or one iframe. */
const isOnlyFrames = ({ body }: ParsedPage, elements: ElementIndex): boolean =>
  elements.named('frameset').length > 0 ||
  (elements.named('iframe').length === 1 &&
    elements.named('a', 'img', 'video').length === 0 &&
    search(body, []).text === 0)

const isData = (script: Element) => /json|template|html|x-/.test(script.getAttribute('type') ?? '')

type Sign = { part: UnfilledPart; element: Element }
type SearchResult = { text: number; clear: Sign[]; likely: Sign[]; placeholders: Element[] }
/** Visible extent of an element. `own` is its direct text. */
type Extent = { text: number; own: number; pictures: number }

const nothing: Extent = { text: 0, own: 0, pictures: 0 }
/** Elements that are never page content, or contain text about code. */
const passedOver = new Set(
  'header footer nav aside dialog noscript script style svg button select label textarea pre code head title'.split(
    ' ',
  ),
)
const pictures = new Set('img picture video audio iframe canvas input object embed math'.split(' '))

function search(body: Element, scripts: readonly Element[]): SearchResult {
  const result: SearchResult = { text: 0, clear: [], likely: [], placeholders: [] }
  let code: string[] | undefined
  const writers = () => (code ??= scripts.map(writing).filter((each) => each !== ''))
  extentOf(body)
  return result

  function extentOf(element: Element): Extent {
    const { localName } = element
    if (passedOver.has(localName) || isHidden(element)) return nothing
    if (pictures.has(localName)) return { ...nothing, pictures: 1 }
    if (localName === 'template') {
      if (element.getAttributeNames().some((name) => repeats(element, name))) note(result.likely, element, 'template')
      return nothing
    }
    const extent = { ...nothing }
    for (let at = element.firstChild; at && result.text < enough; at = at.nextSibling) {
      if (isText(at)) extent.own += oneLine(at.textContent).length
      const inner = isElement(at) ? extentOf(at) : nothing
      extent.text += inner.text
      extent.pictures += inner.pictures
    }
    extent.text += extent.own
    result.text += extent.own
    if (element !== body) look(element, extent)
    return extent
  }
  function look(element: Element, { text, own, pictures: shown }: Extent): void {
    if (element.localName === 'table' && text > 0 && isBareTable(element)) note(result.clear, element, 'empty list')
    if (shown > 0 || text > maxMessage) return
    if (own > 0) return note(result.clear, element, messageSign(element))
    if (text > 0) return
    const names = namesOf(element)
    if (names !== '' && namesPlaceholder(names)) result.placeholders.push(element)
    const clear = clearSign(element)
    if (clear || result.text >= enoughForDoubt) return note(result.clear, element, clear)
    note(result.likely, element, likelySign(element, names, writers))
  }
}

function note(signs: Sign[], element: Element, part: UnfilledPart | undefined): void {
  if (part) signs.push({ part, element })
}

const maxCode = 30_000
const writes =
  /\bfetch\(|XMLHttpRequest|\.(?:get|post|ajax|getJSON)\(|\baxios\b|innerHTML|insertAdjacentHTML|replaceChildren|append(?:Child)?\(/
const loadsScripts = /createElement\(\s*["'`](?:script|iframe)|googletag|adsbygoogle/

/** Returns the text of an inline script that fetches or writes content; otherwise ''. */
function writing(script: Element): string {
  const code = script.hasAttribute('src') ? '' : script.textContent
  return code.length <= maxCode && writes.test(code) && !loadsScripts.test(code) ? code : ''
}

const hiding = /display\s*:\s*none|visibility\s*:\s*hidden/i
const isHidden = (element: Element) =>
  element.hasAttribute('hidden') || hiding.test(element.getAttribute('style') ?? '')

const besideRole = /^(?:dialog|alertdialog|navigation|banner|contentinfo|complementary|search)$/

/** True for an element that is shown immediately and belongs to the page's subject. */
function isContent(element: Element): boolean {
  for (let at: Element | null = element; at && isElement(at) && at.localName !== 'body'; at = at.parentNode) {
    if (at.getAttribute('loading') === 'lazy' || besideRole.test(at.getAttribute('role') ?? '')) return false
    if (at.getAttributeNames().some((name) => name.startsWith('wire:loading'))) return false
    if (namesSomethingBeside(namesOf(at))) return false
  }
  return true
}
