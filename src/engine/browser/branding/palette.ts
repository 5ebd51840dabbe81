import type { Branding } from '../../../schema/scrape/branding-schema.ts'
import type { ButtonStyle } from './buttons.ts'
import { chromaOf, type Color, contrastOf, distanceOf, fromHex, isColorful, blend, toHex } from './color.ts'
import { isStatus, statusColor, textColors } from './page-colors.ts'
import {
  type ColorOf,
  backgroundOf,
  isIn,
  paintOf,
  type Sample,
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

/** Returns bands as wide as the page in other colours, largest first. Weight 1 is 400 pixels of height. */
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
  return tally(wide, hexOfGround, bandWeight)
    .map(([hex, weight]) => ({ color: fromHex(hex), weight: Math.min(1.5, weight) }))
    .filter(({ color }) => distanceOf(color, background) > sameColor)
}

const bandWeight = (sample: Sample) => Math.min(1, sample.box.height / 400) + (isIn(sample, 'header') ? 0.7 : 0)
const hexOfGround = (sample: Sample) => {
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

export function contrastLevel(text: Color, background: Color): 'low' | 'medium' | 'high' {
  const contrast = contrastOf(text, background)
  return contrast < 7 ? 'low' : contrast < 13 ? 'medium' : 'high'
}

export function colorfulness(colors: readonly Color[]): 'monochrome' | 'restrained' | 'vivid' {
  const chroma = Math.max(0, ...colors.map(chromaOf))
  return chroma < 0.06 ? 'monochrome' : chroma < 0.13 ? 'restrained' : 'vivid'
}
