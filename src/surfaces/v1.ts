import { isRecord, recordsIn } from '../util/json.ts'
import type { RouteMatch, Router } from '../kernel/route.ts'

/** Input or output of an operation. */
type Sent = Readonly<Record<string, unknown>>

/** Removes fields without a value, so that defaults apply. */
const withValues = (fields: Sent): Sent =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** Translates the options of a scrape. Like all translations, it leaves unknown fields to the schema. */
export function scrapeOptions(sent: Sent): Sent {
  const { formats, extract, jsonOptions, changeTrackingOptions, parsePDF, geolocation, ...same } = sent
  const options: FormatOptions = { json: jsonOptions ?? extract, changeTracking: changeTrackingOptions }
  return withValues({
    formats: Array.isArray(formats) ? formatsOf(formats, options) : formats,
    parsers: parsePDF === false ? [] : undefined,
    location: geolocation,
    ...same,
  })
}

type FormatOptions = { json: unknown; changeTracking: unknown }

/**
 * Translates formats, which are names in `/v1`, with their options in sibling fields. `extract` is an old name of json.
 */
function formatsOf(names: readonly unknown[], options: FormatOptions): unknown[] {
  const named = names.map((name) => (name === 'extract' ? 'json' : name === 'content' ? 'markdown' : name))
  return [...new Set(named)].map((name) => {
    if (name === 'screenshot@fullPage') return { type: 'screenshot', fullPage: true }
    const more = name === 'json' || name === 'changeTracking' ? options[name] : undefined
    return isRecord(more) ? withValues({ ...more, type: name, systemPrompt: undefined }) : name
  })
}

export function batchOptions({ ignoreInvalidURLs = false, ...sent }: Sent): Sent {
  return { ...scrapeOptions(sent), ignoreInvalidURLs }
}

export function crawlOptions(sent: Sent): Sent {
  const { ignoreSitemap, allowBackwardLinks, maxDepth, scrapeOptions: page, excludePaths, ...same } = sent
  return withValues({
    sitemap: ignoreSitemap === true ? 'skip' : undefined,
    crawlEntireDomain: allowBackwardLinks,
    excludePaths: typeof maxDepth === 'number' ? withoutDeeper(sent, maxDepth) : excludePaths,
    scrapeOptions: isRecord(page) ? scrapeOptions(page) : page,
    ...withValues(same),
  })
}

/** Translates `maxDepth` to a pattern: `/v1` counts path segments below the start, `/v2` counts links. */
function withoutDeeper({ url, excludePaths = [], regexOnFullURL }: Sent, maxDepth: number): unknown {
  const path = typeof url === 'string' ? URL.parse(url.includes('://') ? url : `http://${url}`)?.pathname : undefined
  if (path === undefined || !Array.isArray(excludePaths)) return excludePaths
  const most = path.split('/').filter(Boolean).length + Math.max(0, Math.floor(maxDepth))
  const host = regexOnFullURL === true ? 'https?://[^/?#]+' : ''
  return [...excludePaths, `^${host}(?:/+[^/?#]+){${most + 1}}`]
}

export function mapOptions({ ignoreSitemap, sitemapOnly, useIndex, ...same }: Sent): Sent {
  return withValues({
    sitemap: sitemapOnly === true ? 'only' : ignoreSitemap === true ? 'skip' : undefined,
    ignoreCache: useIndex === false ? true : undefined,
    ...same,
  })
}

function extractOptions({ scrapeOptions: page, ...same }: Sent): Sent {
  return withValues({ scrapeOptions: isRecord(page) ? scrapeOptions(page) : page, ...same })
}

/** Sets the default number of pages of `/v1`. */
function llmsTxtOptions({ maxUrls = 10, __experimental_stream: _stream, ...same }: Sent): Sent {
  return withValues({ maxUrls, ...same })
}

/** Drops the language, which every client of `/v1` sends: `/v2` derives it from the country. */
export function searchOptions({ limit = 5, scrapeOptions: page, ...same }: Sent): Sent {
  return withValues({ limit, scrapeOptions: isRecord(page) ? scrapeOptions(page) : page, ...same, lang: undefined })
}

/** Translations between `/v1` and `/v2`; an absent one means no difference. */
export type Translation = { input?(sent: Sent): Sent; output?(output: Sent): Sent }

const status: Translation = {
  output: (output) => ({ ...withOwnUrl(output, 'next'), data: recordsIn(output['data']).map(documentOf) }),
}
const scraped: Translation = {
  output: (output) => (isRecord(output['data']) ? { ...output, data: documentOf(output['data']) } : output),
}
const startedJob = { output: (output: Sent) => withOwnUrl(output, 'url') }

/** Operations with a `/v1` route, by that route. */
const translations: Readonly<Record<string, Translation>> = {
  'POST /v2/scrape': { ...scraped, input: scrapeOptions },
  'GET /v2/scrape/:jobId': scraped,
  'POST /v2/crawl': { ...startedJob, input: crawlOptions },
  'GET /v2/crawl/:id': status,
  'DELETE /v2/crawl/:id': {},
  'GET /v2/crawl/:id/errors': {},
  'GET /v2/crawl/active': {},
  'POST /v2/batch/scrape': { ...startedJob, input: batchOptions },
  'GET /v2/batch/scrape/:id': status,
  'DELETE /v2/batch/scrape/:id': {},
  'GET /v2/batch/scrape/:id/errors': {},
  'POST /v2/map': {
    input: mapOptions,
    output: (output) => ({ ...output, links: recordsIn(output['links']).map(({ url }) => url) }),
  },
  'POST /v2/extract': { ...startedJob, input: extractOptions },
  'GET /v2/extract/:id': {},
  'DELETE /v2/extract/:id': {},
  'POST /v2/llmstxt': { ...startedJob, input: llmsTxtOptions },
  'GET /v2/llmstxt/:id': {},
  'POST /v2/search': { input: searchOptions, output: (output) => ({ ...output, data: webResults(output['data']) }) },
  'GET /v2/team/credit-usage': { output: withSnakeCase },
  'GET /v2/team/credit-usage/historical': {},
  'GET /v2/team/token-usage': { output: withSnakeCase },
  'GET /v2/team/token-usage/historical': {},
  'GET /v2/team/queue-status': {},
  'GET /v2/concurrency-check': {},
}

export type TranslatedMatch = RouteMatch & Required<Translation>
type V1Match = TranslatedMatch | Extract<ReturnType<Router>, { allowed: unknown }> | undefined

const unchanged = (value: Sent) => value

/** True if the response is sent unchanged. */
export const isUnchanged = ({ output }: TranslatedMatch): boolean => output === unchanged

/** A router that also matches `/v1` routes, for clients and loaders that still call them. */
export const withV1 =
  (router: Router) =>
  (method: string, url: URL): V1Match => {
    const isV1 = url.pathname.startsWith('/v1/')
    const match = isV1 ? router(methodOf(method, url), toV2(url)) : router(method, url)
    if (!match || 'allowed' in match) return match
    const translation = isV1 ? translations[match.operation.route] : {}
    return translation && { ...match, input: unchanged, output: unchanged, ...translation }
  }

const toV2 = (url: URL) => new URL(`/v2/${url.pathname.slice('/v1/'.length)}${url.search}`, url)

/** Treats DELETE of the errors of a job as GET, since SDK 1.x reads them so. */
const methodOf = (method: string, { pathname }: URL) =>
  method === 'DELETE' && pathname.endsWith('/errors') ? 'GET' : method

/** Replaces `/v2` in a URL that the client will follow, expecting a `/v1` response. */
function withOwnUrl(output: Sent, field: 'next' | 'url'): Sent {
  const url = output[field]
  return typeof url === 'string'
    ? { ...output, [field]: url.replace(/\/v2\/(?=crawl\/|batch\/|extract\/|llmstxt\/)/, '/v1/') }
    : output
}

/** Returns `json` also under its old name `extract`. */
const documentOf = (document: Sent): Sent =>
  'json' in document ? { ...document, extract: document['json'] } : document

/** The web results alone, as a list. */
const webResults = (data: unknown) => (isRecord(data) ? recordsIn(data['web']).map(documentOf) : [])

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function withSnakeCase(output: Sent): Sent {
  const data = isRecord(output['data']) ? Object.entries(output['data']) : []
  return { ...output, data: Object.fromEntries(data.map(([name, value]) => [snakeCase(name), value])) }
}
