import { z } from 'zod'
import { ProviderError, type ProviderErrorKind } from '../../../contracts/search-port.ts'
import type { ApiResponse } from '../../net/http/api-client.ts'
import { isoTime } from './shared/search-scope.ts'
import { defineProvider, inOneCall } from './shared/define-provider.ts'
import { fromHtml, number, readHits, text } from './shared/read-hits.ts'

const maxResults = 100

/** Stack Overflow questions and answers: https://api.stackexchange.com/docs/excerpt-search. */
export const stackExchange = defineProvider({
  name: 'stack-exchange',
  rank: 'after results pages',
  docs: { finds: 'questions on Stack Overflow', limits: '300 requests a day; waits as long as it asks', time: 'exact' },
  baseUrl: 'https://api.stackexchange.com',
  sources: ['web'],
  operators: ['phrase', 'without'],
  period: 'exact',
  site: 'stackoverflow.com',
  // The limit is 30 requests a second; beyond it an IP address is blocked for minutes.
  pace: () => ({ count: 10, perMs: 1000 }),
  errorKindOf,
  search: inOneCall({
    call: ({ baseUrl, words, range, newestFirst, request: { query, limit } }) => ({
      url: `${baseUrl}/2.3/search/excerpts`,
      parameters: {
        q: words({ ...query, isAny: false }),
        site: 'stackoverflow',
        order: 'desc',
        sort: newestFirst ? 'creation' : 'relevance',
        pagesize: Math.min(maxResults, limit),
        fromdate: range && Math.floor(range.from / 1000),
        todate: range && Math.ceil(range.to / 1000),
      },
    }),
    read: readHits({
      body: z.object({ items: z.array(z.unknown()), backoff: number }),
      items({ items, backoff }, { pause }) {
        if (backoff) pause(backoff * 1000)
        return items
      },
      item: z.object({ question_id: z.number(), title: z.string(), excerpt: text, creation_date: number }),
      toHit: (item) => ({
        url: `https://stackoverflow.com/questions/${item.question_id}`,
        title: fromHtml(item.title),
        description: fromHtml(item.excerpt ?? ''),
        date: typeof item.creation_date === 'number' ? isoTime(item.creation_date * 1000) : undefined,
      }),
    }),
  }),
})

/** A throttled request has status 400 and error_id 502; the message contains the seconds to wait. */
function errorKindOf({ status, text: body }: ApiResponse): ProviderErrorKind | undefined {
  if (status !== 400 && status !== 502) return undefined
  if (!/"error_id"\s*:\s*502|throttle_violation/.test(body)) return undefined
  const [, seconds] = /available in (\d{1,6}) seconds/.exec(body) ?? []
  throw new ProviderError('rate limited', 'It accepts no more requests for now.', {
    pauseMs: seconds === undefined ? undefined : Number(seconds) * 1000,
  })
}
