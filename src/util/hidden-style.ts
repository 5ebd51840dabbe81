/** CSS property values, as declared by a page or computed by a browser. */
export type Style = { get(property: string): string | undefined }

/** True if the style hides everything in its box, regardless of position. */
export function masksBox(style: Style): boolean {
  const value = (name: string) => style.get(name) ?? ''
  return (
    value('content-visibility') === 'hidden' ||
    isTransparent(value('opacity')) ||
    /\bopacity\(\s*(?!\s)0*(?:\.0*)?%?\s*\)/.test(value('filter')) ||
    /\bscale(?:3d)?\(\s*0\s*[,)]/.test(value('transform')) ||
    /^0$/.test(value('scale')) ||
    /^0$/.test(value('zoom'))
  )
}

function isTransparent(opacity: string): boolean {
  const amount = Number.parseFloat(opacity)
  return amount < (opacity.endsWith('%') ? 5 : minAlpha)
}

/** True if a box is clipped to nothing, as text for screen readers often is. */
export function clipsBox(style: Style): boolean {
  const path = style.get('clip-path') ?? ''
  return (
    isEmptyRect(style.get('clip') ?? '') ||
    isEmptyInset(path) ||
    /^(?:circle\(\s*0|polygon\((?:\s*0(?:px|%)?\s+0(?:px|%)?\s*(?!\s),?)+\))/.test(path)
  )
}

/** True for a `rect()` without area. Its edges are distances from the top and from the left. */
function isEmptyRect(clip: string): boolean {
  const edges = /^rect\(([^)]*)\)/
    .exec(clip)?.[1]
    ?.trim()
    .split(/[\s,]+/)
  const [top = NaN, right = NaN, bottom = NaN, left = NaN] = edges?.map(Number.parseFloat) ?? []
  return bottom - top <= 1 || right - left <= 1
}

/** True for an `inset()` without area. Only percentages count, because other lengths depend on the size of the box. */
function isEmptyInset(path: string): boolean {
  const sides = /^inset\(([^)]*)\)/
    .exec(path)?.[1]
    ?.replace(/\bround\b.*/, '')
    .trim()
    .split(/\s+/)
  if (!sides) return false
  const [top = 0, right = top, bottom = top, left = right] = sides.map((side) =>
    side.endsWith('%') ? Number.parseFloat(side) : 0,
  )
  return top + bottom >= 100 || left + right >= 100
}

/** True if text is indented out of its box. */
export const indentsAway = (style: Style): boolean =>
  /^-\d{3,}(?:\.\d+)?(?:px|r?em|vw|%)/.test(style.get('text-indent') ?? '')

/** True if the font size makes text unreadable. */
export function hidesBySize(style: Style): boolean {
  const size = style.get('font-size') ?? /(?:^|\s)([\d.]+(?:px|r?em|pt|%)?)(?:\s|\/)/.exec(style.get('font') ?? '')?.[1]
  if (size === undefined) return false
  const amount = Number.parseFloat(size)
  return amount < (size.endsWith('em') ? 0.15 : size.endsWith('%') ? 15 : 2) && /^[\d.]+(?:px|r?em|pt|%)?$/.test(size)
}

/** Red, green, blue (0–255) and alpha (0–1). */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

const named: Readonly<Record<string, Colour>> = {
  white: [255, 255, 255, 1],
  black: [0, 0, 0, 1],
  transparent: [0, 0, 0, 0],
}
const minAlpha = 0.05
/** Colours that differ by less in each channel look the same. */
const minDifference = 8

export const isClear = ([, , , alpha]: Colour): boolean => alpha < minAlpha

/** True if text cannot be distinguished from its background. */
export const lookAlike = (text: Colour, ground: Colour): boolean =>
  [0, 1, 2].every((at) => Math.abs((text[at] ?? 0) - (ground[at] ?? 0)) < minDifference)

/** True if the text is painted with its background, such as a gradient, instead of its own colour. */
export const showsGround = (style: Style): boolean =>
  /\btext\b/.test(style.get('background-clip') ?? style.get('-webkit-background-clip') ?? '')

/** Parses a colour given as a common name, in hexadecimal or as rgb(); undefined for any other value. */
export function colourOf(value: string): Colour | undefined {
  const name = /^[a-z]+$/.exec(value)?.[0]
  if (name) return Object.hasOwn(named, name) ? named[name] : undefined
  const hex = /^#([\da-f]{3,8})$/.exec(value)?.[1]
  if (hex) return ofHex(hex.length < 6 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? []))
  const channels = /^rgba?\(([^)]*)\)$/.exec(value)?.[1]
  return channels === undefined ? undefined : ofChannels(channels)
}

function ofChannels(text: string): Colour | undefined {
  const [red = NaN, green = NaN, blue = NaN, alpha = 1] = text
    .trim()
    .split(/[\s,/]+/)
    .map(amountOf)
  return Number.isNaN(red + green + blue + alpha) ? undefined : [red, green, blue, alpha]
}

/** Reads the value of a channel. A percentage is a share of 1 for alpha, and of 255 for a colour. */
const amountOf = (text: string, at: number) =>
  text.endsWith('%') ? (Number.parseFloat(text) / 100) * (at === 3 ? 1 : 255) : Number.parseFloat(text)

function ofHex(pairs: readonly string[]): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16))
  return [red, green, blue, alpha / 255]
}
