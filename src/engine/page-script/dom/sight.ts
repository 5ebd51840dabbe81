import { clipsBox, indentsAway, masksBox, type Style } from '../../../util/hidden-style.ts'
import {
  ariaOf,
  everyElement,
  type FieldProperties,
  isElement,
  isForeignFrame,
  isHtml,
  mapImage,
  parentOf,
  childrenOf,
} from './tree.ts'
import { isInkSeen } from './ink.ts'
import { boxesOf } from './hit-test.ts'

const hasSize = ({ width, height }: DOMRect) => width > 0 && height > 0

export function isShown(element: Element): boolean {
  const image = mapImage(element)
  if (image) return isShown(image)
  if (element.checkVisibility({ visibilityProperty: true })) return Array.from(element.getClientRects()).some(hasSize)
  const { display, visibility } = getComputedStyle(element)
  if (display !== 'contents') return false
  // An element without a box may have content with one.
  return Array.from(childrenOf(element)).some((child) =>
    isElement(child) ? isShown(child) : visibility === 'visible' && boxesOf(child).some(hasSize),
  )
}

/** Returns the last shown dialog that blocks the page behind it. */
export function topModal(): Element | undefined {
  return Array.from(document.querySelectorAll('dialog:modal,[aria-modal=true]'))
    .filter((each) => isShown(each))
    .at(-1)
}

/** Returns the shown frames of other origins that have at least this size. */
export function foreignFramesIn(root: ParentNode, least: { width: number; height: number }): Element[] {
  return everyElement(root, 'iframe,frame', Infinity).filter((each) => {
    const { width, height } = each.getBoundingClientRect()
    return isForeignFrame(each) && width >= least.width && height >= least.height && isShown(each)
  })
}

export function isDisabled(element: Element): boolean {
  const isOff = element.matches(':disabled') || ariaOf(element, 'disabled') === 'true'
  return isOff || element.closest('[aria-disabled=true],[inert]') !== null
}

/** A hand cursor usually indicates a click listener. */
export function hasHandCursor(element: Element | null): boolean {
  return element !== null && getComputedStyle(element).cursor === 'pointer'
}

/** True if the hand cursor starts at this element rather than at an ancestor. */
export function startsHandCursor(element: Element): boolean {
  const { parentElement } = element
  if (!parentElement || !hasHandCursor(element) || hasHandCursor(parentElement)) return false
  return !element.closest('a,button,label,summary')
}

/** `aside` is moved out of sight, `masked` has a box but shows nothing, `gone` has no box. */
export type Sight = 'seen' | 'aside' | 'masked' | 'gone'
type BoxSight = { sight: Sight; opacity: number }

const outside: BoxSight = { sight: 'seen', opacity: 1 }
const minOpacity = 0.05
/** Text scaled below this share of its size cannot be read. */
const minScale = 0.06
/** Distance in CSS pixels to the right beyond which no visitor scrolls. */
const farRight = 1000
/** Distance in CSS pixels within which carousels move their hidden slides. */
const farSlide = 5000

/** Cache for the current task, because the page may change afterwards. */
let boxes = new Map<Element, BoxSight>()

const computed = (style: CSSStyleDeclaration): Style => ({ get: (name) => style.getPropertyValue(name) })

/** Returns the visibility that an element and its ancestors allow for its content. */
export const boxSight = (element: Element): Sight => sightOf(mapImage(element) ?? element).sight

function sightOf(element: Element): BoxSight {
  if (boxes.size === 0) queueMicrotask(() => (boxes = new Map()))
  const chain: Element[] = []
  let at: Node | null = element
  for (; at && !(isElement(at) && boxes.has(at)); at = parentOf(at)) if (isElement(at)) chain.push(at)
  let sight = (at && isElement(at) && boxes.get(at)) || outside
  for (const each of chain.toReversed()) boxes.set(each, (sight = boxWithin(each, sight)))
  return sight
}

function boxWithin(element: Element, around: BoxSight): BoxSight {
  if (around.sight === 'gone') return around
  const style = getComputedStyle(element)
  if (style.display === 'none' || element.matches('details:not([open]) > :not(summary:first-of-type)'))
    return { sight: 'gone', opacity: 0 }
  if (around.sight !== 'seen' || style.display === 'contents') return around
  const opacity = around.opacity * Number.parseFloat(style.opacity)
  const values = computed(style)
  if (opacity < minOpacity || masksBox(values) || isShrunk(element)) return { sight: 'masked', opacity }
  return { sight: clipsBox(values) || isCut(element, style) ? 'aside' : 'seen', opacity }
}

function isShrunk(element: Element): boolean {
  const { offsetWidth = 0, offsetHeight = 0 }: Partial<HTMLElement> = element
  if (offsetWidth === 0 || offsetHeight === 0) return false
  const { width, height } = element.getBoundingClientRect()
  return width < offsetWidth * minScale && height < offsetHeight * minScale
}

/** True if an element is clipped to a pixel or less. Ignores the root elements, which clip to the window. */
function isCut(element: Element, { overflow, display }: CSSStyleDeclaration): boolean {
  const { offsetWidth = NaN, offsetHeight = NaN }: FieldProperties = element
  const isTiny = offsetWidth <= 1 || offsetHeight <= 1
  return isTiny && overflow !== 'visible' && display !== 'inline' && !isHtml(element, 'html', 'body')
}

export function placeSight(element: Element): Sight {
  const sight = boxSight(element)
  if (sight !== 'seen') return sight
  const style = getComputedStyle(element)
  if (style.visibility !== 'visible') return 'masked'
  return isOffPage(element, style) ? 'aside' : 'seen'
}

/** True if the element is beyond the edges to which the page can be scrolled. */
function isOffPage(element: Element, { position, direction }: CSSStyleDeclaration): boolean {
  const { left, right, bottom, width, height } = element.getBoundingClientRect()
  if (width === 0 && height === 0) return false
  const { scrollX, scrollY, innerWidth } = element.ownerDocument.defaultView ?? window
  const [x, y] = position === 'fixed' ? [0, 0] : [scrollX, scrollY]
  const isPlaced = position !== 'static'
  const isLeft = right + x <= 0 && direction !== 'rtl'
  const isOff = isLeft || bottom + y <= 0 || (isPlaced && left + x >= innerWidth + farRight)
  return isOff && !isBesideBox(element)
}

/** True if the element is moved within a box that shows one part at a time, such as a carousel or a scrollable list. */
function isBesideBox(element: Element): boolean {
  let isMoved = false
  for (let at: Node | null = element; at && !isHtml(at, 'html', 'body'); at = parentOf(at)) {
    if (!isElement(at)) continue
    const { overflow, transform, translate } = getComputedStyle(at)
    if (at !== element && overflow !== 'visible') {
      const { left, top } = at.getBoundingClientRect()
      const { right, bottom } = element.getBoundingClientRect()
      const isNear = right > left - farSlide && bottom > top - farSlide
      return isNear && (isMoved || at.scrollLeft !== 0 || at.scrollTop !== 0)
    }
    isMoved ||= transform !== 'none' || translate !== 'none'
  }
  return false
}

export function textSight(element: Element): Sight {
  // The summary, which is painted, is a separate element.
  if (element.matches('details:not([open])')) return 'gone'
  const place = placeSight(element)
  const style = getComputedStyle(element)
  const sight = place === 'seen' && indentsAway(computed(style)) ? 'aside' : place
  if (sight === 'aside') return isSpokenTwin(element) ? 'seen' : sight
  return sight === 'seen' && !isInkSeen(element, style) ? 'masked' : sight
}

const digitsOf = (text: string | null) => (text ?? '').replace(/\D/g, '')
const maxTwin = 40

/** A price is often drawn in parts hidden from screen readers, next to the same price as one text for them. */
function isSpokenTwin(element: Element): boolean {
  const { textContent, parentElement } = element
  const digits = digitsOf(textContent)
  if (digits === '' || (textContent?.length ?? 0) > maxTwin) return false
  return Array.from(parentElement?.children ?? []).some(
    (other) =>
      other.getAttribute('aria-hidden') === 'true' &&
      digitsOf(other.textContent) === digits &&
      placeSight(other) === 'seen',
  )
}
