import {
  classOf,
  closest,
  type Element,
  elementsIn,
  exceedsSize,
  maxLineNodes,
  oneLine,
  rename,
  unwrap,
} from '../dom/dom-tree.ts'
import { createAround, createElement } from '../dom/tree-node.ts'
import { showFormula } from '../normalise/math.ts'
import { parsePage } from '../parse/parse-html.ts'

/** Writes the content that only a browser or a script shows: a formula, a mail address, a label, media or a picture. */
export function showElement(element: Element): void {
  if (showFormula(element)) return
  showAddress(element)
  writeGraphic(element)
  const name = element.localName
  if (name === 'video' || name === 'audio') linkMedia(element)
  else if (name === 'frame') linkInstead(element, element.getAttribute('src'), 'name')
  else if (name === 'object' && element.getAttribute('type')?.startsWith('image/')) showPicture(element)
  else if (name === 'textarea' && element.hasAttribute('readonly')) rename(element, 'pre', element.pairs)
  // Elements in an object link to its file; text alone is an apology to old browsers.
  else if (name === 'object' && element.firstElementChild) unwrap(element)
}

/**
 * Cloudflare encodes mail addresses as hexadecimal numbers, of which the first is the key to the others; a script
 * decodes them.
 */
function showAddress(element: Element): void {
  const linked = /\/cdn-cgi\/l\/email-protection#([\da-f]+)$/i.exec(element.getAttribute('href') ?? '')?.[1]
  const shown = element.getAttribute('data-cfemail')
  if (!shown && !linked) return
  const [key = 0, ...rest] = Buffer.from(shown ?? linked ?? '', 'hex')
  const address = Buffer.from(rest.map((byte) => byte ^ key)).toString()
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) return
  if (shown) element.textContent = address
  if (element.localName === 'a') element.setAttribute('href', `mailto:${address}`)
}

/** Media without controls is decorative or needs a script to play. */
function linkMedia(media: Element): void {
  const source = media.children.find((child) => child.localName === 'source' && child.hasAttribute('src'))
  const address = media.getAttribute('src') ?? source?.getAttribute('src')
  if (!address?.startsWith('blob:') && media.hasAttribute('controls')) linkInstead(media, address, 'aria-label')
}

/** Replaces an element with a link in a line of its own; an element without an address stays. */
export function linkInstead(element: Element, address: string | null | undefined, label: 'aria-label' | 'name'): void {
  if (!address) return
  const link = createElement('a', ['href', address])
  link.textContent = oneLine(element.getAttribute('title') || element.getAttribute(label) || '') || address
  element.replaceWith(createAround('p', link))
}

function showPicture(object: Element): void {
  const alt = object.getAttribute('aria-label') ?? oneLine(object.textContent)
  object.replaceWith(createElement('img', ['src', object.getAttribute('data') ?? '', 'alt', alt]))
}

/** Maximum characters of all documents in frames; their tags do not count towards the limits of the page. */
const maxInFrames = 500_000

/** Replaces frames that contain their document (`srcdoc`) by the document. */
export function showFrames(frames: readonly Element[]): void {
  let left = maxInFrames
  for (const frame of frames) {
    const lazy = frame.getAttribute('data-src') ?? frame.getAttribute('data-lazy-src')
    if (lazy && !/^https?:/.test(frame.getAttribute('src') ?? '')) frame.setAttribute('src', lazy)
    const source = frame.getAttribute('srcdoc') ?? ''
    left -= source.length
    if (source === '' || left < 0) continue
    const { body } = parsePage(source)
    body.remove()
    frame.textContent = ''
    frame.removeAttribute('srcdoc')
    rename(frame, 'div', frame.pairs).append(rename(body, 'div', body.pairs))
  }
}

/** Elements that pages draw signs with, and table cells that may contain only a sign. */
const graphic = /^(?:svg|span|i|b|em|div|td|th)$/
const cell = /^(?:td|th|dd)$/

/** Writes the text alternative of a sign or drawing without words of its own, such as a tick or stars. */
function writeGraphic(element: Element): void {
  if (!graphic.test(element.localName)) return
  const sign = signOf(element)
  if (sign) element.replaceWith(sign)
  else if (element.getAttribute('aria-hidden') !== 'true') writeLabel(element)
}

function writeLabel(element: Element): void {
  const { localName } = element
  const isDrawing = localName === 'svg' || element.getAttribute('role') === 'img'
  const label = oneLine(labelOf(element, isDrawing))
  if (!/[\p{L}\p{N}]/u.test(label) || exceedsSize(element, maxLineNodes) || isInNamedControl(element)) return
  const text = localName === 'svg' ? '' : oneLine(element.textContent)
  const isBox = localName === 'div' || cell.test(localName)
  if (text !== '' ? isCount(element, text, label) : isDrawing || localName !== 'div')
    if (text !== '' || isBox) element.prepend(`${label} `)
    else element.replaceWith(` ${label} `)
}

/** Names of ticks and crosses in icon fonts, such as `fa-check` and `bi-x-circle`. */
const answer =
  /(?:^|[\s#])(?:[a-z]+-)?(?:icon-)?(?:circle-|square-)?(?:(check|checkmark|tick|yes|ok)|times|xmark|cross|close|remove|no|x)(?:-(?:circle|square|mark|thick|bold|lg|fill|solid|outline|alt|o|\d))*(?=\s|$)/i
const iconName = /icon|(?:^|\s)fa[a-z]?(?:\s|-)/i

/** Returns the sign of an icon that is alone in its table cell and has no description except its name. */
function signOf(element: Element): string | undefined {
  const isDrawing = element.localName === 'svg'
  if (cell.test(element.localName) || (element.firstChild && !isDrawing)) return undefined
  const parts = [element, ...element.children].flatMap((each) => [classOf(each), each.getAttribute('href')])
  const names = parts.filter(Boolean).join(' ')
  const isIcon = isDrawing || element.localName === 'i' || iconName.test(names)
  const [found, isTick] = (isIcon && answer.exec(names)) || []
  if (!found || labelOf(element, isDrawing) !== '' || !isAloneInCell(element)) return undefined
  return isTick ? '✓' : '✗'
}

function isAloneInCell(element: Element): boolean {
  const place = closest(element, ({ localName }) => cell.test(localName) || /^(?:a|button)$/.test(localName), 4)
  if (!place || !cell.test(place.localName) || exceedsSize(place, maxLineNodes)) return false
  return place.textContent.trim() === ''
}

/** True for a number next to a drawing that the label explains, such as votes next to stars. */
const isCount = (element: Element, text: string, label: string) =>
  /^[\d\s.,()]+$/.test(text) && !label.includes(text) && elementsIn(element).some(isDrawn)

const isButton = (element: Element) => element.localName === 'button' || element.getAttribute('role') === 'button'

/** True for a sign in a button, or in a link with words. */
function isInNamedControl(element: Element): boolean {
  const control = closest(element, (up) => up.localName === 'a' || isButton(up), 4)
  return control !== undefined && (isButton(control) || /\S/.test(control.textContent))
}

/** True for an element that shows something by its style alone. */
const isDrawn = (element: Element) => element.localName === 'svg' || !element.firstChild

/** Returns the label. Tooltips and titles count only in table cells; those of a drawing also with `aria-labelledby`. */
function labelOf(element: Element, isDrawing: boolean): string {
  const label = element.getAttribute('aria-label')
  const isNamed = isDrawing && element.hasAttribute('aria-labelledby')
  if (label !== null || (!isNamed && !closest(element, ({ localName }) => cell.test(localName), 4))) return label ?? ''
  const title = isDrawing ? elementsIn(element).find(({ localName }) => localName === 'title') : undefined
  return element.getAttribute('title') ?? title?.textContent ?? ''
}
