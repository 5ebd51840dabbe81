/** Declarations of a style attribute, by lower-case property. */
export type Style = ReadonlyMap<string, string>

/** The last declaration of a property wins; comments and `!important` are dropped. */
export function styleOf(text: string): Style {
  const plain = text.toLowerCase().replace(/\/\*[^]*?(?:\*\/|$)/g, '')
  const declarations = new Map<string, string>()
  for (const part of plain.split(';')) {
    const at = part.indexOf(':')
    if (at > 0)
      declarations.set(
        part.slice(0, at).trim(),
        part
          .slice(at + 1)
          .replace(/!\s*important\s*$/, '')
          .trim(),
      )
  }
  return declarations
}

/** Whether a box of this style hides everything in it. Font size and colour are separate, because inner boxes may override them. */
export function hidesBox(style: Style): boolean {
  const value = (name: string) => style.get(name) ?? ''
  return (
    value('display') === 'none' ||
    /^(?:hidden|collapse)$/.test(value('visibility')) ||
    value('content-visibility') === 'hidden' ||
    isTransparent(value('opacity')) ||
    /\bopacity\(\s*0*\.?0*%?\s*\)/.test(value('filter')) ||
    isOffScreen(style) ||
    isClipped(style)
  )
}

/** Whether the style makes its text too small to read. */
export function hidesBySize(style: Style): boolean {
  const size = style.get('font-size') ?? /(?:^|\s)([\d.]+(?:px|r?em|pt|%)?)(?:\s|\/)/.exec(style.get('font') ?? '')?.[1]
  if (size === undefined) return false
  const amount = Number.parseFloat(size)
  return amount < (size.endsWith('em') ? 0.15 : size.endsWith('%') ? 15 : 2) && /^[\d.]+(?:px|r?em|pt|%)?$/.test(size)
}

/** Whether the text has the colour of its background; `behind` is the background set by an outer element. */
export function hidesByColour(style: Style, behind?: string): boolean {
  if (/\btext\b/.test(style.get('background-clip') ?? style.get('-webkit-background-clip') ?? '')) return false
  const colour = colourOf(style.get('-webkit-text-fill-color') ?? style.get('color') ?? '')
  if (colour === undefined) return false
  return colour === 'transparent' || colour === (backgroundOf(style) ?? behind)
}

export function backgroundOf(style: Style): string | undefined {
  return colourOf(style.get('background-color') ?? style.get('background') ?? '')
}

function isTransparent(opacity: string): boolean {
  const amount = Number.parseFloat(opacity)
  return amount < (opacity.endsWith('%') ? 5 : 0.05)
}

/** Offsets this large move a box off screen rather than lay it out. */
const farOffset = /(?:^|[\s,(])(-?)(?:\d{4,}(?:\.\d+)?px|\d{3,}(?:\.\d+)?(?:r?em|vw|vh|%))/
const negative = (value: string) => farOffset.exec(value)?.[1] === '-'

function isOffScreen(style: Style): boolean {
  const isPlaced = /^(?:absolute|fixed|relative)$/.test(style.get('position') ?? '')
  const places = ['left', 'top', 'right', 'bottom', 'inset'].map((name) => style.get(name) ?? '')
  if (places.some(negative) || (isPlaced && places.some((place) => /^\d{4,}px$/.test(place)))) return true
  if (['margin', 'margin-left', 'margin-top'].some((name) => negative(style.get(name) ?? ''))) return true
  if (/^-\d{3,}(?:\.\d+)?(?:px|r?em|vw|%)/.test(style.get('text-indent') ?? '')) return true
  return /translate(?:x|y|3d)?\([^)]*-(?:[5-9]\d{3}|\d{5,})px/.test(style.get('transform') ?? '')
}

function isClipped(style: Style): boolean {
  const value = (name: string) => style.get(name) ?? ''
  const isCut = /\b(?:hidden|clip)\b/.test(value('overflow') + value('overflow-x') + value('overflow-y'))
  const sizes = ['width', 'height', 'max-width', 'max-height', 'line-height'].map(value)
  return (
    (isCut && sizes.some((size) => /^(?:0(?:\.0+)?(?:px|r?em|%)?|1px)$/.test(size))) ||
    /^rect\(\s*(?:0|1px)\b/.test(value('clip')) ||
    /^(?:inset\(\s*(?:50|100)%|circle\(\s*0|polygon\((?:\s*0(?:px|%)?\s+0(?:px|%)?\s*,?)+\))/.test(
      value('clip-path'),
    ) ||
    /\bscale(?:3d)?\(\s*0\s*[,)]/.test(value('transform')) ||
    /^0$/.test(value('scale')) ||
    /^0$/.test(value('zoom'))
  )
}

const named: Readonly<Record<string, string>> = { white: '255 255 255', black: '0 0 0', transparent: 'transparent' }

/** A colour written as one of the common names, in hexadecimal or as rgb(); undefined for any other value. */
function colourOf(value: string): string | undefined {
  const name = /^[a-z]+$/.exec(value)?.[0]
  if (name) return Object.hasOwn(named, name) ? named[name] : undefined
  const hex = /^#([\da-f]{3,8})$/.exec(value)?.[1]
  if (hex) return ofChannels(hex.length < 6 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? []), 16)
  const channels = /^rgba?\(([^)]*)\)$/
    .exec(value)?.[1]
    ?.trim()
    .split(/[\s,/]+/)
  return channels && ofChannels(channels, 10)
}

function ofChannels([red = '', green = '', blue = '', alpha]: readonly string[], base: 10 | 16): string {
  if (alpha !== undefined && (base === 16 ? Number.parseInt(alpha, 16) === 0 : Number.parseFloat(alpha) === 0))
    return 'transparent'
  return [red, green, blue].map((channel) => Number.parseInt(channel, base)).join(' ')
}
