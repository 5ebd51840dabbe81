import type { Branding } from '../../../schema/scrape/branding-schema.ts'
import type { ButtonStyle } from './buttons.ts'
import { omitEmpty, type Box, isIn, paintOf, type Property, type Sample, heaviest, medianOf } from './samples.ts'

type Layout = NonNullable<Branding['layout']>

export function layoutOf(samples: readonly Sample[], window: Pick<Box, 'width' | 'height'>): Layout {
  const header = samples.find(
    ({ landmarks: place, box, tag }) =>
      tag !== 'body' &&
      place.at(-1) === 'header' &&
      box.top < 80 &&
      box.height >= 20 &&
      box.height < 300 &&
      box.width > window.width / 2,
  )
  const footer = samples.findLast(({ tag, box }) => tag === 'footer' && box.width > window.width / 2)
  return omitEmpty({
    grid: omitEmpty({ columns: columnsOf(samples), maxWidth: maxWidthOf(samples, window) }),
    headerHeight: header && `${header.box.height}px`,
    footerHeight: footer && `${footer.box.height}px`,
    sidebar: sidebarOf(samples, window),
  })
}

function maxWidthOf(samples: readonly Sample[], window: Pick<Box, 'width'>): string | undefined {
  const limited = samples.filter(
    (sample) =>
      sample.css('max-width').endsWith('px') && sample.px('max-width') >= 600 && sample.box.width >= 0.4 * window.width,
  )
  return heaviest(
    limited,
    (sample) => sample.css('max-width'),
    ({ box }) => box.width * box.height,
  )
}

function columnsOf(samples: readonly Sample[]): number | undefined {
  const grids = samples.filter(
    (sample) =>
      sample.css('display') === 'grid' && !isIn(sample, 'header', 'footer', 'nav', 'overlay') && tracks(sample) > 1,
  )
  return heaviest(grids, tracks, ({ box }) => box.width * box.height)
}

const tracks = (sample: Sample) =>
  sample
    .css('grid-template-columns')
    .split(/\s+(?![^(]*\))/)
    .filter((track) => track.endsWith('px')).length

/** Detects a tall, narrow block at one side. */
function sidebarOf(samples: readonly Sample[], window: Pick<Box, 'width' | 'height'>): 'left' | 'right' | undefined {
  const side = samples.find(
    ({ tag, landmarks: place, box, hint }) =>
      (tag === 'aside' || (tag === 'nav' && !place.includes('header')) || /sidebar/i.test(hint)) &&
      box.width >= 120 &&
      box.width <= 0.35 * window.width &&
      box.height >= 0.4 * window.height,
  )
  if (!side) return undefined
  return side.box.left + side.box.width / 2 < window.width / 2 ? 'left' : 'right'
}

const distances: readonly Property[] = ['padding-top', 'padding-left', 'margin-bottom', 'row-gap']
const units = [12, 10, 8, 6, 5, 4] as const
/** Share of distances that must fit the unit; every page has a few odd ones. */
const fitting = 0.8

export function spacingOf(samples: readonly Sample[], buttons: readonly ButtonStyle[]) {
  const seen = samples.filter((sample) => !isIn(sample, 'overlay'))
  return omitEmpty({
    baseUnit: baseUnitOf(seen.flatMap((sample) => distances.map((property) => sample.px(property)))),
    borderRadius: radiusOf(seen, buttons),
    padding: omitEmpty(paddings(seen, buttons)),
    margins: omitEmpty(margins(seen)),
  })
}

/** Returns the largest unit of which most distances are multiples. Ignores hairlines (< 4) and layout (> 128). */
export function baseUnitOf(values: readonly number[]): number | undefined {
  const real = values.filter((value) => value >= 4 && value <= 128)
  if (real.length < 5) return undefined
  return units.find((unit) => {
    const fits = real.filter((value) => Math.abs(value / unit - Math.round(value / unit)) < 0.01)
    return fits.length >= fitting * real.length
  })
}

/** Returns the most frequent radius of cards and buttons; buttons count twice. */
function radiusOf(samples: readonly Sample[], styles: readonly ButtonStyle[]): string | undefined {
  const buttons = styles.flatMap(({ members }) => members)
  const cards = samples.filter(
    (sample) => (paintOf(sample) || sample.px('border-top-width') > 0) && isCardSized(sample),
  )
  const cornered = [...buttons, ...buttons, ...cards]
  return heaviest(cornered, (sample) => sample.css('border-top-left-radius') || undefined)
}

const isCardSized = ({ box, tag }: Sample) =>
  tag !== 'body' && box.width >= 40 && box.width <= 900 && box.height >= 24 && box.height <= 900

function paddings(samples: readonly Sample[], styles: readonly ButtonStyle[]) {
  const buttons = styles[0]?.members ?? []
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

/** Ignores zero, which means that the distance is set elsewhere. */
const common = (samples: readonly Sample[], property: Property) =>
  heaviest(
    samples.map((sample) => Math.round(sample.px(property))).filter((value) => value > 0),
    (value) => value,
  )

export const isField = ({ tag, kind, box }: Sample): boolean =>
  box.width >= 60 &&
  (/^(?:textarea|select)$/.test(tag) ||
    (tag === 'input' && /^(?:|text|email|search|tel|url|password|number|searchbox|combobox)$/.test(kind)))

export function densityOf(samples: readonly Sample[]): 'compact' | 'comfortable' | 'spacious' | undefined {
  const used = samples
    .flatMap((sample) => distances.map((property) => sample.px(property)))
    .filter((value) => value >= 4)
  const middle = medianOf(used, (value) => value)
  if (middle === undefined || used.length < 5) return undefined
  return middle < 10 ? 'compact' : middle <= 20 ? 'comfortable' : 'spacious'
}

export function roundnessOf(radius: string | undefined): 'sharp' | 'soft' | 'round' | undefined {
  if (radius === undefined) return undefined
  const size = Number.parseFloat(radius)
  return size < 3 ? 'sharp' : size <= 12 && !radius.includes('%') ? 'soft' : 'round'
}
