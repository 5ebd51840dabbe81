import { type Colour, colourOf, hidesBySize, isClear, lookAlike, showsGround } from '../../../util/hidden-style.ts'
import { everyElement, isElement, parentOf, shadowOf } from './tree.ts'

type Channels = [red: number, green: number, blue: number, alpha: number]

export function convertColors(texts: readonly string[]): (Channels | null)[] {
  const canvas = new OffscreenCanvas(1, 1)
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  return texts.map((text) => (pen && isColor(pen, text) ? painted(pen) : null))
}

/** A canvas context ignores an invalid colour and keeps the previous one. */
function isColor(brush: OffscreenCanvasRenderingContext2D, text: string): boolean {
  return ['#010203', '#030201'].every((before) => {
    brush.fillStyle = before
    brush.fillStyle = text
    return brush.fillStyle !== before
  })
}

function painted(brush: OffscreenCanvasRenderingContext2D): Channels {
  brush.clearRect(0, 0, 1, 1)
  brush.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data
  return [red, green, blue, alpha / 255]
}

/** Background of a text: a plain colour and the element that has it, or undefined if there may be pictures. */
type Ground = { colour: Colour; owner: Element | null } | undefined

const paper: Colour = [255, 255, 255, 1]
const maxPainters = 3000

/** Caches for the current task. */
let grounds = new Map<Element, Ground>()
let painters = new Map<Element | null, Element[]>()
const converted = new Map<string, Colour | undefined>()

/** True if the text of an element is large enough to read and its colour differs from the background. */
export function isInkSeen(element: Element, style: CSSStyleDeclaration): boolean {
  if (hidesBySize({ get: (name) => style.getPropertyValue(name) })) return false
  const colour = colourIn(style.getPropertyValue('-webkit-text-fill-color'))
  const ground = groundOf(element)
  if (!colour || !ground) return true
  if (!lookAlike(blend(colour, ground.colour), ground.colour)) return true
  const hasEdge =
    style.textShadow !== 'none' || Number.parseFloat(style.getPropertyValue('-webkit-text-stroke-width')) > 0
  return hasEdge || isPaintedBehind(element, colour, ground.owner)
}

function colourIn(text: string): Colour | undefined {
  const plain = colourOf(text)
  if (plain) return plain
  if (!converted.has(text)) converted.set(text, convertColors([text])[0] ?? undefined)
  return converted.get(text)
}

function blend([red, green, blue, alpha]: Colour, under: Colour): Colour {
  const mix = (over: number, at: 0 | 1 | 2) => over * alpha + under[at] * (1 - alpha)
  return [mix(red, 0), mix(green, 1), mix(blue, 2), 1]
}

/** Blends the background layers from an element outwards. */
function groundOf(element: Element): Ground {
  if (grounds.size === 0)
    queueMicrotask(() => {
      grounds = new Map()
      painters = new Map()
    })
  const chain: Element[] = []
  let at: Node | null = element
  for (; at && !(isElement(at) && grounds.has(at)); at = parentOf(at)) if (isElement(at)) chain.push(at)
  let ground: Ground = at && isElement(at) ? grounds.get(at) : { colour: paper, owner: null }
  for (const each of chain.toReversed()) grounds.set(each, (ground = groundWithin(each, ground)))
  return ground
}

function groundWithin(element: Element, around: Ground): Ground {
  const style = getComputedStyle(element)
  const isDark = element === element.ownerDocument.documentElement && style.colorScheme.includes('dark')
  if (isDark || style.backgroundImage !== 'none' || showsGround({ get: (name) => style.getPropertyValue(name) }))
    return undefined
  const own = colourIn(style.backgroundColor)
  if (!own || isClear(own)) return around
  const under = around?.colour ?? (own[3] > 0.99 ? paper : undefined)
  return under && { colour: blend(own, under), owner: element }
}

/** True if anything other than the ancestors' boxes is painted behind a text, such as a positioned picture. */
function isPaintedBehind(element: Element, colour: Colour, owner: Element | null): boolean {
  for (let at: Node | null = element; at; at = parentOf(at)) {
    if (isElement(at) && ['::before', '::after'].some((name) => paints(getComputedStyle(at as Element, name), colour)))
      return true
    if (at === owner) break
  }
  const text = element.ownerDocument.createRange()
  text.selectNodeContents(element)
  const { top, bottom, left, right } = text.getClientRects()[0] ?? element.getBoundingClientRect()
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return paintersIn(owner ?? element.ownerDocument.documentElement).some((other) => {
    if (other.contains(element) || element.contains(other)) return false
    const box = other.getBoundingClientRect()
    const isHit = box.left <= x && x <= box.right && box.top <= y && y <= box.bottom
    return isHit && (media.test(other.localName) || paints(getComputedStyle(other), colour))
  })
}

const media = /^(?:img|video|canvas|svg|picture|iframe|object|embed)$/

function paintersIn(scope: Element): Element[] {
  const known = painters.get(scope)
  if (known) return known
  const all = [scope, shadowOf(scope) ?? []].flat().flatMap((each) => everyElement(each, '*', maxPainters))
  const found = all.filter((each) => media.test(each.localName) || hasGround(getComputedStyle(each)))
  painters.set(scope, found)
  return found
}

const hasGround = ({ backgroundImage, backgroundColor }: CSSStyleDeclaration) =>
  backgroundImage !== 'none' || !isClear(colourIn(backgroundColor) ?? paper)

/** True if a box of this style paints something whose colour differs from its content. */
function paints(style: CSSStyleDeclaration, beside: Colour): boolean {
  const { content, backgroundImage, backgroundColor } = style
  if (content === 'none' || style.display === 'none') return false
  const colour = colourIn(backgroundColor)
  return backgroundImage !== 'none' || (colour !== undefined && !isClear(colour) && !lookAlike(colour, beside))
}

/** True if an element shows non-text content: a picture, an icon, a box. */
export function drawsItself(element: Element): boolean {
  const { colour } = groundOf((parentOf(element) as Element | null) ?? element) ?? { colour: paper }
  return [element, ...Array.from(element.querySelectorAll('*')).slice(0, 30)].some((each) => {
    if (media.test(each.localName)) return true
    const style = getComputedStyle(each)
    if (paints(style, colour) || (style.borderTopStyle !== 'none' && Number.parseFloat(style.borderTopWidth) > 0))
      return true
    return ['::before', '::after'].some((name) => !/^(?:none|normal|"")$/.test(getComputedStyle(each, name).content))
  })
}
