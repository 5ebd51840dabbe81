import type { Branding } from '../../../schema/scrape/branding-schema.ts'
import { omitEmpty, isIn, type Sample, heaviest, medianOf, tally } from './samples.ts'

type Typography = NonNullable<Branding['typography']>
type FontRole = 'body' | 'heading' | 'code'

const maxFonts = 8
/** Icon fonts have glyphs, but are not used for text. */
const iconFont = /icon|awesome|symbols?\b|glyph|dashicons|swiper|revicons/i

const glyphsOf = ({ glyphs }: Sample) => glyphs
/** Estimates the painted area, because a masthead has few but large glyphs. */
const areaOf = (sample: Sample) => sample.glyphs * sample.px('font-size') ** 2
const familyIn = (sample: Sample) => {
  const family = firstFamily(sample.css('font-family'))
  return family === undefined || iconFont.test(family) ? undefined : family
}

/** Returns the font families of a page, each with its most frequent role, sorted by painted area. */
export function fontsOf(samples: readonly Sample[]): NonNullable<Branding['fonts']> {
  const written = samples.filter(({ glyphs, landmarks: place }) => glyphs > 0 && !place.includes('overlay'))
  const families = tally(written, familyIn, areaOf)
  const all = families.reduce((sum, [, ink]) => sum + ink, 0)
  return families
    .filter(([, ink]) => ink >= 0.01 * all)
    .slice(0, maxFonts)
    .map(([family]) => {
      const own = written.filter((sample) => familyIn(sample) === family)
      return { family, role: heaviest(own, roleOf, glyphsOf) ?? 'other' }
    })
}

export function typographyOf(samples: readonly Sample[]): Typography {
  const written = samples.filter(({ glyphs, landmarks: place }) => glyphs > 0 && !place.includes('overlay'))
  const of = (role: FontRole) => written.filter((sample) => roleOf(sample) === role)
  const body = of('body')
  const heading = of('heading')
  const primary = heaviest(body.length > 0 ? body : written, familyIn, glyphsOf)
  return omitEmpty({
    fontFamilies: omitEmpty({
      primary,
      heading: heaviest(heading, familyIn, areaOf) ?? primary,
      code: heaviest(of('code'), familyIn, glyphsOf),
    }),
    fontSizes: omitEmpty({
      h1: sizeOf(tagged('h1')),
      h2: sizeOf(tagged('h2')),
      h3: sizeOf(tagged('h3')),
      body: sizeOf(runningText(body)),
    }),
    fontWeights: omitEmpty(weightsOf(written)),
    lineHeights: omitEmpty({ heading: leadingOf(heading), body: leadingOf(runningText(body)) }),
  })

  function tagged(tag: string): Sample[] {
    return heading.filter((sample) => headingAround(sample) === tag)
  }
}

/** Running text determines the body size; menus and buttons are used only if there is none. */
function runningText(body: readonly Sample[]): readonly Sample[] {
  const running = body.filter((sample) => isIn(sample, 'p', 'li') && !isIn(sample, 'nav', 'footer', 'header'))
  return running.length > 0 ? running : body
}

const sizeOf = (samples: readonly Sample[]) => {
  const size = medianOf(samples, (sample) => sample.px('font-size'), glyphsOf)
  return size === undefined ? undefined : `${rounded(size)}px`
}

function leadingOf(samples: readonly Sample[]): number | undefined {
  const measured = samples.filter((sample) => sample.px('line-height') > 0)
  return roundedOrNothing(medianOf(measured, (sample) => sample.px('line-height') / sample.px('font-size'), glyphsOf))
}

const roundedOrNothing = (value: number | undefined) => (value === undefined ? undefined : rounded(value))
const rounded = (value: number) => Math.round(value * 100) / 100

const weightOf = (sample: Sample) => sample.px('font-weight')

function weightsOf(written: readonly Sample[]): NonNullable<Typography['fontWeights']> {
  const within = (from: number, to: number) =>
    heaviest(
      written.filter((sample) => weightOf(sample) >= from && weightOf(sample) < to),
      weightOf,
      glyphsOf,
    )
  return { light: within(1, 350), regular: within(350, 450), medium: within(450, 600), bold: within(600, 1001) }
}

function roleOf(sample: Sample): FontRole {
  if (isIn(sample, 'pre') || /^(?:code|kbd|samp|pre)$/.test(sample.tag)) return 'code'
  return headingAround(sample) ? 'heading' : 'body'
}

function headingAround(sample: Sample): string | undefined {
  for (let at: Sample | undefined = sample, up = 0; at && up < 4; at = at.parent, up++)
    if (/^h[1-6]$/.test(at.tag)) return at.tag
  return undefined
}

/** Returns the first family of a font stack under its common name; build tools obfuscate it (`__Inter_a1b2c3`). */
export function firstFamily(stack: string): string | undefined {
  const first =
    stack
      .split(',')[0]
      ?.trim()
      .replace(/^["']|["']$/g, '') ?? ''
  if (first === '') return undefined
  if (/^(?:-apple-system|BlinkMacSystemFont|system-ui|ui-sans-serif)$/i.test(first)) return 'system-ui'
  const hidden = /^__(.+?)(?:_Fallback)?_[0-9a-f]{4,}$/i.exec(first)?.[1]
  return (hidden ?? first).replaceAll('_', ' ').slice(0, 80)
}
