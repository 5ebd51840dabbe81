import {
  clipsBox,
  type Colour,
  colourOf,
  indentsAway,
  isClear,
  lookAlike,
  masksBox,
  showsGround,
} from '../../../util/unseen-style.ts'

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
  return (
    style.get('display') === 'none' ||
    /^(?:hidden|collapse)$/.test(style.get('visibility') ?? '') ||
    masksBox(style) ||
    clipsBox(style) ||
    indentsAway(style) ||
    isOffScreen(style) ||
    isCut(style)
  )
}

/** Whether the text has the colour of its background; `behind` is the background set by an outer element. */
export function hidesByColour(style: Style, behind?: Colour): boolean {
  if (showsGround(style)) return false
  const colour = colourOf(style.get('-webkit-text-fill-color') ?? style.get('color') ?? '')
  if (colour === undefined) return false
  const ground = backgroundOf(style) ?? behind
  return isClear(colour) || (ground !== undefined && !isClear(ground) && lookAlike(colour, ground))
}

export function backgroundOf(style: Style): Colour | undefined {
  return colourOf(style.get('background-color') ?? style.get('background') ?? '')
}

/** Offsets this large move a box off screen rather than lay it out. */
const farOffset = /(?:^|[\s,(])(-?)(?:\d{4,}(?:\.\d+)?px|\d{3,}(?:\.\d+)?(?:r?em|vw|vh|%))/
const negative = (value: string) => farOffset.exec(value)?.[1] === '-'

function isOffScreen(style: Style): boolean {
  const isPlaced = /^(?:absolute|fixed|relative)$/.test(style.get('position') ?? '')
  const places = ['left', 'top', 'right', 'bottom', 'inset'].map((name) => style.get(name) ?? '')
  if (places.some(negative) || (isPlaced && places.some((place) => /^\d{4,}px$/.test(place)))) return true
  if (['margin', 'margin-left', 'margin-top'].some((name) => negative(style.get(name) ?? ''))) return true
  return /translate(?:x|y|3d)?\([^)]{0,100}-(?:[5-9]\d{3}|\d{5,})px/.test(style.get('transform') ?? '')
}

/** Cut to nothing, or to a dot. */
function isCut(style: Style): boolean {
  const value = (name: string) => style.get(name) ?? ''
  const sizes = ['width', 'height', 'max-width', 'max-height', 'line-height'].map(value)
  return (
    /\b(?:hidden|clip)\b/.test(value('overflow') + value('overflow-x') + value('overflow-y')) &&
    sizes.some((size) => /^(?:0(?:\.0+)?(?:px|r?em|%)?|1px)$/.test(size))
  )
}
