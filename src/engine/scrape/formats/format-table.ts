import type { Media, MediaError, PageContent } from '../../../contracts/page-content.ts'
import { fail } from '../../../kernel/error.ts'
import type { Format, FormatType } from '../../../schema/scrape/formats.ts'
import type { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { brandingByModel, cleanByModel, summaryByModel } from '../../model/page/ask-model.ts'
import type { BotChallenge } from '../../net/http/bot-challenge.ts'
import { isMostlyKept, withoutBoilerplate } from '../../understand/clean.ts'
import { summaryOf } from '../../understand/page-summary.ts'
import {
  type FieldsOf,
  type FormatFields,
  highlights,
  joined,
  type MadeBy,
  type Maker,
  type MakerOf,
  type PageView,
  question,
  understand,
} from './format-maker.ts'
import { changeTracking } from './change/tracking.ts'
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
  'too slow': 'yt-dlp was called, but did not respond in time.',
  'found none': 'yt-dlp was called as well and found none.',
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
      const media = await findMedia?.()
      if (!media) return { warning: none }
      const url = media[kind]
      return url === undefined ? { warning: `${none} ${because[media.error ?? 'found none']}` } : { [kind]: url }
    },
  }
}

const audio = mediaMaker('audio')
const video = mediaMaker('video')

/** The page is parsed once for the queries of all attribute formats; each format returns the values of its queries. */
const attributes: MakerOf<'attributes'> = {
  needs: ['attributes'],
  make: ({ content: { attributes: found = [] } }, { selectors }) => ({
    attributes: selectors.flatMap(
      ({ selector, attribute }) =>
        found.find((each) => each.selector === selector && each.attribute === attribute) ?? [],
    ),
  }),
}

const markdownMaker: MakerOf<'markdown'> = {
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

const summary: MakerOf<'summary'> = {
  needs: ['markdown'],
  async make(page) {
    const { markdown = '', metadata = {} } = page.content
    const { value, ...how } = await understand(page, {
      what: 'summary',
      byModel: (model) => summaryByModel(model, markdown),
      builtIn: () =>
        summaryOf(markdown, { title: textOf(metadata['title']), description: textOf(metadata['description']) }),
    })
    return { summary: value, ...how }
  },
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/**
 * Measured branding, refined by a model if there is one. The measurement is complete by itself, so a missing model
 * needs no warning.
 */
export const branding: MakerOf<'branding'> = {
  needs: ['markdown'],
  async make(page) {
    const { branding: measured, markdown = '' } = page.content
    if (measured === undefined) return {}
    const { value, madeBy } = await understand(page, {
      what: 'branding',
      byModel: (model) => brandingByModel(model, measured, markdown),
      builtIn: () => measured,
    })
    return { branding: value, madeBy }
  },
}

/** Makers of all formats. A missing format does not compile. */
const makers: { [T in FormatType]: MakerOf<T> } = {
  markdown: markdownMaker,
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

/** Change tracking in json mode, which needs more parts of the page. */
const dataTracking: MakerOf<'changeTracking'> = { ...changeTracking, needs: json.needs }

export const makerOf = (format: Format): Maker<Format> =>
  format.type === 'changeTracking' && format.modes?.includes('json') ? dataTracking : makers[format.type]

/**
 * Removes boilerplate of the site around the content (onlyCleanContent); returns the original if more than half of it
 * would be removed.
 */
async function cleanMarkdown(markdown: string, page: Pick<PageView, 'model'>): Promise<FormatFields> {
  if (page.model === 'nothing may leave')
    return {
      markdown,
      warning: 'onlyCleanContent is not supported with zero data retention, so the markdown is unchanged.',
    }
  const { value, ...how } = await understand(page, {
    what: 'cleaning',
    byModel: (model) => cleanByModel(model, markdown),
    builtIn: () => withoutBoilerplate(markdown),
  })
  if (isMostlyKept(value, markdown)) return { markdown: value, ...how }
  return { markdown, warning: 'onlyCleanContent was skipped: more than half of the page would have been removed.' }
}

type FormatInput = Pick<ScrapeInput, 'formats'> & Partial<Pick<ScrapeInput, 'onlyCleanContent'>>

/**
 * Creates the fields of all formats. Merges their warnings, the origin of their values, and the results of several
 * attribute formats.
 */
export async function makeFields(
  { formats, onlyCleanContent = false }: FormatInput,
  page: PageView,
): Promise<FormatFields> {
  const { markdown } = page.content
  const cleaned = onlyCleanContent && markdown ? await cleanMarkdown(markdown, page) : {}
  const view = { ...page, content: { ...page.content, ...(cleaned.markdown && { markdown: cleaned.markdown }) } }
  const made: FormatFields[] = await Promise.all(formats.map((format) => makerOf(format).make(view, format)))
  return [notesOf(cleaned), ...made].reduce<FormatFields>(
    (all, fields) => ({
      ...all,
      ...fields,
      ...(all.warning !== undefined && { warning: joined(all.warning, fields.warning) }),
      ...(all.madeBy && { madeBy: madeByBoth(all.madeBy, fields.madeBy) }),
      ...(all.attributes && fields.attributes && { attributes: [...all.attributes, ...fields.attributes] }),
    }),
    {},
  )
}

/** Merges two notes; if a model created one of the fields, the model is named. */
const madeByBoth = (one: MadeBy, other: MadeBy | undefined): MadeBy =>
  one.llmMode === 'model' ? { ...other, ...one } : { ...one, ...other }

/** The cleaned text itself is returned only if markdown was requested. */
const notesOf = ({ warning, madeBy }: FormatFields): FormatFields => ({
  ...(warning !== undefined && { warning }),
  ...(madeBy && { madeBy }),
})

/** Prefixes of warnings about a page that is not what was requested. */
export const pageTrouble = {
  wall: 'The site answered with a bot challenge',
  empty: 'The page has no readable text in its HTML',
  unmatched: 'includeTags matched no element',
} as const

const challengeText = ({ by }: BotChallenge) =>
  `${pageTrouble.wall} (${by}) instead of the page; nothing is billed. The operator can add enhanced proxies (GOSSAMER_PROXIES); a logged-in profile may also help.`
const emptyText = `${pageTrouble.empty}; it may be built by scripts in a browser.`
const emptyFileText = 'The file contains no readable text.'
const unmatchedText = `${pageTrouble.unmatched} of this page, so its content is empty.`

/** Joins all warnings of a scrape. */
export function warningOf(
  formats: readonly Format[],
  status: number,
  content: PageContent,
  { challenge, warning }: { challenge?: BotChallenge | undefined; warning?: string | undefined } = {},
): { warning?: string } {
  const isEmpty = formats.some(({ type }) => type === 'markdown') && status < 400 && !content.markdown?.trim()
  const empty = isEmpty ? (content.kind ? emptyFileText : emptyText) : undefined
  const nothing = content.matchesNothing ? unmatchedText : empty
  const warnings = [challenge && challengeText(challenge), content.warning, nothing, warning]
  const texts = warnings.filter((each) => each !== undefined)
  return texts.length > 0 ? { warning: texts.join(' ') } : {}
}
