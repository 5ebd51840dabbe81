import { z } from 'zod'
import {
  ProviderError,
  type ProviderErrorKind,
  type SearchOperator,
  type SearchProvider,
  type SearchRequest,
} from '../../../contracts/search.ts'
import type { ApiResponse } from '../../net/http/api-client.ts'
import { type Api, callJsonApi, buildUrl } from './shared/call-api.ts'
import { isoTime, rangeOf } from './shared/dates.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { createPacer } from './shared/pacer.ts'
import { requireSite, requireWords } from './shared/scope.ts'
import { fromHtml } from './shared/plain-text.ts'
import { toText } from '../query/to-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without'])
const maxResults = 100

const ResponseBody = z.object({ items: z.array(z.unknown()), backoff: z.number().nullish() })
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
  // Its limit is 30 requests a second; beyond it an IP address is blocked for minutes.
  const pacer = createPacer({ count: 10, perMs: 1000 })
  return {
    name: 'stack-exchange',
    sources: new Set(['web']),
    operators,
    period: 'exact',
    weight: 0.6,
    async search(request) {
      requireSite(request, 'stackoverflow.com')
      await pacer.waitTurn(request)
      const response = await callJsonApi(api, requestOf(request, baseUrl), errorKindOf)
      const { items, backoff } = parseResponse(response, ResponseBody)
      if (backoff) pacer.pause(backoff * 1000)
      return parseHits(items, Item, (item) => ({
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
  const url = buildUrl(`${baseUrl}/2.3/search/excerpts`, {
    q: requireWords(toText({ ...query, isAny: false }, operators)),
    site: 'stackoverflow',
    order: 'desc',
    sort: period?.sort === 'date' ? 'creation' : 'relevance',
    pagesize: Math.min(maxResults, limit),
    fromdate: range && Math.floor(range.from / 1000),
    todate: range && Math.ceil(range.to / 1000),
  })
  return { url, method: 'GET', signal } as const
}

/** A throttled request has status 400 and error_id 502; the seconds to wait are in the message. */
function errorKindOf({ status, text }: ApiResponse): ProviderErrorKind | undefined {
  if (status !== 400 && status !== 502) return undefined
  if (!/"error_id"\s*:\s*502|throttle_violation/.test(text)) return undefined
  const [, seconds] = /available in (\d{1,6}) seconds/.exec(text) ?? []
  throw new ProviderError('rate limited', 'It accepts no more requests for now.', {
    pauseMs: seconds === undefined ? undefined : Number(seconds) * 1000,
  })
}

export const stackExchangeEntry: OpenProviderEntry = {
  rank: 'after results pages',
  docs: { finds: 'questions on Stack Overflow', limits: '300 requests a day; waits as long as it asks', time: 'exact' },
  create: (api) => stackExchange(api),
}
