import { createHmac } from 'node:crypto'
import type { ClaimedDelivery, Deliveries } from '../../contracts/crawl.ts'
import { AppError, type ErrorCode } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import type { Post } from '../net/http/post.ts'
import type { Clock } from '../../contracts/ports.ts'

export type DelivererOptions = {
  deliveries: Pick<Deliveries, 'claim' | 'sent' | 'failed' | 'nextDueAt'>
  post: Post
  clock: Clock
  log: Log
  /** Key of the signature; without one nothing is signed. */
  secret: string | undefined
  /** Pauses after the first, second, … failed try; after one more the event is abandoned. */
  retryMinutes: readonly number[]
  /** How long a receiver may take to answer. */
  timeoutMs?: number
  /** How long closing waits for what is under way. */
  graceMs?: number
}
export type Deliverer = {
  /** Call when an event may be due. */
  wake(): void
  /** A delivery that is cut short is sent again by the next process. */
  close(): Promise<void>
}

const atOnce = 8
/** Well above the time of an attempt and its record, as nobody else may send the event meanwhile. */
const leasePerTimeout = 3
/** A due event may have to wait for another process that sends an earlier one of the same crawl. */
const minSleepMs = 1000
/** Another process may have died and left its events. */
const maxSleepMs = 60_000
const minuteMs = 60_000

/**
 * Sends events that are due, several at a time but one of each crawl, so that they arrive in order. One that fails is
 * retried later and lets the next go first. Starts with `wake`; never keeps the process alive.
 */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const { deliveries, clock, log, timeoutMs = 10_000, graceMs = 2000 } = options
  const workerId = crypto.randomUUID()
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  const state = { isWanted: false, isClosed: false }
  let round: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const wake = () => {
    state.isWanted = true
    if (!state.isClosed) round ??= takeAll().finally(endRound)
  }
  const endRound = () => {
    round = undefined
    if (state.isWanted) wake()
  }
  const start = (delivery: ClaimedDelivery) => {
    const sending = deliver(options, delivery, timeoutMs, ending.signal)
      .catch((cause: unknown) => log.warn('webhook state could not be written', { webhookId: delivery.id, cause }))
      .finally(() => {
        underWay.delete(sending)
        wake()
      })
    underWay.add(sending)
  }
  const takeAll = async () => {
    clearTimeout(timer)
    const sleepMs = await takeWhileWanted().catch((cause: unknown) => {
      log.warn('webhooks could not be read', { cause })
      return maxSleepMs
    })
    if (!state.isClosed) timer = setTimeout(wake, sleepMs).unref()
  }
  /** Resolves to the pause until the next round, ms. */
  const takeWhileWanted = async () => {
    while (state.isWanted && !state.isClosed) {
      state.isWanted = false
      const room = atOnce - underWay.size
      if (room > 0) for (const each of await deliveries.claim(workerId, room, timeoutMs * leasePerTimeout)) start(each)
    }
    const dueAt = await deliveries.nextDueAt()
    return Math.min(maxSleepMs, Math.max(minSleepMs, (dueAt ?? Infinity) - clock.now()))
  }

  return {
    wake,
    async close() {
      state.isClosed = true
      await round
      clearTimeout(timer)
      const late = setTimeout(() => ending.abort(new Error('The program is ending.')), graceMs)
      await Promise.all(underWay)
      clearTimeout(late)
    },
  }
}

async function deliver(
  options: DelivererOptions,
  delivery: ClaimedDelivery,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { deliveries, post, secret } = options
  try {
    const attempted = await attempt({ post, secret, timeoutMs }, delivery, signal)
    await note(options, delivery, attempted)
  } catch (error) {
    if (!signal.aborted) throw error
    await deliveries.failed(delivery.id, 'The program ended before the receiver answered.', delivery.createdAt)
  }
}

async function note(
  { deliveries, clock, log, retryMinutes }: DelivererOptions,
  { id, crawlId, type, tries }: ClaimedDelivery,
  attempted: Attempt,
): Promise<void> {
  if (attempted.outcome === 'acknowledged') return deliveries.sent(id)
  const pause = attempted.outcome === 'failed' ? retryMinutes[tries - 1] : undefined
  const facts = { webhookId: id, crawlId, type, tries, why: attempted.why }
  if (pause !== undefined) {
    log.debug('webhook will be retried', facts)
    return deliveries.failed(id, attempted.why, clock.now() + pause * minuteMs)
  }
  log.warn('webhook abandoned', facts)
  return deliveries.failed(id, `${attempted.why} Tried ${tries === 1 ? 'once' : `${tries} times`}.`, undefined)
}

/** Outcome of one attempt; `refused` is final. */
type Attempt = { outcome: 'acknowledged' } | { outcome: 'failed' | 'refused'; why: string }

/** Sends an event once. Fails only with the reason of the signal. */
async function attempt(
  { post, secret, timeoutMs }: { post: Post; secret: string | undefined; timeoutMs: number },
  { url, headers, body }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const own = { 'content-type': 'application/json', ...signatureHeaders(secret, body) }
  try {
    const { status } = await post({ url, headers: { ...headers, ...own }, body, timeoutMs, signal })
    return outcomeOfStatus(status)
  } catch (error) {
    signal.throwIfAborted()
    return outcomeOfError(error)
  }
}

function outcomeOfStatus(status: number): Attempt {
  if (status >= 200 && status < 300) return { outcome: 'acknowledged' }
  if (status === 410) return { outcome: 'refused', why: 'The receiver answered 410, so no more events are sent.' }
  if (status >= 300 && status < 400)
    return { outcome: 'failed', why: `The receiver answered with a redirect (${status}), which is not followed.` }
  return { outcome: 'failed', why: `The receiver answered with status ${status}.` }
}

const permanentErrors: Partial<Record<ErrorCode, string>> = {
  SCRAPE_ADDRESS_REFUSED:
    'The receiver has a private, local or reserved address; the operator can add the host to GOSSAMER_ALLOW_HOSTS.',
  BAD_REQUEST: 'The URL or a header of the webhook cannot be sent.',
}

function outcomeOfError(error: unknown): Attempt {
  if (!(error instanceof AppError)) return { outcome: 'failed', why: 'The event could not be sent.' }
  const why = permanentErrors[error.code as ErrorCode]
  return why === undefined ? { outcome: 'failed', why: error.message } : { outcome: 'refused', why }
}

/** Two names for one value: receivers written for either service find theirs. */
const names = ['x-service-signature', 'x-firecrawl-signature']

/** Headers that prove who sent the body: `sha256=<hex>`, the HMAC-SHA256 of its bytes. None without a secret. */
export function signatureHeaders(secret: string | undefined, body: string): Record<string, string> {
  if (!secret) return {}
  const signature = `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`
  return Object.fromEntries(names.map((name) => [name, signature]))
}
