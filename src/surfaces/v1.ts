import { isRecord } from '../util/json.ts'
import type { RouteMatch, Router } from '../kernel/route.ts'

/** What clients of `/v1` send, in the words of `/v2`. What is not known stays as it is, for the schema to judge. */
type Sent = Readonly<Record<string, unknown>>

/** Without the fields that have no value: a default holds instead. */
const given = (fields: Sent): Sent =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** The options of one scrape. */
export function scrapeOptions(sent: Sent): Sent {
  const { formats, extract, jsonOptions, changeTrackingOptions, parsePDF, geolocation, ...same } = sent
  const options: FormatOptions = { json: jsonOptions ?? extract, changeTracking: changeTrackingOptions }
  return given({
    formats: Array.isArray(formats) ? formatsOf(formats, options) : formats,
    parsers: parsePDF === false ? [] : undefined,
    location: geolocation,
    ...same,
  })
}

type FormatOptions = { json: unknown; changeTracking: unknown }

/** Formats were names, their options lay beside them, and JSON was called `extract` at first. */
function formatsOf(names: readonly unknown[], options: FormatOptions): unknown[] {
  const named = names.map((name) => (name === 'extract' ? 'json' : name === 'content' ? 'markdown' : name))
  return [...new Set(named)].map((name) => {
    if (name === 'screenshot@fullPage') return { type: 'screenshot', fullPage: true }
    const more = name === 'json' || name === 'changeTracking' ? options[name] : undefined
    return isRecord(more) ? given({ ...more, type: name, systemPrompt: undefined }) : name
  })
}

export function batchOptions({ ignoreInvalidURLs = false, ...sent }: Sent): Sent {
  return { ...scrapeOptions(sent), ignoreInvalidURLs }
}

export function crawlOptions(sent: Sent): Sent {
  const { ignoreSitemap, allowBackwardLinks, maxDepth, scrapeOptions: page, excludePaths, ...same } = sent
  return given({
    sitemap: ignoreSitemap === true ? 'skip' : undefined,
    crawlEntireDomain: allowBackwardLinks,
    excludePaths: typeof maxDepth === 'number' ? withoutDeeper(sent, maxDepth) : excludePaths,
    scrapeOptions: isRecord(page) ? scrapeOptions(page) : page,
    ...given(same),
  })
}

/** `maxDepth` counts the parts of a path below the start; `/v2` counts links instead, so it becomes a pattern. */
function withoutDeeper({ url, excludePaths = [], regexOnFullURL }: Sent, maxDepth: number): unknown {
  const path = typeof url === 'string' ? URL.parse(url.includes('://') ? url : `http://${url}`)?.pathname : undefined
  if (path === undefined || !Array.isArray(excludePaths)) return excludePaths
  const most = path.split('/').filter(Boolean).length + Math.max(0, Math.floor(maxDepth))
  const host = regexOnFullURL === true ? 'https?://[^/?#]+' : ''
  return [...excludePaths, `^${host}(?:/+[^/?#]+){${most + 1}}`]
}

export function mapOptions({ ignoreSitemap, sitemapOnly, useIndex, ...same }: Sent): Sent {
  return given({
    sitemap: sitemapOnly === true ? 'only' : ignoreSitemap === true ? 'skip' : undefined,
    ignoreCache: useIndex === false ? true : undefined,
    ...same,
  })
}

function extractOptions({ scrapeOptions: page, ...same }: Sent): Sent {
  return given({ scrapeOptions: isRecord(page) ? scrapeOptions(page) : page, ...same })
}

/** As many pages as `/v1` lists unless it is told otherwise. */
function llmsTxtOptions({ maxUrls = 10, __experimental_stream: _stream, ...same }: Sent): Sent {
  return given({ maxUrls, ...same })
}

/** The language follows from the country; every client sends one. */
export function searchOptions({ limit = 5, scrapeOptions: page, ...same }: Sent): Sent {
  return given({ limit, scrapeOptions: isRecord(page) ? scrapeOptions(page) : page, ...same, lang: undefined })
}

/** How `/v1` says what `/v2` says otherwise; a part that is absent is the same. */
export type Translation = { input?(sent: Sent): Sent; output?(output: Sent): Sent }

const status: Translation = {
  output: (output) => ({ ...withOwnUrl(output, 'next'), data: listOf(output['data']).map(documentOf) }),
}
const scraped: Translation = {
  output: (output) => (isRecord(output['data']) ? { ...output, data: documentOf(output['data']) } : output),
}
const begun = { output: (output: Sent) => withOwnUrl(output, 'url') }

/** The operations that have a `/v1` route, by their own route. */
const translations: Readonly<Record<string, Translation>> = {
  'POST /v2/scrape': { ...scraped, input: scrapeOptions },
  'GET /v2/scrape/:jobId': scraped,
  'POST /v2/crawl': { ...begun, input: crawlOptions },
  'GET /v2/crawl/:id': status,
  'DELETE /v2/crawl/:id': {},
  'GET /v2/crawl/:id/errors': {},
  'GET /v2/crawl/active': {},
  'POST /v2/batch/scrape': { ...begun, input: batchOptions },
  'GET /v2/batch/scrape/:id': status,
  'DELETE /v2/batch/scrape/:id': {},
  'GET /v2/batch/scrape/:id/errors': {},
  'POST /v2/map': {
    input: mapOptions,
    output: (output) => ({ ...output, links: listOf(output['links']).map(({ url }) => url) }),
  },
  'POST /v2/extract': { ...begun, input: extractOptions },
  'GET /v2/extract/:id': {},
  'DELETE /v2/extract/:id': {},
  'POST /v2/llmstxt': { ...begun, input: llmsTxtOptions },
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
type Found = TranslatedMatch | Extract<ReturnType<Router>, { allowed: unknown }> | undefined

const unchanged = (value: Sent) => value

/** Whether the answer goes out as the operation gave it. */
export const isAsItIs = ({ output }: TranslatedMatch): boolean => output === unchanged

/** A router that also knows the routes of `/v1`, for clients and loaders that still call them. */
export const withV1 =
  (router: Router) =>
  (method: string, url: URL): Found => {
    const isV1 = url.pathname.startsWith('/v1/')
    const found = isV1 ? router(methodOf(method, url), toV2(url)) : router(method, url)
    if (!found || 'allowed' in found) return found
    const translation = isV1 ? translations[found.operation.route] : {}
    return translation && { ...found, input: unchanged, output: unchanged, ...translation }
  }

const toV2 = (url: URL) => new URL(`/v2/${url.pathname.slice('/v1/'.length)}${url.search}`, url)

/** SDK 1.x reads the errors of a job with DELETE. */
const methodOf = (method: string, { pathname }: URL) =>
  method === 'DELETE' && pathname.endsWith('/errors') ? 'GET' : method

/** Clients follow these URLs, and are to meet the answers of `/v1` there. */
function withOwnUrl(output: Sent, field: 'next' | 'url'): Sent {
  const url = output[field]
  return typeof url === 'string'
    ? { ...output, [field]: url.replace(/\/v2\/(?=crawl\/|batch\/|extract\/|llmstxt\/)/, '/v1/') }
    : output
}

const listOf = (value: unknown): Sent[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** What `/v1` called `extract` at first is there under both names. */
const documentOf = (document: Sent): Sent =>
  'json' in document ? { ...document, extract: document['json'] } : document

/** One list, of the web alone. */
const webResults = (data: unknown) => (isRecord(data) ? listOf(data['web']).map(documentOf) : [])

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function withSnakeCase(output: Sent): Sent {
  const data = isRecord(output['data']) ? Object.entries(output['data']) : []
  return { ...output, data: Object.fromEntries(data.map(([name, value]) => [snakeCase(name), value])) }
}
