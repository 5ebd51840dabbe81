import { z } from 'zod'
import {
  SearchError,
  type SearchFault,
  type SearchOperator,
  type SearchProvider,
  type SearchRequest,
} from '../../../contracts/search.ts'
import type { ApiAnswer } from '../../net/http/api-client.ts'
import { type Api, askJson } from '../provider/ask.ts'
import { isoTime, rangeOf } from '../provider/dates.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { createPacer } from '../provider/pacer.ts'
import { urlOf } from '../provider/places.ts'
import { requireSite, someWords } from '../provider/scope.ts'
import { fromHtml } from '../provider/text.ts'
import { toText } from '../query/to-text.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without'])
const maxResults = 100

const Answer = z.object({ items: z.array(z.unknown()), backoff: z.number().nullish() })
const Item = z.object({
  question_id: z.number(),
  title: z.string(),
  excerpt: z.string().nullish(),
  creation_date: z.number().nullish(),
})

/** Questions and answers of Stack Overflow: https://api.stackexchange.com/docs/excerpt-search. 300 requests a day. */
export function stackExchange(
  api: Api,
  { baseUrl = 'https://api.stackexchange.com' }: { baseUrl?: string } = {},
): SearchProvider {
  // Its rule is 30 requests a second; beyond it an address is shut out for minutes.
  const pacer = createPacer({ count: 10, perMs: 1000 })
  return {
    name: 'stack-exchange',
    sources: new Set(['web']),
    operators,
    period: 'exact',
    weight: 0.6,
    async search(request) {
      requireSite(request, 'stackoverflow.com')
      await pacer.turn(request)
      const answer = await askJson(api, requestOf(request, baseUrl), faultOf)
      const { items, backoff } = shaped(answer, Answer)
      if (backoff) pacer.hold(backoff * 1000)
      return hitsFrom(items, Item, (item) => ({
        url: `https://stackoverflow.com/questions/${item.question_id}`,
        title: fromHtml(item.title),
        description: fromHtml(item.excerpt ?? ''),
        date: typeof item.creation_date === 'number' ? isoTime(item.creation_date * 1000) : undefined,
      }))
    },
  }
}

function requestOf({ query, period, limit, signal }: SearchRequest, baseUrl: string) {
  const range = rangeOf(period)
  const url = urlOf(`${baseUrl}/2.3/search/excerpts`, {
    q: someWords(toText({ ...query, isAny: false }, operators)),
    site: 'stackoverflow',
    order: 'desc',
    sort: period?.sort === 'date' ? 'creation' : 'relevance',
    pagesize: Math.min(maxResults, limit),
    fromdate: range && Math.floor(range.from / 1000),
    todate: range && Math.ceil(range.to / 1000),
  })
  return { url, method: 'GET', signal } as const
}

/** It tells a spent quota by 400 and its own number; the seconds to wait are in the sentence. */
function faultOf({ status, text }: ApiAnswer): SearchFault | undefined {
  if (status !== 400 && status !== 502) return undefined
  if (!/"error_id"\s*:\s*502|throttle_violation/.test(text)) return undefined
  const [, seconds] = /available in (\d{1,6}) seconds/.exec(text) ?? []
  throw new SearchError('rate limited', 'It takes no more requests for now.', {
    pauseMs: seconds === undefined ? undefined : Number(seconds) * 1000,
  })
}
