import { classOf, type DomNode, type Element, isElement, isText, nodeAfter, oneLine } from '../dom/dom.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import type { ParsedPage } from '../parse/parse.ts'

/** What a page shows before its scripts run. Texts are counted in characters, and no further than `enough`. */
export type ShellSigns = {
  text: number
  /** Text in paragraphs of 80 characters and more. */
  prose: number
  /** Headings of the first rank. */
  titles: number
  images: number
  links: number
  /** Fields to fill in. */
  fields: number
  scripts: number
  /** The element that a framework fills is there, and empty but for a loader. */
  emptyRoot: boolean
  /** Boxes that stand for content to come. */
  skeletons: number
  loader: boolean
  /** The page asks for JavaScript: in its words, or only for readers without scripts. */
  demandsScripts: 'in words' | 'in noscript' | 'not'
  /** The page sends its visitor elsewhere, by a meta tag or a script; not where it only leaves the frame it is in. */
  redirects: boolean
  /** The page checks whether its visitor is a browser. */
  challenges: boolean
}

/** A page with so much text is not empty, whatever it is made with; the smallest shells of 350 measured pages had none. */
const enough = 1500
/** Around an empty root there may be a header and a footer. */
const maxFrame = 600
const maxProse = 200

/** True when the HTML is a shell that a browser has to fill; false for a page that is merely short. */
export function needsBrowser(page: ParsedPage, elements: ElementIndex): boolean {
  return !showsEnough(page.body) && !hasNoscriptPage(elements) && isShell(shellSigns(page, elements))
}

/** Found without a look at the rest of an ordinary page. */
function showsEnough(body: Element): boolean {
  let text = 0
  for (let at: DomNode | null = body.firstChild; at && text < enough;) {
    const goIn: boolean = isElement(at) && isRead(at)
    if (isText(at)) text += oneLine(at.textContent).length
    at = (goIn && (at as Element).firstChild) || nodeAfter(at, body)
  }
  return text >= enough
}

/** The page for readers without scripts is written there, and is read from there. */
function hasNoscriptPage(elements: ElementIndex): boolean {
  return elements.named('noscript').some((element) => oneLine(element.textContent).length >= maxFrame)
}

function isRead(element: Element): boolean {
  return !unread.has(element.localName) && !element.hasAttribute('hidden')
}

function isShell(signs: ShellSigns): boolean {
  if (signs.challenges && signs.text < enough) return true
  if (signs.text >= maxFrame || signs.prose >= maxProse) return false
  return asksForScriptsOrRedirects(signs) || (signs.scripts > 0 && awaitsContent(signs)) || isBlank(signs)
}

function asksForScriptsOrRedirects(signs: ShellSigns): boolean {
  const { demandsScripts: begs, redirects: forwards, text } = signs
  return (
    (text < 250 && (begs === 'in words' || (begs === 'in noscript' && !hasOwnContent(signs)))) ||
    (forwards && text < 120)
  )
}

/** A form, or some text under a title, is a page by itself, and scripts are asked for to do more with it. */
function hasOwnContent({ fields, titles, text }: ShellSigns): boolean {
  return fields > 0 || (titles > 0 && text >= 100)
}

/** A page with a title and some text has its own content, and an empty root is there for a part of it. */
function awaitsContent({ emptyRoot, skeletons, titles, text }: ShellSigns): boolean {
  return skeletons >= 3 || (emptyRoot && (titles === 0 || text < 100))
}

function isBlank({ text, images, links, loader, scripts }: ShellSigns): boolean {
  if (text >= 40 || links > 0) return false
  return loader ? images <= 1 : text + images === 0 && scripts > 0
}

const rootId =
  /^(?:root|app|application|__next|__nuxt|___gatsby|react-?root|app-?(?:root|mount|container|shell|wrapper)|main-app|q-app|vue-app|svelte|ember-app|mount|spa)$/i
const rootName = /^(?:app|my-app|ng-app|main-app)$|-(?:root|app|shell)$/
/** Parts of a page are named so as well: the root of all stands in the body itself. */
const rootNameInBody = /^app-/
const skeletonWord = /(?:^|[-_\s])(?:skel(?:eton)?|shimmer|placeholder-glow|ghost)(?:$|[-_\s])/i
const loaderWord = /(?:^|[-_\s])(?:pre)?(?:loader|loading|spinner|splash)(?:$|[-_\s])/i
const scriptDemand =
  /(?:enable|activate|turn on|allow|requires?|needs?|without|support)\b[^.]{0,40}\bjava ?script|java ?script\b[^.]{0,30}\b(?:disabled|required|enabled?|turned (?:on|off)|not (?:enabled|available|supported))/i
const challenge =
  /^(?:just a moment|attention required|checking your browser|verify(?:ing)? (?:that )?you are human|making sure you.re not a bot|ddos protection|please wait while we (?:check|verify)|security check|one moment, please)/i
const scriptRedirect =
  /(?:^|[;{}\s])(?:(?:window\.|document\.|self\.)?location(?:\.href)?\s*=[^=]|top\.location(?:\.href)?\s*=(?!=|\s*(?:self|window|document|location)\b))|location\.(?:replace|assign)\(/
const unread = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head', 'select', 'textarea', 'object'])

function shellSigns(page: ParsedPage, elements: ElementIndex): ShellSigns {
  const counts = { text: 0, prose: 0, titles: 0, images: 0, links: 0, fields: 0, skeletons: 0 }
  const signs = { ...counts, emptyRoot: false, loader: false }
  let shown = ''
  for (let at: DomNode | null = page.body.firstChild; at && signs.text < enough;) {
    const goIn: boolean = isElement(at) && isRead(at)
    if (isText(at)) {
      const words = oneLine(at.textContent)
      signs.text += words.length
      shown += ` ${words}`
    } else if (isElement(at) && goIn) countElement(at, signs)
    at = (goIn && (at as Element).firstChild) || nodeAfter(at, page.body)
  }
  return { ...signs, ...textSigns(elements, shown.trim(), signs.text) }
}

function textSigns(elements: ElementIndex, shown: string, text: number): Omit<ShellSigns, keyof CountedSigns> {
  const scripts = elements.named('script')
  const title = oneLine(elements.named('title')[0]?.textContent ?? '')
  const begsUnseen = () => elements.named('noscript').some((element) => asksForScripts(element.textContent))
  const begs = asksForScripts(shown) ? 'in words' : begsUnseen() ? 'in noscript' : 'not'
  const code = text < 250 ? scripts.map((script) => script.textContent.slice(0, 5000)) : []
  const forwards = isRefresh(elements) || code.some((source) => source.length < 3000 && scriptRedirect.test(source))
  return {
    scripts: scripts.length,
    demandsScripts: begs,
    redirects: forwards,
    challenges: challenge.test(title) || challenge.test(shown),
  }
}

type CountedSigns = Omit<ShellSigns, 'scripts' | 'demandsScripts' | 'redirects' | 'challenges'>

function countElement(element: Element, signs: CountedSigns): void {
  const name = element.localName
  if (/^(?:img|video|canvas)$/.test(name)) signs.images++
  else if (name === 'a' && element.hasAttribute('href')) signs.links++
  else if (name === 'h1') signs.titles++
  else if (name === 'input' && element.getAttribute('type') !== 'hidden') signs.fields++
  else if (name === 'p') {
    const { length } = oneLine(element.textContent)
    if (length >= 80) signs.prose += length
  }
  noteClasses(element, signs)
}

function noteClasses(element: Element, signs: CountedSigns): void {
  const words = classOf(element)
  const id = element.getAttribute('id') ?? ''
  if (skeletonWord.test(words)) signs.skeletons++
  if (loaderWord.test(`${words} ${id}`) || element.getAttribute('aria-busy') === 'true') signs.loader = true
  if ((rootId.test(id) || isRootName(element)) && isEmptyRoot(element)) signs.emptyRoot = true
}

function isRootName({ localName, parentNode }: Element): boolean {
  return rootName.test(localName) || (rootNameInBody.test(localName) && parentNode?.localName === 'body')
}

function isEmptyRoot(element: Element): boolean {
  const words = [...element.childNodes].filter((child) => !isElement(child) || !unread.has(child.localName))
  return oneLine(words.map((child) => child.textContent).join(' ')).length < 30
}

function asksForScripts(text: string): boolean {
  return scriptDemand.test(oneLine(text))
}

/** A forwarding that waits longer shows its page meanwhile. */
function isRefresh(elements: ElementIndex): boolean {
  return elements.named('meta').some((meta) => {
    const [, seconds] = /^\s*(\d+)[\d.]*\s*[;,]\s*url\s*=/i.exec(meta.getAttribute('content') ?? '') ?? []
    return meta.getAttribute('http-equiv')?.toLowerCase() === 'refresh' && Number(seconds ?? 99) <= 5
  })
}
