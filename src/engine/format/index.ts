import type { Format, FormatType } from '../../schema/formats.ts'
import { attributes } from './attributes.ts'
import { changeTracking } from './change/tracking.ts'
import type { Maker } from './maker.ts'
import { audio, video } from './media.ts'
import { branding, html, images, links, markdown, rawHtml, screenshot } from './page-formats.ts'
import { product } from './product.ts'

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
