import { z } from 'zod'
import { ProviderError, type SearchRequest } from '../../../contracts/search-port.ts'
import { digitsOf, type Range, countryName, domainsOf, scopeOf } from './shared/search-scope.ts'
import { type Context, defineProvider, inOneCall } from './shared/define-provider.ts'
import { readHits, text } from './shared/read-hits.ts'

const maxRecords = 250
const archiveMs = 90 * 86_400_000
/** Default country of requests, which restricts nothing. */
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

/** GDELT rejects a period that starts before its archive. */
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

/** GDELT writes country names without spaces. */
function countryOf({ country }: SearchRequest): string[] {
  const name = country === defaultCountry ? undefined : countryName(country)
  return name === undefined ? [] : [`sourcecountry:${name.toLowerCase().replace(/[^a-z]/g, '')}`]
}

/** GDELT reports errors as plain text with status 200, and its JSON may contain invalid escapes. */
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
