import type { Branding } from '../../../schema/scrape/branding-schema.ts'
import { borderOf, type ButtonStyle } from './buttons.ts'
import { chromaOf, type Color, contrastOf, distanceOf, fromHex, isColorful, blend, toHex } from './color.ts'
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
  tally,
  variableColor,
  type Variables,
} from './samples.ts'

type PaletteInput = {
  samples: readonly Sample[]
  background: Color
  buttons: readonly ButtonStyle[]
  secondary: ButtonStyle | undefined
  variables: Variables
  themeColor: Color | undefined
  colorOf: ColorOf
}
type Vote = { color: Color; weight: number }

/** Distance below which two colours count as the same: a hover shade or a rounding difference. */
const sameColor = 0.04

/**
 * Selects the brand colours. Primary is the colour of the main button, unless the page declares another colour and
 * shows more of it. If the button is grey and the page has a colour, or if there is no button, it is the colour with
 * most votes. Accent is the next colour, or the primary itself.
 */
function brandColors(facts: PaletteInput, ink: Color | undefined) {
  const votes = votesOf(facts)
  const primary = primaryOf(facts, votes)
  const differs = (color: Color) => !primary || distanceOf(color, primary) > sameColor * 2
  const isInk = (color: Color) => ink !== undefined && distanceOf(color, ink) <= sameColor * 2
  const accent = votes.find(({ color, weight }) => weight >= weakVote && differs(color) && !isInk(color))?.color
  return {
    primary,
    secondary: secondaryOf(facts, differs),
    accent: accent ?? (primary && isColorful(primary) ? primary : undefined),
  }
}

function primaryOf(facts: PaletteInput, [strongest]: readonly Vote[]): Color | undefined {
  const declared = declaredColor(facts)
  const button = facts.buttons.find(({ isFilled }) => isFilled)?.face
  const isStrongest = declared && strongest && distanceOf(declared, strongest.color) <= sameColor
  if (declared && isStrongest) return declared
  if (button && isColorful(button)) return button
  if (strongest && strongest.weight >= strongVote) return strongest.color
  return declared ?? button ?? strongest?.color
}

/** Returns the colour that the page declares: in a style variable, or as theme colour if the page also shows it. */
function declaredColor(facts: PaletteInput): Color | undefined {
  const { themeColor } = facts
  const isPainted = themeColor && bands(facts).some(({ color }) => distanceOf(color, themeColor) < 0.02)
  return usedVariable('primary', facts) ?? (isPainted ? themeColor : undefined)
}

/** Returns the declared secondary colour, that of a second button, or that of the largest band. */
function secondaryOf(facts: PaletteInput, differs: (color: Color) => boolean): Color | undefined {
  const { buttons, secondary: second, background } = facts
  const candidates = [
    usedVariable('secondary', facts),
    second?.isFilled ? second.face : undefined,
    buttons.find(({ isFilled }) => isFilled)?.face,
    ...bands(facts).map(({ color }) => color),
  ]
  return candidates.find((color) => color && differs(color) && distanceOf(color, background) > distinctDistance)
}

/** Minimum distance from the background; a closer grey is a surface, not a second colour. */
const distinctDistance = 0.15
const strongVote = 3
const weakVote = 0.15

/** Returns the colours of the page, most prominent first, with similar ones merged. */
function votesOf(facts: PaletteInput): Vote[] {
  const { samples, buttons } = facts
  const named = [declaredColor(facts), usedVariable('accent', facts)].filter((color) => color !== undefined)
  const votes = [
    ...buttons.filter(({ isFilled }) => isFilled).map(({ face, score }) => ({ color: face, weight: score / 2 })),
    ...named.map((color) => ({ color, weight: 4 })),
    ...bands(facts).map(({ color, weight }) => ({ color, weight: 4 * weight })),
    ...samples.flatMap(smallVote),
  ].filter(({ color }) => isColorful(color))
  const clusters: Vote[] = []
  for (const vote of votes) {
    const at = clusters.findIndex(({ color }) => distanceOf(color, vote.color) <= sameColor)
    const cluster = clusters[at]
    if (cluster) clusters[at] = { ...cluster, weight: cluster.weight + vote.weight }
    else clusters.push(vote)
  }
  return clusters.sort((one, other) => other.weight - one.weight)
}

/** Counts coloured words, lines and labels, each with a low weight. */
function smallVote(sample: Sample): Vote[] {
  if (isIn(sample, 'overlay', 'pre', 'footer') || isStatus(sample)) return []
  const background = backgroundOf(sample)
  const text = sample.color('color')
  const paint = paintOf(sample)
  const line = sample.px('border-bottom-width') >= 2 ? sample.color('border-bottom-color') : undefined
  const isLabel = paint && sample.glyphs > 0 && sample.glyphs < 30
  return [
    ...(background && text && sample.glyphs > 0
      ? [{ color: blend(text, background), weight: Math.min(0.3, sample.glyphs / 60) }]
      : []),
    ...(line && background ? [{ color: blend(line, background), weight: 0.2 }] : []),
    ...(isLabel && background ? [{ color: background, weight: 0.3 }] : []),
  ]
}

/** Returns bands over most of the page's width in other colours, largest first. 400 pixels of height have weight 1. */
function bands({ samples, background }: PaletteInput): Vote[] {
  const pageWidth = samples[0]?.box.width ?? 0
  const wide = samples.filter(
    (sample) =>
      sample.box.width >= 0.6 * pageWidth &&
      sample.box.height < 1500 &&
      !isIn(sample, 'overlay') &&
      sample.gradient.length === 0 &&
      !sample.hasPicture &&
      paintOf(sample),
  )
  return tally(wide, hexOfBackground, bandWeight)
    .map(([hex, weight]) => ({ color: fromHex(hex), weight: Math.min(1.5, weight) }))
    .filter(({ color }) => distanceOf(color, background) > sameColor)
}

const bandWeight = (sample: Sample) => Math.min(1, sample.box.height / 400) + (isIn(sample, 'header') ? 0.7 : 0)
const hexOfBackground = (sample: Sample) => {
  const background = backgroundOf(sample)
  return background && toHex(background)
}

/** Returns a variable's colour only if the page shows it. */
function usedVariable(role: 'primary' | 'secondary' | 'accent', { samples, variables, colorOf }: PaletteInput) {
  const color = variableColor(variables, role, colorOf)
  if (!color) return undefined
  const shown = samples.flatMap((sample) => [
    paintOf(sample),
    sample.glyphs > 0 ? sample.color('color') : undefined,
    sample.px('border-top-width') >= 1 ? sample.color('border-top-color') : undefined,
  ])
  return shown.some((other) => other && other[3] > 0.9 && distanceOf(color, other) < 0.02) ? color : undefined
}

/** Assigns a role to each colour. Colours that are not visible on the page are omitted. */
export function paletteOf(facts: PaletteInput): NonNullable<Branding['colors']> {
  const { samples, background, variables, colorOf } = facts
  const text = textColors(samples, background)
  const brand = brandColors(facts, text.textPrimary)
  const colors = {
    ...brand,
    background,
    ...text,
    success: statusColor('success', samples, variables, colorOf),
    warning: statusColor('warning', samples, variables, colorOf),
    error: statusColor('error', samples, variables, colorOf),
  }
  return Object.fromEntries(Object.entries(colors).flatMap(([role, color]) => (color ? [[role, toHex(color)]] : [])))
}

const columns = 9
const rowsOfWindow = 9
/** Number of evaluated screens; below them a page mostly repeats itself or has its footer. */
const windows = 3
const canvasShare = 0.25

/** Returns the background with the largest visible area. The canvas needs a smaller share, because cards cover it. */
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

/** Returns the area of an element that hides the content below. Pictures and gradients have no single colour. */
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

/** Returns the colour for success, warning or error: that of a style variable, otherwise of elements with this name. */
function statusColor(
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
const isStatus = ({ hint }: Sample): boolean => statusRoles.some((role) => wordOf(role).test(hint))

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
  const onBackground = written.filter(({ sample }) => isOnBackground(sample, background))
  const running = onBackground.filter(({ sample }) => isRunningText(sample))
  const plain = (running.length > 0 ? running : onBackground).filter(
    ({ color }) => contrastOf(color, background) >= 2.5,
  )
  const textPrimary = firstOf(amounts(plain, inkedAreaOf), background)
  // Secondary text is often found in menus.
  const textSecondary =
    quieterOf(amounts(plain, glyphsOf), textPrimary, background) ??
    quieterOf(amounts(onBackground, glyphsOf), textPrimary, background)
  return { textPrimary, textSecondary, link: linkColor(onBackground, textPrimary) }
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

/**
 * Returns the frequent text colour with most contrast. The most frequent one may be the secondary colour, which long
 * introductions often use.
 */
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

/** True if the sample or one of its sampled ancestors has this tag. */
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
