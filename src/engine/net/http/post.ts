import { setImmediate } from 'node:timers/promises'
import type { Agent } from 'undici'
import {
  createServiceAgent,
  sendTwice,
  type ServiceAgentOptions,
  type ServiceCall,
  toServiceRequest,
  withinTime,
} from './service-call.ts'

export type PosterOptions = ServiceAgentOptions & { userAgent: string }
export type PostRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Until the status is known. */
  timeoutMs: number
  signal: AbortSignal
}
/** Whatever the status, it is an answer: redirects are not followed. */
export type Post = (request: PostRequest) => Promise<{ status: number }>
export type Poster = { post: Post; close(): Promise<void> }

const maxAnswerBytes = 65_536
const answerTimeoutMs = 1000

/** Sends to receivers at allowed hosts only. Errors are SCRAPE_* as those of the fetcher, or BAD_REQUEST for a URL. */
export function createPoster({ userAgent, ...options }: PosterOptions): Poster {
  const agent = createServiceAgent(options)
  return {
    post: (request) =>
      withinTime(request, (signal) => {
        const standard = { 'user-agent': userAgent, accept: '*/*' }
        const hop = toServiceRequest(request.url, options.rule, standard, request.headers)
        return exchange(agent, { ...hop, method: 'POST', body: request.body, signal })
      }),
    close: () => agent.destroy(),
  }
}

async function exchange(agent: Agent, call: ServiceCall): Promise<{ status: number }> {
  const { statusCode, body } = await sendTwice(agent, call)
  // The status is all that counts, but a connection whose answer was read to its end can be used again.
  body.on('error', () => {})
  await body.dump({ limit: maxAnswerBytes, signal: AbortSignal.timeout(answerTimeoutMs) }).catch(() => {})
  // undici frees the connection one turn of the event loop after the body.
  await setImmediate()
  return { status: statusCode }
}
