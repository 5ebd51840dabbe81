import { classOf, type DomNode, type Element, isElement, isText, nodeAfter, oneLine } from '../dom/dom-tree.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import type { ParsedPage } from '../parse/parse-html.ts'

/** Signs of an empty shell in a page before its scripts run. Text is counted in characters, up to `enough`. */
export type ShellSigns = {
  text: number
  /** Text in paragraphs of 80 characters and more. */
  prose: number
  /** Number of h1 elements. */
  titles: number
  images: number
  links: number
  /** Number of visible form fields. */
  fields: number
  scripts: number
  /** True if the root element that a framework fills exists and contains at most a loader. */
  emptyRoot: boolean
  /** Number of skeleton placeholders for content that loads later. */
  skeletons: number
  loader: boolean
  /** Place of a request for JavaScript: in visible text, or in noscript only. */
  demandsScripts: 'in words' | 'in noscript' | 'not'
  /** True if a meta tag or a script redirects the visitor; breaking out of a frame does not count. */
  redirects: boolean
  /** True for a bot challenge, which checks whether the visitor is a browser. */
  challenges: boolean
}

/** A page with this much text is not a shell; none of the shells among 350 measured pages had as much. */
const enough = 1500
/** An empty root may still have a header and a footer around it. */
const maxFrame = 600
const maxProse = 200

/** True if the HTML is a shell that a browser has to fill; false for a page that is merely short. */
export function needsBrowser(page: ParsedPage, elements: ElementIndex): boolean {
  return !showsEnough(page.body) && !hasNoscriptPage(elements) && isShell(shellSigns(page, elements))
}

/** Stops early, so an ordinary page is not walked to its end. */
function showsEnough(body: Element): boolean {
  let text = 0
  for (let at: DomNode | null = body.firstChild; at && text < enough;) {
    const entered: Element | undefined = isElement(at) && isRead(at) ? at : undefined
    if (isText(at)) text += oneLine(at.textContent).length
    at = entered?.firstChild ?? nodeAfter(at, body)
  }
  return text >= enough
}

/** True if the page has a full version for visitors without scripts, which is read instead. */
export function hasNoscriptPage(elements: ElementIndex): boolean {
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
  const { demandsScripts, redirects, text } = signs
  return (
    (text < 250 && (demandsScripts === 'in words' || (demandsScripts === 'in noscript' && !hasOwnContent(signs)))) ||
    (redirects && text < 120)
  )
}

/** A form, or some text under a title, is content; scripts only add to it. */
function hasOwnContent({ fields, titles, text }: ShellSigns): boolean {
  return fields > 0 || (titles > 0 && text >= 100)
}

/** A page with a title and some text has content; its empty root is for one part only. */
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
/** Parts of a page have such names too, but the root is a direct child of the body. */
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
    const entered: Element | undefined = isElement(at) && isRead(at) ? at : undefined
    if (isText(at)) {
      const words = oneLine(at.textContent)
      signs.text += words.length
      shown += ` ${words}`
    } else if (entered) countElement(entered, signs)
    at = entered?.firstChild ?? nodeAfter(at, page.body)
  }
  return { ...signs, ...textSigns(elements, shown.trim(), signs.text) }
}

function textSigns(elements: ElementIndex, shown: string, text: number): Omit<ShellSigns, keyof CountedSigns> {
  const scripts = elements.named('script')
  const title = oneLine(elements.named('title')[0]?.textContent ?? '')
  const isDemandedInNoscript = () => elements.named('noscript').some((element) => asksForScripts(element.textContent))
  const demandsScripts = asksForScripts(shown) ? 'in words' : isDemandedInNoscript() ? 'in noscript' : 'not'
  const code = text < 250 ? scripts.map((script) => script.textContent.slice(0, 5000)) : []
  const redirects = isRefresh(elements) || code.some((source) => source.length < 3000 && scriptRedirect.test(source))
  return {
    scripts: scripts.length,
    demandsScripts,
    redirects,
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

/** A redirect with a longer delay shows its page in the meantime. */
function isRefresh(elements: ElementIndex): boolean {
  return elements.named('meta').some((meta) => {
    const [, seconds] = /^\s*(\d+)(?:\.[\d.]*)?\s*[;,]\s*url\s*=/i.exec(meta.getAttribute('content') ?? '') ?? []
    return meta.getAttribute('http-equiv')?.toLowerCase() === 'refresh' && Number(seconds ?? 99) <= 5
  })
}
