import type { Format, FormatType } from '../../../schema/scrape/formats.ts'
import { attributes } from './attributes.ts'
import { changeTracking } from './change/tracking.ts'
import type { Maker, MakerOf } from './maker.ts'
import { audio, video } from './media.ts'

const markdown: MakerOf<'markdown'> = {
  needs: ['markdown'],
  make: ({ content }) => ({ markdown: content.markdown ?? '' }),
}
const html: MakerOf<'html'> = { needs: ['html'], make: ({ content }) => ({ html: content.html ?? '' }) }
const links: MakerOf<'links'> = { needs: ['links'], make: ({ content }) => ({ links: content.links ?? [] }) }
const images: MakerOf<'images'> = { needs: ['images'], make: ({ content }) => ({ images: content.images ?? [] }) }
const rawHtml: MakerOf<'rawHtml'> = { needs: [], needsBody: true, make: (page) => ({ rawHtml: page.rawHtml() }) }
const screenshot: MakerOf<'screenshot'> = {
  needs: [],
  make: ({ content: { screenshot: url } }) => (url === undefined ? {} : { screenshot: url }),
}
const branding: MakerOf<'branding'> = {
  needs: [],
  make: ({ content: { branding: found } }) => (found === undefined ? {} : { branding: found }),
}

const none = 'The structured data of this page describes no product.'

const product: MakerOf<'product'> = {
  needs: ['product'],
  make: ({ content: { product: found } }) => (found ? { product: found } : { warning: none }),
}

/** How each format is made; `unsupported` ones are refused. A format that is missing here does not compile. */
export const makers: { [T in FormatType]: MakerOf<T> | 'unsupported' } = {
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

/** Undefined for an unsupported format. */
export function makerOf({ type }: Format): Maker<Format> | undefined {
  const maker = makers[type]
  return maker === 'unsupported' ? undefined : maker
}
