import { z } from 'zod'
import {
  ProviderError,
  type SearchOperator,
  type SearchProvider,
  type SearchRequest,
} from '../../../contracts/search.ts'
import { type Api, callApi, buildUrl } from './shared/call-api.ts'
import { digitsOf, type Range, rangeOf } from './shared/dates.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { createPacer } from './shared/pacer.ts'
import { countryName } from './shared/locale.ts'
import { domainsOf, scopeOf, requireWords } from './shared/scope.ts'
import { toText } from '../query/to-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'site'])
const inText: ReadonlySet<SearchOperator> = new Set(['phrase', 'without'])
const maxRecords = 250
const archiveMs = 90 * 86_400_000
/** The default country of requests, which limits nothing. */
const defaultCountry = 'US'

const text = z.string().nullish()
/** A response without articles is an empty object. */
const ResponseBody = z.union([z.object({ articles: z.array(z.unknown()) }), z.strictObject({})])
const Article = z.object({ url: z.string(), title: text, seendate: text, socialimage: text, domain: text })

/** News of the last three months: https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/. One request in five seconds. */
export function gdelt(
  api: Api,
  { baseUrl = 'https://api.gdeltproject.org' }: { baseUrl?: string } = {},
): SearchProvider {
  const pacer = createPacer({ count: 1, perMs: 5000 })
  return {
    name: 'gdelt',
    sources: new Set(['news']),
    operators,
    period: 'exact',
    weight: 0.6,
    async search(request) {
      const range = withinArchive(rangeOf(request.period), Date.now())
      const url = buildUrl(`${baseUrl}/api/v2/doc/doc`, {
        query: queryOf(request),
        mode: 'artlist',
        format: 'json',
        maxrecords: Math.min(maxRecords, request.limit * 3),
        sort: request.period?.sort === 'date' ? 'datedesc' : 'hybridrel',
        startdatetime: range && digitsOf(range.from),
        enddatetime: range && digitsOf(range.to),
      })
      await pacer.waitTurn(request)
      const response = await callApi(api, { url, method: 'GET', signal: request.signal })
      const data = parseResponse(parseBody(response.text), ResponseBody)
      return parseHits('articles' in data ? data.articles : [], Article, toRawHit)
    },
  }
}

/** GDELT rejects a period that begins before its archive. */
function withinArchive(range: Range | undefined, now: number): Range | undefined {
  if (!range) return undefined
  const first = now - archiveMs
  if (range.to > first) return { ...range, from: Math.max(range.from, first) }
  throw new ProviderError('refused', 'It only knows the news of the last three months.', { pauseMs: 0 })
}

function queryOf(request: SearchRequest): string {
  const scope = scopeOf(request)
  const { include, exclude } = domainsOf(scope)
  const words = requireWords(toText(scope.query, inText))
  const sites = include.map((domain) => `domain:${domain}`)
  return [
    scope.query.isAny ? words.replace(/(?:"[^"]*"|\S+)(?: OR (?:"[^"]*"|\S+))+/, '($&)') : words,
    ...(sites.length > 1 ? [`(${sites.join(' OR ')})`] : sites),
    ...exclude.map((domain) => `-domain:${domain}`),
    ...countryOf(request),
  ].join(' ')
}

/** GDELT writes country names without spaces. */
function countryOf({ country }: SearchRequest): string[] {
  const name = country === defaultCountry ? undefined : countryName(country)
  return name === undefined ? [] : [`sourcecountry:${name.toLowerCase().replace(/[^a-z]/g, '')}`]
}

/** GDELT reports errors as plain text with status 200, and its JSON may hold invalid escapes. */
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

function toRawHit({ url, title, seendate, socialimage, domain }: z.infer<typeof Article>) {
  const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(seendate ?? '') ?? []
  const date = day?.replace(/(....)(..)(..)/, '$1-$2-$3')
  return {
    url,
    // Its titles have spaces before punctuation.
    title: (title ?? '').replace(/ +([,.:;!?%)’])/g, '$1'),
    description: domain,
    date: date && `${date}T${time?.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`,
    imageUrl: socialimage,
  }
}

export const gdeltEntry: OpenProviderEntry = {
  rank: 'after results pages',
  docs: {
    finds: 'news of the last three months',
    limits: '1 request in 5 s',
    time: 'exact',
    location: 'country of the paper',
  },
  create: (api) => gdelt(api),
}
