import { borderOf } from './buttons.ts'
import { chromaOf, type Color, fromHex, isColorful, blend, toHex, contrastOf, distanceOf } from './color.ts'
import {
  type Box,
  canvasOf,
  type ColorOf,
  backgroundOf,
  isIn,
  paintOf,
  type Sample,
  heaviest,
  roleWords,
  variableColor,
  type Variables,
  tally,
} from './samples.ts'

const columns = 9
const rowsOfWindow = 9
/** Number of evaluated screens; below them a page mostly repeats itself or has its footer. */
const windows = 3
const canvasShare = 0.25

/** Returns the background that covers most of the first screens; cards cover the canvas, which needs a minor share. */
export function pageBackground(samples: readonly Sample[], window: Pick<Box, 'width' | 'height'>): Color {
  const painted = samples.filter((sample) => !isIn(sample, 'overlay')).flatMap(areaOf)
  const canvas = canvasColor(samples)
  const height = Math.min(windows * window.height, Math.max(window.height, samples[0]?.box.height ?? 0))
  const rows = Math.ceil((rowsOfWindow * height) / window.height)
  const points = Array.from({ length: columns * rows }, (_, at) => ({
    left: (((at % columns) + 0.5) * window.width) / columns,
    top: ((Math.floor(at / columns) + 0.5) * height) / rows,
  }))
  const seen = points.flatMap((point) => {
    const top = painted.findLast(({ box }) => holds(box, point))
    if (!top) return [canvas]
    return top.color ? [top.color] : []
  })
  const ofCanvas = seen.filter((color) => toHex(color) === toHex(canvas)).length
  const most = heaviest(seen, toHex)
  return most === undefined || ofCanvas >= canvasShare * seen.length ? canvas : fromHex(most)
}

/** The canvas has the background of the root element, otherwise that of the body (CSS Backgrounds 3, 2.11.2). */
function canvasColor(samples: readonly Sample[]): Color {
  const body = samples.find(({ tag }) => tag === 'body')
  return (body && backgroundOf(body)) ?? canvasOf(samples[0])
}

/** Returns areas that hide what is below them. Pictures and gradients hide it too, but have no single colour. */
function areaOf(sample: Sample): { box: Box; color: Color | undefined }[] {
  const { tag, box } = sample
  if (box.width * box.height < 400 || tag === 'html') return []
  if (/^(?:img|video|canvas|iframe)$/.test(tag)) return [{ box, color: undefined }]
  const paint = paintOf(sample)
  const isPlain = sample.gradient.length === 0 || tag === 'body'
  return paint || sample.hasPicture ? [{ box, color: isPlain ? backgroundOf(sample) : undefined }] : []
}

const holds = ({ left, top, width, height }: Box, point: { left: number; top: number }) =>
  point.left >= left && point.left < left + width && point.top >= top && point.top < top + height

const statusRoles = ['success', 'warning', 'error'] as const
const wordOf = (role: (typeof statusRoles)[number]) =>
  new RegExp(`(?:^|[\\s_-])(?:${roleWords[role].join('|')})(?:$|[\\s_-])`, 'i')

/** Returns the colour for success, warning or error: of its style variable, otherwise of elements so named. */
export function statusColor(
  role: (typeof statusRoles)[number],
  samples: readonly Sample[],
  variables: Variables,
  colorOf: ColorOf,
): Color | undefined {
  const declared = variableColor(variables, role, colorOf)
  if (declared && isColorful(declared)) return declared
  const word = wordOf(role)
  const colors = samples.filter(({ hint }) => word.test(hint)).flatMap(colorsOf)
  return colors.filter(isColorful).toSorted((one, other) => chromaOf(other) - chromaOf(one))[0]
}

/** True if the element's name marks it as a status; its colour is then not a brand colour. */
export const isStatus = ({ hint }: Sample): boolean => statusRoles.some((role) => wordOf(role).test(hint))

function colorsOf(sample: Sample): Color[] {
  const background = backgroundOf(sample)
  const text = sample.color('color')
  if (!background || !text) return []
  return [background, blend(text, background), borderOf(sample, background)].filter((color) => color !== undefined)
}

type TextSample = { sample: Sample; color: Color; hex: string }

/** Returns the text colours on the page background, by the amount of text. */
export function textColors(samples: readonly Sample[], background: Color) {
  const written = samples.filter((sample) => sample.glyphs > 0 && !isIn(sample, 'overlay')).flatMap(textSampleOf)
  const onGround = written.filter(({ sample }) => isOnBackground(sample, background))
  const unpressed = onGround.filter(({ sample }) => isRunningText(sample))
  const plain = (unpressed.length > 0 ? unpressed : onGround).filter(
    ({ color }) => contrastOf(color, background) >= 2.5,
  )
  const textPrimary = firstOf(amounts(plain, inkedAreaOf), background)
  // Secondary text is often found in menus.
  const textSecondary =
    quieterOf(amounts(plain, glyphsOf), textPrimary, background) ??
    quieterOf(amounts(onGround, glyphsOf), textPrimary, background)
  return { textPrimary, textSecondary, link: linkColor(onGround, textPrimary) }
}

function textSampleOf(sample: Sample): TextSample[] {
  const background = backgroundOf(sample)
  const text = sample.color('color')
  if (!background || !text) return []
  const color = blend(text, background)
  return [{ sample, color, hex: toHex(color) }]
}

const isOnBackground = (sample: Sample, background: Color) => {
  const own = backgroundOf(sample)
  // Cards are slightly lighter or darker than the page.
  return own !== undefined && distanceOf(own, background) < 0.1
}
const isCode = ({ tag }: Sample) => /^(?:code|kbd|samp|pre)$/.test(tag)
type Amounts = readonly (readonly [hex: string, amount: number])[]

const glyphsOf = ({ sample }: TextSample) => sample.glyphs
/** Weighs by area, because headings have few but large glyphs. */
const inkedAreaOf = ({ sample }: TextSample) => sample.glyphs * sample.px('font-size') ** 2
const amounts = (written: readonly TextSample[], amountOf: (written: TextSample) => number): Amounts =>
  tally(written, ({ hex }) => hex, amountOf)

/** Returns greys with a minimum share of the text; a coloured word is an accent. */
function greysOf(colors: Amounts, minShare: number): Color[] {
  const all = colors.reduce((sum, [, amount]) => sum + amount, 0)
  return colors
    .filter(([, amount]) => amount >= all * minShare)
    .map(([hex]) => fromHex(hex))
    .filter((color) => !isColorful(color))
}

/** Returns the frequent text colour with most contrast; long introductions often use the secondary one. */
function firstOf(colors: Amounts, background: Color): Color | undefined {
  const byContrast = greysOf(colors, 0.05).sort(
    (one, other) => contrastOf(other, background) - contrastOf(one, background),
  )
  return byContrast[0] ?? (colors[0] && fromHex(colors[0][0]))
}

const quieterOf = (colors: Amounts, first: Color | undefined, background: Color) =>
  greysOf(colors, 0.03).find(
    (color) =>
      first &&
      contrastOf(color, background) >= 2.5 &&
      contrastOf(color, background) < contrastOf(first, background) &&
      distanceOf(color, first) > 0.06,
  )

/** True if the text is on or in such an element, among the sampled ones. */
const isWithin = (sample: Sample | undefined, tag: string): boolean =>
  sample !== undefined && (sample.tag === tag || isWithin(sample.parent, tag))
const isLink = (sample: Sample) => isWithin(sample, 'a')
const isRunningText = (sample: Sample) =>
  !isLink(sample) && !isWithin(sample, 'button') && !isIn(sample, 'pre', 'footer') && !isCode(sample)

/** Prefers links within text, then coloured links anywhere, then any link that differs from the text. */
function linkColor(written: readonly TextSample[], text: Color | undefined): Color | undefined {
  const links = written.filter(({ sample }) => isLink(sample))
  const isInText = ({ sample }: TextSample) => isIn(sample, 'p', 'li') && !isIn(sample, 'nav', 'header', 'footer')
  const differs = ({ color }: TextSample) => !text || distanceOf(color, text) > 0.06
  const isUnderlined = ({ sample }: TextSample) => sample.css('text-decoration-line').includes('underline')
  const colorful = links.filter(({ color }) => isColorful(color))
  const kinds = [
    colorful.filter(isInText),
    links.filter((link) => isInText(link) && (differs(link) || isUnderlined(link))),
    colorful,
    links.filter((link) => differs(link) && !isIn(link.sample, 'footer')),
    links,
  ]
  const hex = kinds.map((kind) => amounts(kind, glyphsOf)[0]?.[0]).find((found) => found !== undefined)
  return hex === undefined ? undefined : fromHex(hex)
}
