import { z } from 'zod'
import { ProviderError, type SearchRequest } from '../../../contracts/search-port.ts'
import {
  countryName,
  digitsOf,
  domainsOf,
  languageOf,
  type Range,
  scopeOf,
  type Span,
  spanOf,
} from './shared/search-scope.ts'
import { type Context, defineProvider, inOneCall } from './shared/define-provider.ts'
import { feedShape, fromHtml, readHits, text } from './shared/read-hits.ts'

const maxRecords = 250
const archiveMs = 90 * 86_400_000
/** Default country of requests, for which results are not restricted. */
const defaultCountry = 'US'

/** News of the last three months: https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/. */
export const gdelt = defineProvider({
  name: 'gdelt',
  rank: 'after results pages',
  docs: {
    finds: 'news of the last three months',
    limits: '1 request in 5 s',
    time: 'exact',
    location: 'country of the paper',
  },
  baseUrl: 'https://api.gdeltproject.org',
  sources: ['news'],
  operators: ['phrase', 'without', 'site'],
  operatorsInText: ['phrase', 'without'],
  period: 'exact',
  pace: () => ({ count: 1, perMs: 5000 }),
  search: inOneCall({
    call(context) {
      const { baseUrl, request, newestFirst } = context
      const range = withinArchive(context.range, Date.now())
      return {
        url: `${baseUrl}/api/v2/doc/doc`,
        parameters: {
          query: queryOf(context),
          mode: 'artlist',
          format: 'json',
          maxrecords: Math.min(maxRecords, request.limit * 3),
          sort: newestFirst ? 'datedesc' : 'hybridrel',
          startdatetime: range && digitsOf(range.from),
          enddatetime: range && digitsOf(range.to),
        },
      }
    },
    read: readHits({
      parse: parseBody,
      // A response without articles is an empty object.
      body: z.union([z.object({ articles: z.array(z.unknown()) }), z.strictObject({})]),
      items: (data) => ('articles' in data ? data.articles : []),
      item: z.object({ url: z.string(), title: text, seendate: text, socialimage: text, domain: text }),
      toHit({ url, title, seendate, socialimage, domain }) {
        const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(seendate ?? '') ?? []
        const date = day?.replace(/(....)(..)(..)/, '$1-$2-$3')
        return {
          url,
          // GDELT titles have spaces before punctuation.
          title: (title ?? '').replace(/ +([,.:;!?%)’])/g, '$1'),
          description: domain,
          date: date && `${date}T${time?.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`,
          imageUrl: socialimage,
        }
      },
    }),
  }),
})

/** Limits a period to the archive of GDELT, which rejects an earlier start. */
function withinArchive(range: Range | undefined, now: number): Range | undefined {
  if (!range) return undefined
  const first = now - archiveMs
  if (range.to > first) return { ...range, from: Math.max(range.from, first) }
  throw new ProviderError('refused', 'It only knows the news of the last three months.', { pauseMs: 0 })
}

function queryOf({ request, words: wordsOf }: Context): string {
  const scope = scopeOf(request)
  const { include, exclude } = domainsOf(scope)
  const words = wordsOf(scope.query)
  const sites = include.map((domain) => `domain:${domain}`)
  return [
    scope.query.isAny ? words.replace(/(?:"[^"]*"|\S+)(?: OR (?:"[^"]*"|\S+))+/, '($&)') : words,
    ...(sites.length > 1 ? [`(${sites.join(' OR ')})`] : sites),
    ...exclude.map((domain) => `-domain:${domain}`),
    ...countryOf(request),
  ].join(' ')
}

/** Returns the country filter. GDELT writes country names without spaces. */
function countryOf({ country }: SearchRequest): string[] {
  const name = country === defaultCountry ? undefined : countryName(country)
  return name === undefined ? [] : [`sourcecountry:${name.toLowerCase().replace(/[^a-z]/g, '')}`]
}

/** Parses a response of GDELT: errors are plain text with status 200, and its JSON may contain invalid escapes. */
function parseBody(body: string): unknown {
  if (/^\s*\{/.test(body)) {
    try {
      return JSON.parse(body.replace(/\\(?!["\\/bfnrtu])/g, '').replace(/\p{Cc}/gu, ' '))
    } catch {
      throw new ProviderError('unreadable answer', 'It did not answer with JSON.')
    }
  }
  if (/limit requests/i.test(body)) throw new ProviderError('rate limited', 'It accepts no more requests for now.')
  if (/^\s*<|^\s*$/.test(body)) throw new ProviderError('unreadable answer', 'It answered with a page instead of data.')
  throw new ProviderError('refused', 'It does not take this query.', { pauseMs: 0 })
}

const intervals: Partial<Record<Span, string>> = { day: '7', week: '8', month: '9' }

/** Bing News RSS feed, which needs no key: about a dozen articles. */
export const newsRss = defineProvider({
  name: 'bing-news',
  rank: 'after results pages',
  docs: { finds: "Bing's news feed, about a dozen articles", time: 'day, week, month', location: 'language, country' },
  baseUrl: 'https://www.bing.com',
  sources: ['news'],
  operators: ['phrase', 'without', 'site'],
  period: 'by the day',
  search: inOneCall({
    call: (context) => ({
      url: `${context.baseUrl}/news/search`,
      headers: { accept: 'application/rss+xml, application/xml;q=0.9' },
      parameters: parametersOf(context),
    }),
    read: readHits({
      ...feedShape,
      parse(body) {
        if (/^\s*(?:<!doctype html|<html)/i.test(body))
          throw new ProviderError('bot challenge', 'It answered with a page instead of a feed.')
        return feedShape.parse(body)
      },
      toHit: ({ title, link = '', content, date }) => ({
        url: targetOf(link),
        title: fromHtml(title),
        description: fromHtml(content),
        date,
      }),
    }),
  }),
})

function parametersOf({ request, words, newestFirst }: Context): Record<string, string | undefined> {
  const { query, ...domains } = scopeOf(request)
  const interval = intervals[spanOf(request.period) ?? 'year']
  const order = newestFirst ? ['sortbydate="1"'] : []
  const filters = [...(interval === undefined ? [] : [`interval="${interval}"`]), ...order]
  return {
    q: words(query, domains),
    format: 'rss',
    setmkt: `${languageOf(request)}-${request.country}`,
    qft: filters.length === 0 ? undefined : filters.join(' '),
  }
}

/** Returns the URL that a link leads to: links point to a click tracker. */
function targetOf(link: string): string {
  const url = URL.parse(link)
  return (url?.pathname.endsWith('/apiclick.aspx') && url.searchParams.get('url')) || link
}
