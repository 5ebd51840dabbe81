import { Readable } from 'node:stream'
import type { RuleOf } from '../team-rules.ts'
import { toServiceRequest, withinTime } from './api-client.ts'
import { arriveTolerantly, type TolerantOptions } from './arrival.ts'

export type PosterOptions = Pick<TolerantOptions, 'lookup' | 'connectTimeoutMs'> & { ruleOf: RuleOf; userAgent: string }
export type PostRequest = {
  url: string
  /** Determines which private hosts may be reached. */
  teamId: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Time limit until the status is received. */
  timeoutMs: number
  signal: AbortSignal
}
/** Sends a request. Any status is a valid response; redirects are not followed. */
export type Post = (request: PostRequest) => Promise<{ status: number }>
export type Poster = { post: Post }

/**
 * Creates a client that posts to receivers at allowed hosts. It accepts malformed HTTP responses. Requests are never
 * repeated, because the receiver may already have acted. Errors are SCRAPE_* like those of the fetcher, or BAD_REQUEST
 * for an invalid URL.
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
        // Only the status is needed.
        if (body instanceof Readable) body.destroy()
        return { status: statusCode }
      }),
  }
}
