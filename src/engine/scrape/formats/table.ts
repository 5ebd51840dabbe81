import type { Format, FormatType } from '../../../schema/scrape/formats.ts'
import { attributes } from './attributes.ts'
import { changeTracking } from './change/tracking.ts'
import type { Maker } from './maker.ts'
import { audio, video } from './media.ts'

const markdown: Maker<unknown> = {
  needs: ['markdown'],
  make: ({ content }) => ({ markdown: content.markdown ?? '' }),
}
const html: Maker<unknown> = { needs: ['html'], make: ({ content }) => ({ html: content.html ?? '' }) }
const links: Maker<unknown> = { needs: ['links'], make: ({ content }) => ({ links: content.links ?? [] }) }
const images: Maker<unknown> = { needs: ['images'], make: ({ content }) => ({ images: content.images ?? [] }) }
const rawHtml: Maker<unknown> = { needs: [], needsBody: true, make: (page) => ({ rawHtml: page.rawHtml() }) }
const screenshot: Maker<unknown> = {
  needs: [],
  make: ({ content: { screenshot: url } }) => (url === undefined ? {} : { screenshot: url }),
}
const branding: Maker<unknown> = {
  needs: [],
  make: ({ content: { branding: found } }) => (found === undefined ? {} : { branding: found }),
}

const none = 'There is no product on this page that its structured data describes.'

const product: Maker<unknown> = {
  needs: ['product'],
  make: ({ content: { product: found } }) => (found ? { product: found } : { warning: none }),
}

type FormatOf<T extends FormatType> = Extract<Format, { type: T }>

/** How each format is made; `unsupported` ones are refused. A format that is missing here does not compile. */
export const makers: { [T in FormatType]: Maker<FormatOf<T>> | 'unsupported' } = {
  markdown,
  html,
  rawHtml,
  links,
  images,
  attributes,
  summary: 'unsupported',
  branding,
  audio,
  video,
  screenshot,
  changeTracking,
  json: 'unsupported',
  product,
  question: 'unsupported',
  highlights: 'unsupported',
}

export function makerOf(format: Format): Maker<Format> | undefined {
  const maker = makers[format.type]
  return maker === 'unsupported' ? undefined : (maker as Maker<Format>)
}
