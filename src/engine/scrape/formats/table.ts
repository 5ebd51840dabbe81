import type { Format, FormatType } from '../../../schema/scrape/formats.ts'
import { attributes } from './attributes.ts'
import { changeTracking } from './change/tracking.ts'
import type { Maker } from './maker.ts'
import { audio, video } from './media.ts'

const markdown: Maker<unknown> = {
  needs: ['markdown'],
  make: ({ parts }) => ({ markdown: parts.markdown ?? '' }),
}
const html: Maker<unknown> = { needs: ['html'], make: ({ parts }) => ({ html: parts.html ?? '' }) }
const links: Maker<unknown> = { needs: ['links'], make: ({ parts }) => ({ links: parts.links ?? [] }) }
const images: Maker<unknown> = { needs: ['images'], make: ({ parts }) => ({ images: parts.images ?? [] }) }
const rawHtml: Maker<unknown> = { needs: [], needsBody: true, make: (page) => ({ rawHtml: page.rawHtml() }) }
const screenshot: Maker<unknown> = {
  needs: [],
  make: ({ parts: { screenshot: taken } }) => (taken === undefined ? {} : { screenshot: taken }),
}
const branding: Maker<unknown> = {
  needs: [],
  make: ({ parts: { branding: found } }) => (found === undefined ? {} : { branding: found }),
}

const none = 'There is no product on this page that its structured data describes.'

const product: Maker<unknown> = {
  needs: ['product'],
  make: ({ parts: { product: found } }) => (found ? { product: found } : { warning: none }),
}

type FormatOf<T extends FormatType> = Extract<Format, { type: T }>

/** How each format is made; `later` is refused when asked for. A format that is missing here does not compile. */
export const makers: { [T in FormatType]: Maker<FormatOf<T>> | 'later' } = {
  markdown,
  html,
  rawHtml,
  links,
  images,
  attributes,
  summary: 'later',
  branding,
  audio,
  video,
  screenshot,
  changeTracking,
  json: 'later',
  product,
  question: 'later',
  highlights: 'later',
}

export function makerOf(format: Format): Maker<Format> | undefined {
  const maker = makers[format.type]
  return maker === 'later' ? undefined : (maker as Maker<Format>)
}
