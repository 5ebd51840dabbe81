import { isRecord } from '../../../../util/json.ts'
import type { Effect, Parameters } from '../case.ts'

const formatsOf = ({ formats }: Parameters): unknown[] => (Array.isArray(formats) ? formats : ['markdown'])
const typeOf = (format: unknown) => (isRecord(format) ? format['type'] : format)
const typesOf = (input: Parameters) => formatsOf(input).map(typeOf)
const optionsOf = (input: Parameters, type: string): Parameters | undefined => {
  const found = formatsOf(input).find((format) => typeOf(format) === type)
  return found === undefined ? undefined : isRecord(found) ? found : { type }
}
const withOptions = (input: Parameters, type: string, more: Parameters) =>
  formatsOf(input).map((format) => (typeOf(format) === type ? { ...optionsOf(input, type), ...more } : format))

/** Creates an effect for a format that was not requested. */
const missing = (format: string, asked: string): Effect => ({
  id: `no-${format}`,
  of: ['scrape'],
  asked,
  finds: (input) =>
    typesOf(input).includes(format)
      ? undefined
      : {
          says: `The request asks for the formats ${typesOf(input).join(', ')}, and ${format} is a format of its own. Add "${format}" to formats.`,
          parameters: { formats: [...formatsOf(input), format] },
        },
})

/** Unexpected effects of options of a single page. */
export const effectsOfPages: readonly Effect[] = [
  missing(
    'links',
    'there are no links in the answer; list of links is missing; none of its links; addresses on the page; where are the URLs of the page; links as a list',
  ),
  missing(
    'images',
    'list of images is missing; there are no image addresses; where are the pictures of the page as a list; URLs of photos',
  ),
  missing(
    'html',
    'there is no html in the answer; I need the tags; only markdown comes; structure of the page is lost',
  ),
  missing(
    'rawHtml',
    'source code of the page is missing; original html; script tags are gone; unchanged page; head of the page is missing',
  ),
  missing('screenshot', 'there is no screenshot in the answer; picture of the page is missing; no photo of the page'),
  missing('summary', 'there is no summary; short version of the text is missing; text should be shorter'),
  missing('branding', 'colours and fonts are missing; no logo in the answer'),
  {
    id: 'small-images',
    of: ['scrape'],
    asked:
      'pictures are missing in the markdown; icons and avatars are missing; thumbnails of products are missing; logo is missing; some images are left out',
    finds: ({ onlyMainContent, removeSmallImages }) =>
      onlyMainContent === false || removeSmallImages === false
        ? undefined
        : {
            says: 'The markdown of the main content leaves out icons, avatars, logos, thumbnails, pictures shown before, and those beyond 15 % of the answer. Set removeSmallImages to false for all pictures.',
            parameters: { removeSmallImages: false },
          },
  },
  {
    id: 'visible-part-only',
    of: ['scrape'],
    asked:
      'screenshot is cut off; picture ends in the middle of the page; only the top of the page is in the picture; lower part is missing in the image; only the first screen; bottom of the page is not in the screenshot',
    finds: (input) => {
      const options = optionsOf(input, 'screenshot')
      return options && options['fullPage'] !== true
        ? {
            says: 'The format screenshot shows the part of the page that a window shows, not all of it. Set fullPage of the format to true for the whole page.',
            parameters: { formats: withOptions(input, 'screenshot', { fullPage: true }) },
          }
        : undefined
    },
  },
  {
    id: 'screenshot-quality',
    of: ['scrape'],
    asked:
      'screenshot is blurred; picture is grainy; image has artefacts; bad quality of the picture; picture is not sharp',
    finds: (input) => {
      const quality = optionsOf(input, 'screenshot')?.['quality']
      return typeof quality === 'number'
        ? {
            says: `The screenshot is a JPEG of quality ${quality}. Leave quality out for a PNG, which loses nothing.`,
            parameters: { formats: withOptions(input, 'screenshot', { quality: undefined }) },
          }
        : undefined
    },
  },
  {
    id: 'whole-page-kept',
    of: ['scrape'],
    asked:
      'menus are in the text; markdown is full of navigation; header and footer are in the result; sidebar in the text; too much text; clutter; boilerplate; only want the article; rubbish around the text',
    finds: ({ onlyMainContent }) =>
      onlyMainContent === false
        ? {
            says: 'The request keeps the whole page, with menus, headers and footers, by onlyMainContent false. Set onlyMainContent to true for the main content alone.',
            parameters: { onlyMainContent: true },
          }
        : undefined,
  },
  {
    id: 'ads-kept',
    of: ['scrape'],
    asked: 'advertising is in the result; ads in the text; cookie banner in the picture; popup covers the page',
    finds: ({ blockAds }) =>
      blockAds === false
        ? {
            says: 'The request lets ads and cookie banners in, by blockAds false. Set blockAds to true.',
            parameters: { blockAds: true },
          }
        : undefined,
  },
  {
    id: 'never-cached',
    of: ['scrape'],
    asked:
      'never comes from the cache; goes to the site again each time; page is fetched every time; second call is as slow as the first; cache is not used; no cached copy; not stored in the cache; always a miss',
    finds: (input) => {
      const own = ['headers', 'actions', 'profile'].filter((name) => {
        const value = input[name]
        return isRecord(value) ? Object.keys(value).length > 0 : Array.isArray(value) && value.length > 0
      })
      if (own.length > 0)
        return {
          says: `Requests with ${own.join(' and ')} are neither read from the cache nor kept in it, since their page may be meant for one visitor. Leave ${own.join(' and ')} out where the page is the same for all.`,
          parameters: Object.fromEntries(own.map((name) => [name, null])),
        }
      if (input['storeInCache'] === false)
        return {
          says: 'The request keeps its page out of the cache, by storeInCache false. Set storeInCache to true.',
          parameters: { storeInCache: true },
        }
      return input['maxAge'] === 0
        ? {
            says: 'The request takes no copy of any age, by maxAge 0. Leave maxAge out for copies of up to two days.',
            parameters: { maxAge: null },
          }
        : undefined
    },
  },
  {
    id: 'price-of-pages',
    of: ['scrape'],
    asked:
      'a PDF is expensive; file was charged with more than one credit; why did one document cost several credits; many credits for one file; price of a PDF',
    finds: (_, { url, page }) =>
      /\.pdf(?:$|[?#])/i.test(page?.finalUrl ?? url ?? '')
        ? {
            says: 'A PDF whose text is read costs one credit for each of its pages. Limit the pages with maxPages of the parser, or set parsers to [] for the file as base64 at one credit.',
          }
        : undefined,
  },
  {
    id: 'price-of-proxy',
    of: ['scrape'],
    asked: 'one page cost five credits; a scrape is expensive; charged too much for one page; credits go too fast',
    finds: ({ proxy, lockdown }) =>
      proxy === 'enhanced' || proxy === 'stealth'
        ? {
            says: 'A page that is read by the enhanced proxy costs five credits. Set proxy to "basic", or to "auto", which pays for it only where it was needed.',
            parameters: { proxy: 'auto' },
          }
        : lockdown === true
          ? {
              says: 'An answer with lockdown costs five credits, or one if the cache has no copy. Leave lockdown out where the site may be asked.',
              parameters: { lockdown: false },
            }
          : undefined,
  },
]
