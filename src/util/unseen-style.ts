/** Values of CSS properties, as a page declares them or as a browser computes them. */
export type Style = { get(property: string): string | undefined }

/** Whether nothing in a box of this style can be seen, wherever it is. */
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
  return amount < (opacity.endsWith('%') ? 5 : leastAlpha)
}

/** Whether a box is clipped to nothing, as text for screen readers is. */
export function clipsBox(style: Style): boolean {
  const path = style.get('clip-path') ?? ''
  return (
    isEmptyRect(style.get('clip') ?? '') ||
    isEmptyInset(path) ||
    /^(?:circle\(\s*0|polygon\((?:\s*0(?:px|%)?\s+0(?:px|%)?\s*(?!\s),?)+\))/.test(path)
  )
}

/** `rect()` has the distances of its edges from the top and the left. */
function isEmptyRect(clip: string): boolean {
  const edges = /^rect\(([^)]*)\)/
    .exec(clip)?.[1]
    ?.trim()
    .split(/[\s,]+/)
  const [top = NaN, right = NaN, bottom = NaN, left = NaN] = edges?.map(Number.parseFloat) ?? []
  return bottom - top <= 1 || right - left <= 1
}

/** Only shares of the box say how much of it is left. */
function isEmptyInset(path: string): boolean {
  const given = /^inset\(([^)]*)\)/
    .exec(path)?.[1]
    ?.replace(/\bround\b.*/, '')
    .trim()
    .split(/\s+/)
  if (!given) return false
  const [top = 0, right = top, bottom = top, left = right] = given.map((side) =>
    side.endsWith('%') ? Number.parseFloat(side) : 0,
  )
  return top + bottom >= 100 || left + right >= 100
}

/** Whether text is moved out of its box. */
export const indentsAway = (style: Style): boolean =>
  /^-\d{3,}(?:\.\d+)?(?:px|r?em|vw|%)/.test(style.get('text-indent') ?? '')

/** Whether the style makes its text too small to read. */
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
const leastAlpha = 0.05
/** No eye tells colours apart that differ by less in each channel. */
const leastDifference = 8

export const isClear = ([, , , alpha]: Colour): boolean => alpha < leastAlpha

/** Whether text of one colour cannot be told from a ground of the other. */
export const lookAlike = (text: Colour, ground: Colour): boolean =>
  [0, 1, 2].every((at) => Math.abs((text[at] ?? 0) - (ground[at] ?? 0)) < leastDifference)

/** Whether letters show what is behind the text, such as a gradient, rather than a colour of their own. */
export const showsGround = (style: Style): boolean =>
  /\btext\b/.test(style.get('background-clip') ?? style.get('-webkit-background-clip') ?? '')

/** A colour written as one of the common names, in hexadecimal or as rgb(); undefined for any other value. */
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

/** Of the channels only alpha is usually given as a share. */
const amountOf = (text: string, at: number) =>
  text.endsWith('%') ? (Number.parseFloat(text) / 100) * (at === 3 ? 1 : 255) : Number.parseFloat(text)

function ofHex(pairs: readonly string[]): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16))
  return [red, green, blue, alpha / 255]
}
