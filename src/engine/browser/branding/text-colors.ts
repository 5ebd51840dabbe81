import { type Color, contrastOf, distanceOf, fromHex, isColorful, blend, toHex } from './color.ts'
import { backgroundOf, isIn, type Sample } from './samples.ts'
import { tally } from './tally.ts'

type TextSample = { sample: Sample; color: Color; hex: string }

/** Colours of text by how much is written in them, on the background of the page. */
export function textColors(samples: readonly Sample[], background: Color) {
  const written = samples.filter((sample) => sample.glyphs > 0 && !isIn(sample, 'overlay')).flatMap(textSampleOf)
  const onGround = written.filter(({ sample }) => isOnBackground(sample, background))
  const unpressed = onGround.filter(({ sample }) => isRunningText(sample))
  const plain = (unpressed.length > 0 ? unpressed : onGround).filter(
    ({ color }) => contrastOf(color, background) >= 2.5,
  )
  const textPrimary = firstOf(amounts(plain, inkedAreaOf), background)
  // Menus are often where the quieter text is.
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
  // Cards on a page are a little lighter or darker than the page.
  return own !== undefined && distanceOf(own, background) < 0.1
}
const isCode = ({ tag }: Sample) => /^(?:code|kbd|samp|pre)$/.test(tag)
type Amounts = readonly (readonly [hex: string, amount: number])[]

const glyphsOf = ({ sample }: TextSample) => sample.glyphs
/** Headings are few glyphs, and large ones. */
const inkedAreaOf = ({ sample }: TextSample) => sample.glyphs * sample.px('font-size') ** 2
const amounts = (written: readonly TextSample[], amountOf: (written: TextSample) => number): Amounts =>
  tally(written, ({ hex }) => hex, amountOf)

/** Greys in which a real share of the text is written; a coloured word is an accent. */
function greysOf(colors: Amounts, leastShare: number): Color[] {
  const all = colors.reduce((sum, [, amount]) => sum + amount, 0)
  return colors
    .filter(([, amount]) => amount >= all * leastShare)
    .map(([hex]) => fromHex(hex))
    .filter((color) => !isColorful(color))
}

/** Of what much is written in, the colour with most contrast: long lead-ins are often set in the quieter one. */
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

/** Whether the text is on or in such an element, of those the walk has seen. */
const isWithin = (sample: Sample | undefined, tag: string): boolean =>
  sample !== undefined && (sample.tag === tag || isWithin(sample.parent, tag))
const isLink = (sample: Sample) => isWithin(sample, 'a')
const isRunningText = (sample: Sample) =>
  !isLink(sample) && !isWithin(sample, 'button') && !isIn(sample, 'pre', 'footer') && !isCode(sample)

/** Links within text say it best, then coloured ones anywhere, then any link that is told from the text. */
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
