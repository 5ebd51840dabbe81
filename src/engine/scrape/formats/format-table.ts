import type { Media, MediaError } from '../../../contracts/page-content.ts'
import { fail } from '../../../kernel/error.ts'
import type { Format, FormatType } from '../../../schema/scrape/formats.ts'
import {
  branding,
  highlights,
  question,
  summary,
  understand,
  type FieldsOf,
  type Maker,
  type MakerOf,
} from './format-maker.ts'
import { changeTracking, dataTracking } from './change/tracking.ts'
import { json } from './json-format.ts'
import { builtInMenu, menuByModel } from '../../understand/menu-of-page.ts'

/** Restaurant menu; for any other page, the result says that it is not a menu. */
const menu: MakerOf<'menu'> = {
  needs: ['markdown', 'metadata', 'menu'],
  async make(page) {
    const { value, ...how } = await understand(page, {
      what: 'menu',
      byModel: (model) => menuByModel(model, page),
      builtIn: () => builtInMenu(page),
    })
    return { menu: value, ...how }
  },
}

const install =
  'If yt-dlp is installed on the machine that runs Gossamer (`pipx install yt-dlp`; on the PATH, or set by GOSSAMER_YT_DLP_PATH), the media players of many sites are supported too.'
const because: Record<MediaError, string> = {
  'not installed': install,
  'too slow': 'yt-dlp was asked, but did not answer in time.',
  'found none': 'yt-dlp was asked as well and found none.',
}

const unsupported = { audio: 'SCRAPE_AUDIO_UNSUPPORTED_URL', video: 'SCRAPE_VIDEO_UNSUPPORTED_URL' } as const

/** Returns the URL that the page plays or names; yt-dlp finds URLs that only the page's player knows. */
function mediaMaker(kind: keyof Media): Maker<unknown, FieldsOf<'audio' | 'video'>> {
  const none = `The HTML of this page names no ${kind}.`
  return {
    needs: ['media'],
    async make({ content, findMedia }) {
      const named = content.media?.[kind]
      if (named !== undefined) return { [kind]: named }
      if (content.kind !== undefined) fail(unsupported[kind], { details: { kind: content.kind } })
      const found = await findMedia?.()
      if (!found) return { warning: none }
      const url = found[kind]
      return url === undefined ? { warning: `${none} ${because[found.error ?? 'found none']}` } : { [kind]: url }
    },
  }
}

const audio = mediaMaker('audio')
const video = mediaMaker('video')

/** The page was parsed for the queries of all attribute formats together; each format takes its own, in order. */
const attributes: MakerOf<'attributes'> = {
  needs: ['attributes'],
  make: ({ content: { attributes: found = [] } }, { selectors }) => ({
    attributes: selectors.flatMap(
      ({ selector, attribute }) =>
        found.find((each) => each.selector === selector && each.attribute === attribute) ?? [],
    ),
  }),
}

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

const noProduct = 'The structured data of this page describes no product.'

const product: MakerOf<'product'> = {
  needs: ['product'],
  make: ({ content: { product: found } }) => (found ? { product: found } : { warning: noProduct }),
}

/** Makers of all formats. A missing format does not compile. */
const makers: { [T in FormatType]: MakerOf<T> } = {
  markdown,
  html,
  rawHtml,
  links,
  images,
  attributes,
  summary,
  branding,
  audio,
  video,
  screenshot,
  changeTracking,
  json,
  product,
  menu,
  question,
  highlights,
}

export const makerOf = (format: Format): Maker<Format> =>
  format.type === 'changeTracking' && format.modes?.includes('json') ? dataTracking : makers[format.type]
