import type { Branding } from '../../../schema/scrape/branding.ts'
import type { Look } from './buttons.ts'
import { given } from './given.ts'
import { isIn, paintOf, type Property, type Sample } from './samples.ts'
import { heaviest, medianOf } from './tally.ts'

const distances: readonly Property[] = ['padding-top', 'padding-left', 'margin-bottom', 'row-gap']
const units = [12, 10, 8, 6, 5, 4] as const
/** A few odd distances are in every page. */
const fitting = 0.8

export function spacingOf(samples: readonly Sample[], looks: readonly Look[]): NonNullable<Branding['spacing']> {
  const seen = samples.filter((sample) => !isIn(sample, 'overlay'))
  return given({
    baseUnit: baseUnitOf(seen.flatMap((sample) => distances.map((property) => sample.px(property)))),
    borderRadius: radiusOf(seen, looks),
    padding: given(paddings(seen, looks)),
    margins: given(margins(seen)),
  })
}

/** The largest unit that most distances are a multiple of. Distances under 4 are hairlines, over 128 layout. */
export function baseUnitOf(values: readonly number[]): number | undefined {
  const real = values.filter((value) => value >= 4 && value <= 128)
  if (real.length < 5) return undefined
  return units.find((unit) => {
    const fits = real.filter((value) => Math.abs(value / unit - Math.round(value / unit)) < 0.01)
    return fits.length >= fitting * real.length
  })
}

/** The corner most often seen on what has corners: cards, fields, and most of all buttons. */
function radiusOf(samples: readonly Sample[], looks: readonly Look[]): string | undefined {
  const buttons = looks.flatMap(({ members }) => members)
  const cards = samples.filter(
    (sample) => (paintOf(sample) || sample.px('border-top-width') > 0) && isCardSized(sample),
  )
  const cornered = [...buttons, ...buttons, ...cards]
  return heaviest(cornered, (sample) => sample.css('border-top-left-radius') || undefined)
}

const isCardSized = ({ box, tag }: Sample) =>
  tag !== 'body' && box.width >= 40 && box.width <= 900 && box.height >= 24 && box.height <= 900

function paddings(samples: readonly Sample[], looks: readonly Look[]) {
  const buttons = looks[0]?.members ?? []
  const fields = samples.filter(isField)
  const pageWidth = samples[0]?.box.width ?? 0
  const sections = samples.filter(
    ({ tag, box }) => /^(?:section|main|header|footer)$/.test(tag) && box.width > pageWidth / 2,
  )
  return {
    buttonVertical: common(buttons, 'padding-top'),
    buttonHorizontal: common(buttons, 'padding-left'),
    inputVertical: common(fields, 'padding-top'),
    inputHorizontal: common(fields, 'padding-left'),
    section: common(sections, 'padding-top'),
  }
}

function margins(samples: readonly Sample[]) {
  const tagged = (pattern: RegExp) => samples.filter(({ tag }) => pattern.test(tag))
  return {
    heading: common(tagged(/^h[1-3]$/), 'margin-bottom'),
    paragraph: common(tagged(/^p$/), 'margin-bottom'),
    section: common(tagged(/^section$/), 'margin-bottom'),
  }
}

/** Zero says that the distance is made elsewhere. */
const common = (samples: readonly Sample[], property: Property) =>
  heaviest(
    samples.map((sample) => Math.round(sample.px(property))).filter((value) => value > 0),
    (value) => value,
  )

export const isField = ({ tag, kind, box }: Sample): boolean =>
  box.width >= 60 &&
  (/^(?:textarea|select)$/.test(tag) ||
    (tag === 'input' && /^(?:|text|email|search|tel|url|password|number|searchbox|combobox)$/.test(kind)))

/** Room between lines and around sections, against what is usual. */
export function densityOf(samples: readonly Sample[]): 'compact' | 'comfortable' | 'spacious' | undefined {
  const room = samples
    .flatMap((sample) => distances.map((property) => sample.px(property)))
    .filter((value) => value >= 4)
  const middle = medianOf(room, (value) => value)
  if (middle === undefined || room.length < 5) return undefined
  return middle < 10 ? 'compact' : middle <= 20 ? 'comfortable' : 'spacious'
}

export function roundnessOf(radius: string | undefined): 'sharp' | 'soft' | 'round' | undefined {
  if (radius === undefined) return undefined
  const size = Number.parseFloat(radius)
  return size < 3 ? 'sharp' : size <= 12 && !radius.includes('%') ? 'soft' : 'round'
}
