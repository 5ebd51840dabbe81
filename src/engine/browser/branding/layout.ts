import type { Branding } from '../../../schema/scrape/branding.ts'
import { given } from './given.ts'
import { type Box, isIn, type Sample } from './samples.ts'
import { heaviest } from './tally.ts'

type Layout = NonNullable<Branding['layout']>

export function layoutOf(samples: readonly Sample[], window: Pick<Box, 'width' | 'height'>): Layout {
  const header = samples.find(
    ({ place, box, tag }) =>
      tag !== 'body' &&
      place.at(-1) === 'header' &&
      box.top < 80 &&
      box.height >= 20 &&
      box.height < 300 &&
      box.width > window.width / 2,
  )
  const footer = samples.findLast(({ tag, box }) => tag === 'footer' && box.width > window.width / 2)
  return given({
    grid: given({ columns: columnsOf(samples), maxWidth: maxWidthOf(samples, window) }),
    headerHeight: header && `${header.box.height}px`,
    footerHeight: footer && `${footer.box.height}px`,
    sidebar: sidebarOf(samples, window),
  })
}

/** The width that most blocks in the middle are held to. */
function maxWidthOf(samples: readonly Sample[], window: Pick<Box, 'width'>): string | undefined {
  const held = samples.filter(
    (sample) =>
      sample.css('max-width').endsWith('px') && sample.px('max-width') >= 600 && sample.box.width >= 0.4 * window.width,
  )
  return heaviest(
    held,
    (sample) => sample.css('max-width'),
    ({ box }) => box.width * box.height,
  )
}

/** Columns of the grid with the most room, of grids that hold content. */
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

/** A tall, narrow block with links at one side. */
function sidebarOf(samples: readonly Sample[], window: Pick<Box, 'width' | 'height'>): 'left' | 'right' | undefined {
  const side = samples.find(
    ({ tag, place, box, hint }) =>
      (tag === 'aside' || (tag === 'nav' && !place.includes('header')) || /sidebar/i.test(hint)) &&
      box.width >= 120 &&
      box.width <= 0.35 * window.width &&
      box.height >= 0.4 * window.height,
  )
  if (!side) return undefined
  return side.box.left + side.box.width / 2 < window.width / 2 ? 'left' : 'right'
}
