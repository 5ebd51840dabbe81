import { localTeamId, type Teams, type TeamWebhookSecret } from '../../contracts/account-ports.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { Deliveries, Delivery, QueuedEvent } from '../../contracts/job-ports.ts'
import { createFairSemaphore, type FairSemaphore } from '../../util/semaphore.ts'
import type { Post } from '../net/http/api-client.ts'
import { createHmac } from 'node:crypto'
import { AppError, type ErrorCode } from '../../kernel/error.ts'

/** Outcome of one attempt; `refused` is final. */
type Attempt = { outcome: 'acknowledged' } | { outcome: 'failed' | 'refused'; why: string }

/** Sends an event once. Fails only with the signal's reason. */
async function attempt(
  { post, teamId, secret, timeoutMs }: { post: Post; teamId: string; secret: string | undefined; timeoutMs: number },
  { url, headers, body }: Pick<Delivery, 'url' | 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<Attempt> {
  const own = { 'content-type': 'application/json', ...signatureHeaders(secret, body) }
  try {
    const { status } = await post({ url, teamId, headers: { ...headers, ...own }, body, timeoutMs, signal })
    return outcomeOfStatus(status)
  } catch (error) {
    signal.throwIfAborted()
    return outcomeOfError(error)
  }
}

function outcomeOfStatus(status: number): Attempt {
  if (status >= 200 && status < 300) return { outcome: 'acknowledged' }
  if (status === 410) return { outcome: 'refused', why: 'The receiver answered 410, so this event is not sent again.' }
  if (status >= 300 && status < 400)
    return { outcome: 'failed', why: `The receiver answered with a redirect (${status}), which is not followed.` }
  return { outcome: 'failed', why: `The receiver answered with status ${status}.` }
}

const permanentErrors: Partial<Record<ErrorCode, string>> = {
  SCRAPE_ADDRESS_REFUSED:
    'The receiver has a private, local or reserved address; the operator can add the host to GOSSAMER_ALLOW_HOSTS, or to the private hosts of the team.',
  BAD_REQUEST: 'The URL or a header of the webhook cannot be sent.',
}

function outcomeOfError(error: unknown): Attempt {
  if (!(error instanceof AppError)) return { outcome: 'failed', why: 'The event could not be sent.' }
  const why = permanentErrors[error.code as ErrorCode]
  return why === undefined ? { outcome: 'failed', why: error.message } : { outcome: 'refused', why }
}

/** Names of the signature header: that of this service and that of Firecrawl, with the same value. */
const names = ['x-service-signature', 'x-firecrawl-signature']

/** Returns headers that authenticate the body: `sha256=<hex>`, the HMAC-SHA256 of its bytes. Empty without a secret. */
export function signatureHeaders(secret: string | undefined, body: string): Record<string, string> {
  if (!secret) return {}
  const signature = `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`
  return Object.fromEntries(names.map((name) => [name, signature]))
}

type SecretOptions = {
  teams: Pick<Teams, 'stateOf'>
  /** Secret of the whole server. */
  shared: string | undefined
  /** True if the server also has other teams. */
  hasOthers(teamId: string): Promise<boolean>
}

/**
 * Creates a function that returns the secret for the webhooks of a team. If several teams share a server, each gets a
 * secret derived from that of the server, because a team that knows the server's secret could sign for the others.
 */
export const createTeamSecrets =
  ({ teams, shared, hasOthers }: SecretOptions) =>
  async (teamId: string): Promise<TeamWebhookSecret> => {
    const own = (await teams.stateOf(teamId)).webhookSecret
    if (typeof own === 'string') return { source: 'team', secret: own }
    if (own === null || shared === undefined) return { source: 'none', secret: undefined }
    if (teamId === localTeamId || !(await hasOthers(teamId))) return { source: 'server', secret: shared }
    return { source: 'derived', secret: createHmac('sha256', shared).update(teamId, 'utf8').digest('hex') }
  }

type Sent = { delivery: Delivery; triedAt: number; attempted: Attempt }
/** Sends an event once, when its host has capacity. Returns undefined if the event is deleted or the program ends. */
export type Send = (event: QueuedEvent, teamId: string, limitMs?: number) => Promise<Sent | undefined>

export type SenderOptions = {
  deliveries: Pick<Deliveries, 'read'>
  post: Post
  clock: Clock
  /** Secret that signs the team's events; without one they are unsigned. */
  secretOf(teamId: string): Promise<string | undefined>
  /** Time limit for the receiver's response. */
  timeoutMs?: number
}

/** Maximum number of concurrent requests to one host, for all teams together. */
const perHost = 8

export function createSender(options: SenderOptions, ending: AbortSignal): Send {
  const { deliveries, clock, post, secretOf, timeoutMs = 10_000 } = options
  const hosts = createHostLimit(perHost)
  const once: Send = async ({ id, url }, teamId, limitMs = timeoutMs) => {
    const leave = await hosts.enter(url, teamId, ending)
    try {
      const delivery = await deliveries.read(id)
      const triedAt = clock.now()
      const secret = await secretOf(teamId)
      const limits = { post, teamId, secret, timeoutMs: Math.min(timeoutMs, limitMs) }
      return delivery && { delivery, triedAt, attempted: await attempt(limits, delivery, ending) }
    } finally {
      leave()
    }
  }
  return (event, teamId, limitMs) =>
    once(event, teamId, limitMs).catch((cause: unknown) => {
      if (ending.aborted) return undefined
      throw cause
    })
}

/** Limits concurrent requests per host, with teams in turn: many teams may use the same receiving service. */
function createHostLimit(atOnce: number) {
  const hosts = new Map<string, { turns: FairSemaphore; callers: number }>()
  return {
    async enter(url: string, teamId: string, signal: AbortSignal): Promise<() => void> {
      const name = URL.parse(url)?.host ?? url
      const host = hosts.get(name) ?? { turns: createFairSemaphore({ usual: atOnce, reserved: 0 }), callers: 0 }
      hosts.set(name, host)
      host.callers += 1
      const forget = () => {
        host.callers -= 1
        if (host.callers === 0) hosts.delete(name)
      }
      const leave = await host.turns.acquire(teamId, signal).catch((reason: unknown) => {
        forget()
        throw reason
      })
      return () => {
        leave()
        forget()
      }
    },
  }
}
