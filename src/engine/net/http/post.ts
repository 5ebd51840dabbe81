import { Readable } from 'node:stream'
import type { RuleOf } from '../team-rules.ts'
import { toServiceRequest, withinTime } from './api-client.ts'
import { arriveTolerantly, type TolerantOptions } from './arrival.ts'

export type PosterOptions = Pick<TolerantOptions, 'lookup' | 'connectTimeoutMs'> & { ruleOf: RuleOf; userAgent: string }
export type PostRequest = {
  url: string
  /** Which private hosts it may reach depends on it. */
  teamId: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Until the status is known. */
  timeoutMs: number
  signal: AbortSignal
}
/** Whatever the status, it is an answer: redirects are not followed. */
export type Post = (request: PostRequest) => Promise<{ status: number }>
export type Poster = { post: Post }

/**
 * Sends to receivers at allowed hosts only. An answer need not be proper HTTP, and nothing is sent twice: the receiver may have
 * acted. Errors are SCRAPE_* as those of the fetcher, or BAD_REQUEST for a URL.
 */
export function createPoster({ userAgent, ruleOf, ...options }: PosterOptions): Poster {
  return {
    post: (request) =>
      withinTime(request, async (signal) => {
        const standard = { 'user-agent': userAgent, accept: '*/*' }
        const rule = await ruleOf(request.teamId)
        const hop = toServiceRequest(request.url, rule, standard, request.headers)
        const sent = { ...hop, method: 'POST' as const, body: request.body, signal }
        const { statusCode, body } = await arriveTolerantly(sent, { ...options, rule, certificates: 'verify' })
        // The status is all that counts.
        if (body instanceof Readable) body.destroy()
        return { status: statusCode }
      }),
  }
}
