import { classOf, type DomNode, type Element, isElement, isText, nodeAfter, oneLine } from '../dom/dom-tree.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import type { ParsedPage } from '../parse/parse-html.ts'

/**
 * A page with this much text (characters), or a third of it in paragraphs, is not a shell. An empty root may still have
 * a header and a footer around it.
 */
const maxText = 600
const maxProse = 200
/** Maximum text of a page that only asks the visitor to wait, or to allow scripts. */
const maxNotice = 250

/** True if the HTML is a shell that a browser has to fill; false for a page that is merely short. */
export function needsBrowser(page: ParsedPage, elements: ElementIndex): boolean {
  if (hasNoscriptPage(elements)) return false
  const signs = signsOf(page.body)
  signs.waits ||= asksToWait(oneLine(elements.named('title')[0]?.textContent ?? ''))
  const { text, prose, loader } = signs
  if (text >= maxText || prose >= maxProse) return false
  if (text < maxNotice && (asksForScripts(signs, elements) || (text < 120 && redirects(page, elements)))) return true
  return elements.named('script').length > 0 ? awaitsContent(signs) || isBlank(signs) : loader && isBlank(signs)
}

/** True if the page lacks its content. On a page with a title and some text, an empty root lacks only a part. */
function awaitsContent({ emptyRoot, skeletons, titles, text }: Signs): boolean {
  return skeletons >= 3 || (emptyRoot && (titles === 0 || text < 100))
}

/** True if the page has a full version for visitors without scripts, which is read instead. */
export function hasNoscriptPage(elements: ElementIndex): boolean {
  return elements.named('noscript').some((element) => oneLine(element.textContent).length >= maxText)
}

/** Signs of an empty shell in a page before its scripts run. Text is counted in characters, up to `maxText`. */
type Signs = {
  text: number
  /** Text in paragraphs of 80 characters and more. */
  prose: number
  titles: number
  images: number
  links: number
  /** Number of visible form fields. */
  fields: number
  /** Number of skeleton placeholders for content that loads later. */
  skeletons: number
  /** True if the root element that a framework fills exists and contains at most a loader. */
  emptyRoot: boolean
  loader: boolean
  /** True if a text ends in an ellipsis: it asks the visitor to wait. */
  waits: boolean
  /** True if the text names JavaScript. */
  names: boolean
}

const scriptLanguage = /java ?script/i

/**
 * True if the page asks for JavaScript. A noscript element does not count on a complete page: one with a form field, or
 * with a title and some text.
 */
function asksForScripts({ names, fields, titles, text }: Signs, elements: ElementIndex): boolean {
  if (elements.named('script').length === 0) return false
  const hasContent = fields > 0 || (titles > 0 && text >= 100)
  return names || (!hasContent && elements.named('noscript').some((each) => scriptLanguage.test(each.textContent)))
}

function isBlank({ text, images, links, loader, waits }: Signs): boolean {
  if (text >= (waits ? maxNotice : 40) || links > 0) return false
  return loader || waits ? images <= 1 : text + images === 0
}

const rootId =
  /^(?:root|app|application|__next|__nuxt|___gatsby|react-?root|app-?(?:root|mount|container|shell|wrapper)|main-app|q-app|vue-app|svelte|ember-app|mount|spa)$/i
const rootName = /^(?:app|my-app|ng-app|main-app)$|-(?:root|app|shell)$/
/** Parts of a page have such names too, but the root is a direct child of the body. */
const rootNameInBody = /^app-/
const skeletonName =
  /(?<![a-z])(?:skel(?:eton)?s?|shimmer|ghost|animate-pulse|placeholder-(?:glow|wave|row|item|card|line))(?![a-z])|(?:^|\s)(?:(?:content|text|card|row|item|list)-)?placeholder(?:$|\s)/i
const loaderName = /(?<![a-z])(?:(?:pre)?loaders?|loading|spinner|splash|throbber|lds)(?![a-z])/i
const scriptRedirect =
  /(?:^|[;{}\s])(?:(?:window\.|document\.|self\.)?location(?:\.href)?\s*=[^=]|top\.location(?:\.href)?\s*=(?!=|\s*(?:self|window|document|location)\b))|location\.(?:replace|assign)\(/
const unread = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head', 'select', 'textarea', 'object'])

/** True for names of placeholders for content that loads later, and of loading indicators. */
export const namesPlaceholder = (names: string) => skeletonName.test(names)
export const namesLoader = (names: string) => loaderName.test(names)
/** True for a line that asks the visitor to wait, which ends in an ellipsis in any language. */
export const asksToWait = (line: string) => /(?:\.{3}|…)$/.test(line)

function signsOf(body: Element): Signs {
  const counts = { text: 0, prose: 0, titles: 0, images: 0, links: 0, fields: 0, skeletons: 0 }
  const signs = { ...counts, emptyRoot: false, loader: false, waits: false, names: false }
  let shown = ''
  for (let at: DomNode | null = body.firstChild; at && signs.text < maxText;) {
    const entered: Element | undefined =
      isElement(at) && !unread.has(at.localName) && !at.hasAttribute('hidden') ? at : undefined
    if (isText(at)) {
      const words = oneLine(at.textContent)
      signs.text += words.length
      signs.waits ||= asksToWait(words)
      shown += ` ${words}`
    } else if (entered) countElement(entered, signs)
    at = entered?.firstChild ?? nodeAfter(at, body)
  }
  return { ...signs, names: scriptLanguage.test(shown) }
}

function countElement(element: Element, signs: Signs): void {
  const name = element.localName
  if (/^(?:img|video|canvas)$/.test(name)) signs.images++
  else if (name === 'a' && element.hasAttribute('href')) signs.links++
  else if (name === 'h1') signs.titles++
  else if (name === 'input' && element.getAttribute('type') !== 'hidden') signs.fields++
  else if (name === 'p') {
    const { length } = oneLine(element.textContent)
    if (length >= 80) signs.prose += length
  }
  noteNames(element, signs)
}

function noteNames(element: Element, signs: Signs): void {
  const words = classOf(element)
  const id = element.getAttribute('id') ?? ''
  if (namesPlaceholder(words)) signs.skeletons++
  if (namesLoader(`${words} ${id}`) || element.getAttribute('aria-busy') === 'true') signs.loader = true
  if ((rootId.test(id) || isRootName(element)) && isEmptyRoot(element)) signs.emptyRoot = true
}

function isRootName({ localName, parentNode }: Element): boolean {
  return rootName.test(localName) || (rootNameInBody.test(localName) && parentNode?.localName === 'body')
}

function isEmptyRoot(element: Element): boolean {
  const words = element.childNodes.filter((child) => !unread.has(child.localName))
  return oneLine(words.map((child) => child.textContent).join(' ')).length < 30
}

/**
 * True if the page redirects immediately. A meta tag with a long delay does not count, because the page is shown
 * meanwhile; nor does breaking out of a frame.
 */
function redirects({ body }: ParsedPage, elements: ElementIndex): boolean {
  const isRefresh = elements.named('meta').some((meta) => {
    const [, seconds] = /^\s*(\d+)(?:\.[\d.]*)?\s*(?:$|[;,\s])/.exec(meta.getAttribute('content') ?? '') ?? []
    return meta.getAttribute('http-equiv')?.toLowerCase() === 'refresh' && Number(seconds ?? 99) <= 5
  })
  const codes = [...elements.named('script').map((script) => script.textContent), body.getAttribute('onload') ?? '']
  return isRefresh || codes.some((code) => code.length < 3000 && scriptRedirect.test(code))
}
