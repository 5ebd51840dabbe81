import { z } from 'zod'
import { SearchError, type SearchOperator, type SearchProvider, type SearchRequest } from '../../../contracts/search.ts'
import { type Api, ask } from '../provider/ask.ts'
import { digitsOf, type Range, rangeOf } from '../provider/dates.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { createPacer } from '../provider/pacer.ts'
import { countryName, urlOf } from '../provider/places.ts'
import { domainsOf, scopeOf, someWords } from '../provider/scope.ts'
import { toText } from '../query/to-text.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'site'])
const inText: ReadonlySet<SearchOperator> = new Set(['phrase', 'without'])
const maxRecords = 250
const knownMs = 90 * 86_400_000
/** The default of requests: it says nothing about whose news are wanted. */
const anyCountry = 'US'

const text = z.string().nullish()
/** Without any article it answers an empty object. */
const Answer = z.union([z.object({ articles: z.array(z.unknown()) }), z.strictObject({})])
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
      const range = knownPart(rangeOf(request.period), Date.now())
      const url = urlOf(`${baseUrl}/api/v2/doc/doc`, {
        query: queryOf(request),
        mode: 'artlist',
        format: 'json',
        maxrecords: Math.min(maxRecords, request.limit * 3),
        sort: request.period?.sort === 'date' ? 'datedesc' : 'hybridrel',
        startdatetime: range && digitsOf(range.from),
        enddatetime: range && digitsOf(range.to),
      })
      await pacer.turn(request)
      const answer = await ask(api, { url, method: 'GET', signal: request.signal })
      const found = shaped(dataIn(answer.text), Answer)
      return hitsFrom('articles' in found ? found.articles : [], Article, draftOf)
    },
  }
}

/** A search for older times would be refused as a whole. */
function knownPart(range: Range | undefined, now: number): Range | undefined {
  if (!range) return undefined
  const first = now - knownMs
  if (range.to > first) return { ...range, from: Math.max(range.from, first) }
  throw new SearchError('refused', 'It only knows the news of the last three months.', { pauseMs: 0 })
}

function queryOf(request: SearchRequest): string {
  const scope = scopeOf(request)
  const { include, exclude } = domainsOf(scope)
  const words = someWords(toText(scope.query, inText))
  const sites = include.map((domain) => `domain:${domain}`)
  return [
    scope.query.isAny ? words.replace(/(?:"[^"]*"|\S+)(?: OR (?:"[^"]*"|\S+))+/, '($&)') : words,
    ...(sites.length > 1 ? [`(${sites.join(' OR ')})`] : sites),
    ...exclude.map((domain) => `-domain:${domain}`),
    ...countryOf(request),
  ].join(' ')
}

/** It takes names of countries without their spaces. */
function countryOf({ country }: SearchRequest): string[] {
  const name = country === anyCountry ? undefined : countryName(country)
  return name === undefined ? [] : [`sourcecountry:${name.toLowerCase().replace(/[^a-z]/g, '')}`]
}

/** Failures come as sentences with status 200; good answers may have escapes that JSON does not know. */
function dataIn(body: string): unknown {
  if (/^\s*\{/.test(body)) {
    try {
      return JSON.parse(body.replace(/\\(?!["\\/bfnrtu])/g, '').replace(/\p{Cc}/gu, ' '))
    } catch {
      throw new SearchError('unreadable answer', 'It answered with something that is no JSON.')
    }
  }
  if (/limit requests/i.test(body)) throw new SearchError('rate limited', 'It takes no more requests for now.')
  if (/^\s*<|^\s*$/.test(body)) throw new SearchError('unreadable answer', 'It answered with a page instead of data.')
  throw new SearchError('refused', 'It does not take this query.', { pauseMs: 0 })
}

function draftOf({ url, title, seendate, socialimage, domain }: z.infer<typeof Article>) {
  const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(seendate ?? '') ?? []
  const date = day?.replace(/(....)(..)(..)/, '$1-$2-$3')
  return {
    url,
    // Its titles have spaces around every sign.
    title: (title ?? '').replace(/ +([,.:;!?%)’])/g, '$1'),
    description: domain,
    date: date && `${date}T${time?.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`,
    imageUrl: socialimage,
  }
}
