import { isRecord } from '../../util/json.ts'

/** What clients of `/v1` send, in the words of `/v2`. What is not known stays as it is, for the schema to judge. */
export type Sent = Readonly<Record<string, unknown>>

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

export function extractOptions({ scrapeOptions: page, ...same }: Sent): Sent {
  return given({ scrapeOptions: isRecord(page) ? scrapeOptions(page) : page, ...same })
}

/** As many pages as `/v1` lists unless it is told otherwise. */
export function llmsTxtOptions({ maxUrls = 10, __experimental_stream: _stream, ...same }: Sent): Sent {
  return given({ maxUrls, ...same })
}

/** The language follows from the country; every client sends one. */
export function searchOptions({ limit = 5, scrapeOptions: page, ...same }: Sent): Sent {
  return given({ limit, scrapeOptions: isRecord(page) ? scrapeOptions(page) : page, ...same, lang: undefined })
}
