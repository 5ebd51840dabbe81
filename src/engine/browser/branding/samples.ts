import type { RawElements } from '../../page-script/branding/elements.ts'
import { averageOf, type Color, blend, white, parseRgb } from './color.ts'
import type { Tab } from '../page/tab.ts'

/** Properties read from each element's computed style; the values are returned in this order. */
export const properties = [
  'color',
  'background-color',
  'background-image',
  'border-top-color',
  'border-top-width',
  'border-bottom-color',
  'border-bottom-width',
  'border-top-style',
  'border-top-left-radius',
  'font-family',
  'font-size',
  'font-weight',
  'line-height',
  'padding-top',
  'padding-left',
  'margin-bottom',
  'row-gap',
  'max-width',
  'display',
  'position',
  'top',
  'bottom',
  'grid-template-columns',
  'transition-duration',
  'transition-timing-function',
  'text-decoration-line',
  'fill',
  'stroke',
  'color-scheme',
] as const
export type Property = (typeof properties)[number]

type Landmark = (typeof landmarkTags)[number] | 'overlay'
export type Box = { left: number; top: number; width: number; height: number }
export type Sample = {
  tag: string
  kind: string
  parent: Sample | undefined
  box: Box
  glyphs: number
  label: string
  /** Landmarks around the element, outermost first; the last may be the element itself. */
  landmarks: readonly Landmark[]
  hint: string
  css(property: Property): string
  /** Returns the computed value in CSS pixels; 0 for `normal`, `none` and `auto`. */
  px(property: Property): number
  color(property: Property): Color | undefined
  gradient: readonly Color[]
  /** True if a picture is behind the text, so the background colour is unknown. */
  hasPicture: boolean
}
export type ColorOf = (text: string) => Color | undefined

const landmarkTags = ['header', 'nav', 'main', 'aside', 'footer', 'pre', 'p', 'li'] as const
const colorFunction = /(?:rgba?|color|oklch|oklab|lch|lab)\([^()]*\)/g
const colorProperties: readonly Property[] = [
  'color',
  'background-color',
  'border-top-color',
  'border-bottom-color',
  'fill',
  'stroke',
]

/** Returns every colour in the styles, as written there. */
export function colorTexts({ styles }: RawElements): string[] {
  const texts = styles
    .map((lines) => lines.split('\n'))
    .flatMap((values) => [
      ...colorProperties.map((property) => values[properties.indexOf(property)] ?? ''),
      ...gradientColors(values[properties.indexOf('background-image')] ?? ''),
    ])
  return Array.from(new Set(texts)).filter((text) => text !== '' && text !== 'none')
}

/** Adds each landmark once, so deep nesting costs nothing. */
const withLandmark = (around: readonly Landmark[], [own]: readonly Landmark[]) =>
  own === undefined || around.includes(own) ? around : [...around, own]

const gradientColors = (image: string) => (image.includes('gradient(') ? (image.match(colorFunction) ?? []) : [])

export function toSamples({ styles, elements }: RawElements, colorOf: ColorOf): Sample[] {
  const samples: Sample[] = []
  const valuesOf = styles.map((lines) => lines.split('\n'))
  for (const { parent, style, box, ...rest } of elements) {
    const values = valuesOf[style] ?? []
    const css = (property: Property) => values[properties.indexOf(property)] ?? ''
    const image = css('background-image')
    const [left = 0, top = 0, width = 0, height = 0] = box.map(Math.round)
    samples.push({
      ...rest,
      box: { left, top, width, height },
      parent: samples[parent],
      landmarks: withLandmark(samples[parent]?.landmarks ?? [], landmarkOf(rest, css)),
      css,
      px: (property) => Number.parseFloat(css(property)) || 0,
      color: (property) => colorOf(css(property)),
      gradient: gradientColors(image)
        .map(colorOf)
        .filter((color) => color !== undefined),
      hasPicture: image.includes('url('),
    })
  }
  return samples
}

/** Temporary overlays, mainly consent banners, are not part of the page's design. */
function landmarkOf({ tag, kind, hint }: Pick<Sample, 'tag' | 'kind' | 'hint'>, css: Sample['css']): Landmark[] {
  if (tag === 'html' || tag === 'body') return []
  const isAtBottom = css('position') === 'fixed' && css('bottom') === '0px' && css('top') !== '0px'
  if (tag === 'dialog' || kind.endsWith('dialog') || isAtBottom || /cookie|consent|gdpr/i.test(hint)) return ['overlay']
  if (kind === 'banner' || /(?:^|[\s_-])(?:header|navbar|topbar|masthead)(?:$|\s)/i.test(hint)) return ['header']
  if (kind === 'navigation') return ['nav']
  if (kind === 'contentinfo') return ['footer']
  return landmarkTags.filter((landmark) => landmark === tag)
}

/** Returns the element's own background: its colour, or the mean of its gradient. Undefined if it is transparent. */
export function paintOf(sample: Sample): Color | undefined {
  const color = sample.color('background-color')
  if (sample.gradient.length > 0) {
    const mean = averageOf(sample.gradient)
    return mean[3] > 0.5 ? [mean[0], mean[1], mean[2], 1] : color
  }
  return color && color[3] > 0 ? color : undefined
}

/** Returns the opaque colour behind the text of an element; undefined over a picture. */
export function backgroundOf(sample: Sample | undefined): Color | undefined {
  if (!sample) return white
  const paint = paintOf(sample)
  if (sample.hasPicture && sample.gradient.length === 0) return undefined
  if (paint && paint[3] >= 0.99) return paint
  const below = sample.parent ? backgroundOf(sample.parent) : canvasOf(sample)
  return below && paint ? blend(paint, below) : below
}

export function canvasOf(root: Sample | undefined): Color {
  return root && /^(?:only )?dark/.test(root.css('color-scheme')) ? [18, 18, 18, 1] : white
}

export const isIn = (sample: Sample, ...places: readonly Landmark[]) =>
  places.some((place) => sample.landmarks.includes(place))

const maxConverted = 300

/** Parses sRGB colours here; a canvas of the page converts those of other colour spaces. */
export async function colorReader(tab: Pick<Tab, 'call'>, texts: readonly string[], signal: AbortSignal) {
  const others = Array.from(new Set(texts))
    .filter((text) => text !== '' && !parseRgb(text))
    .slice(0, maxConverted)
  const converted = others.length > 0 ? await tab.call('convertColors', [others], signal) : []
  const known = new Map(others.map((text, at) => [text, converted[at] ?? undefined] as const))
  return (text: string) => parseRgb(text) ?? known.get(text)
}

export type Variables = readonly (readonly [name: string, value: string])[]

/** Words in the name of a variable or class. */
export const roleWords = {
  primary: ['primary', 'brand', 'main'],
  secondary: ['secondary'],
  accent: ['accent'],
  success: ['success', 'positive'],
  warning: ['warning', 'warn', 'caution'],
  error: ['error', 'danger', 'negative', 'destructive'],
} as const
export type Role = keyof typeof roleWords

/** Parts of names that mark a variable as derived from the colour. */
const derivedName =
  /(?:^|-)(?:bg|background|foreground|fg|text|on|contrast|content|light|lighter|dark|darker|subtle|muted|soft|hover|active|focus|border|ring|shadow|rgb|channel|emphasis|inverse|weight|font|size|gradient|50|[12]00|[89]00|950)(?:-|$)/i
/** Prefixes of palettes that editors and frameworks add to every page, used or not. */
const foreignPrefix = /^--(?:wp--|e-global|mdc-|swiper-|fa-|tw-)/

/** Returns the colour that style variables assign to a role, as computed by the page; the shortest name wins. */
export function variableColor(variables: Variables, role: Role, colorOf: ColorOf): Color | undefined {
  const word = new RegExp(`(?:^|-)(?:${roleWords[role].join('|')})(?:-|$)`, 'i')
  const named = variables
    .filter(([name]) => word.test(name) && !derivedName.test(name.slice(2)) && !foreignPrefix.test(name))
    .sort(([one], [other]) => one.length - other.length)
  for (const [, value] of named) {
    const color = colorOf(asColor(value))
    if (color && color[3] >= 0.99) return color
  }
  return undefined
}

/** Some libraries store only the components of an hsl colour, such as `142 76% 36%`. */
export function asColor(value: string): string {
  return /^[\d.]+(?:deg)?[ ,]+[\d.]+%[ ,]+[\d.]+%$/.test(value) ? `hsl(${value})` : value
}

/** Sums weights by key, heaviest first; ties keep their order. */
export function tally<T, K>(
  items: readonly T[],
  keyOf: (item: T) => K | undefined,
  weightOf: (item: T) => number = () => 1,
): [key: K, weight: number][] {
  const weights = new Map<K, number>()
  for (const item of items) {
    const key = keyOf(item)
    if (key !== undefined) weights.set(key, (weights.get(key) ?? 0) + weightOf(item))
  }
  return Array.from(weights).sort(([, one], [, other]) => other - one)
}

export const heaviest = <T, K>(
  items: readonly T[],
  keyOf: (item: T) => K | undefined,
  weightOf?: (item: T) => number,
) => tally(items, keyOf, weightOf)[0]?.[0]

/** Returns the weighted median; undefined for an empty list. */
export function medianOf<T>(
  items: readonly T[],
  valueOf: (item: T) => number,
  weightOf: (item: T) => number = () => 1,
): number | undefined {
  const sorted = items.toSorted((one, other) => valueOf(one) - valueOf(other))
  const half = sorted.reduce((sum, item) => sum + weightOf(item), 0) / 2
  let sum = 0
  const middle = sorted.find((item) => (sum += weightOf(item)) >= half)
  return middle === undefined ? undefined : valueOf(middle)
}

type Known<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** Removes undefined fields, empty objects and empty lists. */
export function omitEmpty<T extends object>(fields: T): Known<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isKnown(value))) as Known<T>
}

const isKnown = (value: unknown) =>
  value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0)
