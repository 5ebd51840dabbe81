import { setImmediate } from 'node:timers/promises'
import type { Agent } from 'undici'
import { forEachRule, type RuleOf } from '../address/team-rules.ts'
import {
  createServiceAgent,
  sendTwice,
  type ServiceAgentOptions,
  type ServiceCall,
  toServiceRequest,
  withinTime,
} from './service-call.ts'

export type PosterOptions = Omit<ServiceAgentOptions, 'rule'> & { ruleOf: RuleOf; userAgent: string }
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
export type Poster = { post: Post; close(): Promise<void> }

const maxAnswerBytes = 65_536
const answerTimeoutMs = 1000

/** Sends to receivers at allowed hosts only. Errors are SCRAPE_* as those of the fetcher, or BAD_REQUEST for a URL. */
export function createPoster({ userAgent, ruleOf, ...options }: PosterOptions): Poster {
  const agents = forEachRule((rule) => createServiceAgent({ ...options, rule }))
  return {
    post: (request) =>
      withinTime(request, async (signal) => {
        const standard = { 'user-agent': userAgent, accept: '*/*' }
        const rule = await ruleOf(request.teamId)
        const hop = toServiceRequest(request.url, rule, standard, request.headers)
        return exchange(agents.of(rule), { ...hop, method: 'POST', body: request.body, signal })
      }),
    close: async () => void (await Promise.all(agents.all().map((agent) => agent.destroy()))),
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
