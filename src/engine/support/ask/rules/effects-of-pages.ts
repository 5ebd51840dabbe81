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

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
/** Returns the items of a list of strings or of objects with a `type`. */
const kindsOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.map((each: unknown) => (isRecord(each) ? each['type'] : each)) : []
const maxResults = 100

const source = (name: string, asked: string): Effect => ({
  id: `no-${name}`,
  of: ['search'],
  asked,
  finds: ({ sources }) => {
    const kinds = kindsOf(sources ?? ['web'])
    return kinds.includes(name)
      ? undefined
      : {
          says: `The search asks the sources ${kinds.join(', ')}. Add "${name}" to sources.`,
          parameters: { sources: [...kinds, name] },
        }
  },
})

const profileOf = ({ profile }: Parameters) => (isRecord(profile) ? profile : undefined)

/** Unexpected effects of options of crawls, searches and sessions. */
export const effectsOfJobs: readonly Effect[] = [
  {
    id: 'sitemap-skipped',
    of: ['crawl'],
    asked:
      'page that is only in the sitemap is missing; pages of the sitemap were not found; sitemap is ignored; pages without links to them are missing',
    finds: ({ sitemap }) =>
      sitemap === 'skip'
        ? {
            says: 'The crawl follows links alone, by sitemap "skip", so pages that only the sitemap names are not found. Set sitemap to "include".',
            parameters: { sitemap: 'include' },
          }
        : undefined,
  },
  {
    id: 'sitemap-alone',
    of: ['crawl'],
    asked: 'linked pages are missing; links are not followed; only pages of the sitemap come; new pages are not found',
    finds: ({ sitemap }) =>
      sitemap === 'only'
        ? {
            says: 'The crawl takes the start page and the sitemaps alone, by sitemap "only", and follows no links. Set sitemap to "include".',
            parameters: { sitemap: 'include' },
          }
        : undefined,
  },
  {
    id: 'one-at-a-time',
    of: ['crawl', 'batch_scrape'],
    asked:
      'crawl reads one page at a time; pages come one after the other; not in parallel; crawl is slow; crawl takes hours; only a few pages at once',
    finds: ({ maxConcurrency }) =>
      typeof maxConcurrency === 'number'
        ? {
            says: `The job reads at most ${maxConcurrency} pages at the same time, by maxConcurrency. Leave maxConcurrency out for as many as the team may.`,
            parameters: { maxConcurrency: null },
          }
        : undefined,
  },
  {
    id: 'whole-addresses',
    of: ['crawl'],
    asked:
      'host in includePaths; whole URL as a pattern; nothing matches my pattern; query string in the pattern; excludePaths has no effect; crawl came back with nothing',
    finds: ({ includePaths, excludePaths, regexOnFullURL }) => {
      const whole = [...textsOf(includePaths), ...textsOf(excludePaths)].filter(
        (pattern) => /:\/\/|\\?\?.*=/.test(pattern) && !/^\^?https?\\?:/i.test(pattern),
      )
      return whole[0] === undefined || regexOnFullURL === true
        ? undefined
        : {
            says: `The pattern ${JSON.stringify(whole[0].slice(0, 100))} holds more than a path, and patterns are matched with the path alone. Set regexOnFullURL to true, or leave host and query out of the patterns.`,
            parameters: { regexOnFullURL: true },
          }
    },
  },
  {
    id: 'alike-pages',
    of: ['crawl'],
    asked:
      'pages with www are missing; http version is missing; index.html was left out; similar addresses are taken as one; duplicates are dropped',
    finds: ({ deduplicateSimilarURLs }) =>
      deduplicateSimilarURLs === false
        ? undefined
        : {
            says: 'Addresses that differ by www., http or https, a trailing slash or index.html count as one page. Set deduplicateSimilarURLs to false to read each.',
            parameters: { deduplicateSimilarURLs: false },
          },
  },
  {
    id: 'unsigned-events',
    of: ['crawl', 'batch_scrape'],
    asked:
      'signature header is missing; no X-Service-Signature; webhook is not signed; cannot verify the webhook; callback without signature; there is no such header',
    finds: ({ webhook }, { crawl }) =>
      webhook === undefined && crawl?.events === undefined
        ? undefined
        : {
            says: 'Events are signed only where a secret is set. Ask the operator to set GOSSAMER_WEBHOOK_SECRET, or a secret of your team (gossamer teams set TEAM --secret new); the header X-Service-Signature then comes with every event.',
          },
  },
  {
    id: 'invalid-addresses',
    of: ['batch_scrape'],
    asked:
      'some addresses are missing in the batch; not all URLs of my list were read; fewer results than addresses; links of the list were left out; some are not among the results',
    finds: () => ({
      says: 'A batch leaves out addresses that are invalid, such as those without a host or of another scheme than http and https; the answer that began it lists them in invalidURLs. Set ignoreInvalidURLs to false to have such a batch refused at once.',
      parameters: { ignoreInvalidURLs: false },
    }),
  },
  {
    id: 'results-without-text',
    of: ['search'],
    asked:
      'search gives only titles and descriptions; text of the results is missing; need what the pages say; no content in search results; full text of the pages; markdown of the results is missing',
    finds: () => ({
      says: 'A search returns titles, addresses and short passages; pages are read only where scrapeOptions asks for formats. Set scrapeOptions with the formats to read, such as markdown.',
      parameters: { scrapeOptions: { formats: ['markdown'] } },
    }),
  },
  {
    id: 'few-results',
    of: ['search'],
    asked:
      'search gives few results; only ten results; there must be more results; more hits; number of results is too small; only three results',
    finds: ({ limit }) => {
      const given = typeof limit === 'number' ? limit : 10
      return given >= maxResults
        ? undefined
        : {
            says: `The search returns at most ${given} results, by limit. Raise limit, up to ${maxResults}; every ten cost two credits.`,
            parameters: { limit: Math.min(maxResults, given * 5) },
          }
    },
  },
  source('images', 'search finds no pictures; no images in the results; photos are missing in the search'),
  source('news', 'search finds no news; no newspaper articles in the results; news are missing in the search'),
  {
    id: 'profile-not-saved',
    of: ['browser', 'scrape'],
    asked:
      'login is gone in the next session; profile does not keep anything; what I stored is gone; logged out again; cookies are lost; changes to the profile are not saved; same profile but not logged in',
    finds: (input) => {
      const profile = profileOf(input)
      return profile?.['saveChanges'] === false
        ? {
            says: 'The profile was opened to be read only, by saveChanges false, so nothing of the session was kept in it. Set saveChanges to true; one session at a time may save.',
            parameters: { profile: { ...profile, saveChanges: true } },
          }
        : undefined
    },
  },
  {
    id: 'short-life',
    of: ['browser'],
    asked:
      'session ends too early; browser closes by itself; session is gone after some minutes; browser does not stay open',
    finds: ({ ttl, activityTtl }) => ({
      says: `A session ends after ttl (${Number(ttl ?? 600)} s), and after activityTtl (${Number(activityTtl ?? 300)} s) without a call. Set both as long as it should live, up to 3600.`,
      parameters: { ttl: 3600, activityTtl: 3600 },
    }),
  },
  {
    id: 'code-cut-off',
    of: ['browser', 'interact'],
    asked:
      'my code is cut off in the middle; script stops before it is done; code was killed; code runs too long; program in the browser does not finish; execution stopped',
    finds: () => ({
      says: 'Code in a session is stopped when its timeout is up, which killed in the answer tells; it is 30 s unless the call says otherwise. Set timeout of the call to as many seconds as it needs, up to 300.',
      parameters: { timeout: 300 },
    }),
  },
  {
    id: 'other-language',
    of: ['browser', 'interact'],
    asked:
      'python code fails with a syntax error; my python program does not run in the browser; unexpected token; invalid syntax; bash script fails; my script is right but fails; code of another language',
    finds: ({ language }, { endpoint }) => ({
      says: `Code in a session is read as Node.js unless language says otherwise${endpoint === 'interact' && language !== undefined ? `, and it was ${String(language)}` : ''}. Set language to "python" or "bash" for code of those languages.`,
      parameters: { language: 'python' },
    }),
  },
]
