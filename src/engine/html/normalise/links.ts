import { type Element, classOf, closest, elementsIn, moveChildren, unwrap } from '../dom.ts'
import { absoluteUrl } from '../survey.ts'
import type { ContentView } from './view.ts'

const inertScheme = /^\s*(?:javascript|data|vbscript|blob):/i
const editLink = /(?:^|\s)mw-editsection(?:\s|$)/
const anchorClass = /(?:^|\s)(?:anchor|headerlink|hash-link|header-anchor|heading-anchor|permalink)(?:\s|$)/
const anchorText = /^[#¶§\u{200B}\s🔗]*$/u
const heading = /^h[1-6]$/
const block = /^(?:h[1-6]|p|div|ul|ol|table|section|article|figure|pre)$/

/** Makes links absolute, drops the little anchors beside headings, and unwraps links that lead nowhere. */
export function absolutiseLinks(view: ContentView): void {
  for (const link of view.named('a')) {
    const href = link.getAttribute('href')?.trim()
    // The URL parser drops white space inside, so the scheme is judged when it is done.
    const address = href && (absoluteUrl(href, view.base) ?? href)
    if (!address || inertScheme.test(address)) unwrap(link)
    else if (isHeadingAnchor(link, href)) link.remove()
    else link.setAttribute('href', address)
  }
  for (const box of view.named('span')) if (editLink.test(classOf(box))) box.remove()
}

/** A link around a whole card becomes a link on its heading, or on its first line. */
export function narrowBlockLinks(view: ContentView): void {
  for (const link of view.named('a')) {
    if (link.textContent.trim() === '') nameLink(link)
    if (!link.firstElementChild || !view.root.contains(link)) continue
    const inner = elementsIn(link)
    const target = inner.find((element) => heading.test(element.localName)) ?? firstLine(inner)
    if (target) narrow(link, target)
    else if (inner.some((element) => block.test(element.localName))) unwrap(link)
  }
}

/** A link that shows only an icon has its name in an attribute. */
function nameLink(link: Element): void {
  if (elementsIn(link).some(({ localName }) => localName === 'img')) return
  const name = link.getAttribute('aria-label')?.trim() || link.getAttribute('title')?.trim()
  if (!name) return
  link.textContent = name
  link.removeAttribute('title')
}

function isHeadingAnchor(link: Element, href: string): boolean {
  if (anchorClass.test(classOf(link)) && link.textContent.trim().length < 3) return true
  if (!href.startsWith('#') || !anchorText.test(link.textContent)) return false
  if (elementsIn(link).some((inner) => inner.localName === 'img')) return false
  return closest(link, (up) => heading.test(up.localName), 6) !== undefined
}

function firstLine(inner: readonly Element[]): Element | undefined {
  return inner.find(
    (element) =>
      block.test(element.localName) &&
      element.textContent.trim() !== '' &&
      !elementsIn(element).some((deeper) => block.test(deeper.localName)),
  )
}

function narrow(link: Element, target: Element): void {
  const narrowed = link.ownerDocument.createElement('a')
  narrowed.setAttribute('href', link.getAttribute('href') ?? '')
  moveChildren(target, narrowed)
  target.append(narrowed)
  const box = link.ownerDocument.createElement('div')
  moveChildren(link, box)
  link.replaceWith(box)
}
