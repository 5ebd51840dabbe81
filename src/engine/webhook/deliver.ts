import { setTimeout as sleep } from 'node:timers/promises'
import { type ClaimedQueue, type Deliveries, eventTurns, type QueuedEvent } from '../../contracts/job-ports.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { Log } from '../../kernel/log.ts'
import { createNotifier } from '../../util/async.ts'
import { createRounds } from '../../util/rounds.ts'
import { hasDied, newWorkerId } from '../store/worker-id.ts'
import { createSender, type Send, type SenderOptions } from './sender.ts'

/** State of a queue at one moment. */
type QueueView = {
  now: number
  /** Events that are due and not being sent, in order. */
  due: readonly QueuedEvent[]
  /** An event of the earliest turn among the failed events that are not due yet. */
  missed: QueuedEvent | undefined
  sending: readonly QueuedEvent[]
  hasFailedLately(event: QueuedEvent): boolean
}
type QueuePlan = {
  /** Events that may be sent now, in order. */
  start: readonly QueuedEvent[]
  /** Time until which the other events wait for a failed one. */
  heldUntil?: number
}

/** Time that a failed event delays events of later turns. Then it is retried once, which may take as long again. */
const holdMs = 5000

/**
 * Plans which events are sent next: an event waits until no event of an earlier turn is being sent or due. A failed
 * event of an earlier turn is retried first, ahead of schedule, so that the receiver gets the events in order if it is
 * available again.
 */
function planOf({ now, due, missed, sending, hasFailedLately }: QueueView): QueuePlan {
  const start: QueuedEvent[] = []
  let front = Math.min(...sending.map(({ turn }) => turn), eventTurns.passed)
  for (const event of due) {
    if (event.turn === eventTurns.passed) start.push(event)
    if (event.turn === eventTurns.passed || event.turn > front) continue
    if (missed && missed.turn < event.turn) {
      const heldUntil = (missed.firstTriedAt ?? now) + holdMs
      if (heldUntil > now) return { start, heldUntil }
      if (!hasFailedLately(missed)) return { start: [...start, missed] }
    }
    front = event.turn
    start.push(event)
  }
  return { start }
}

type QueueTools = {
  deliveries: Pick<Deliveries, 'look' | 'read' | 'sent' | 'failed' | 'leave'>
  workerId: string
  send: Send
  clock: Clock
  log: Log
  retryMinutes: readonly number[]
}

type Queue = {
  /** Resolves when nothing is left to send for now. Rejects when the database fails. */
  ended: Promise<void>
  /** Checks for new events. */
  recheck(): void
}

const maxConcurrent = 8
/** Interval of looking for events that another process added. */
const lookMs = 1000
const minuteMs = 60_000
/** Failures of different events in a row after which the receiver counts as unavailable. */
const outage = 2

/**
 * Sends the events of one crawl, several at a time if their order allows. After a failure they are sent one by one
 * until one is accepted; after two failures the queue pauses.
 */
function openQueue(tools: QueueTools, claimed: ClaimedQueue, closing: AbortSignal): Queue {
  const { crawlId } = claimed
  const { deliveries, workerId, clock } = tools
  const changes = createNotifier()
  const receiver = createJudgement(claimed)
  const sending = new Map<string, { event: QueuedEvent; done: Promise<void> }>()
  let fault: { cause: unknown } | undefined

  const room = () => (closing.aborted ? 0 : Math.max(0, receiver.atOnce() - sending.size))
  const plan = async (): Promise<QueuePlan> => {
    if (room() === 0) return { start: [] }
    // An event settled during the query may still be due in its result.
    const before = new Set(sending.keys())
    const { due, missed } = await deliveries.look(crawlId, sending.size + maxConcurrent)
    return planOf({
      now: clock.now(),
      due: due.filter(({ id }) => !before.has(id)),
      missed,
      sending: [...sending.values()].map(({ event }) => event),
      hasFailedLately: receiver.hasFailed,
    })
  }
  const start = (event: QueuedEvent) => {
    const done = sendOne(tools, claimed.teamId, event)
      .then((outcome) => receiver.note(event, outcome))
      .catch((cause: unknown) => void (fault = { cause }))
      .finally(() => {
        sending.delete(event.id)
        changes.notify()
      })
    sending.set(event.id, { event, done })
  }

  async function work(): Promise<void> {
    try {
      for (;;) {
        const { start: ready, heldUntil } = await plan()
        receiver.choose(ready).slice(0, room()).forEach(start)
        if (fault) throw fault.cause
        if (sending.size === 0)
          return await deliveries.leave(crawlId, workerId, receiver.isAway() ? receiver.backAt(clock.now()) : heldUntil)
        await changes.wait(lookMs)
      }
    } finally {
      await Promise.all([...sending.values()].map(({ done }) => done))
    }
  }

  return { ended: work(), recheck: changes.notify }
}

/**
 * Outcome of an attempt. `none`: no request was sent. An event: the attempt failed, and `dueAt` is the time of the
 * next.
 */
type Outcome = 'sent' | 'none' | QueuedEvent

/** Availability of a receiver, judged by the last attempts. */
function createJudgement({ wasPaused }: ClaimedQueue) {
  const missed = new Map<string, QueuedEvent>()
  /** Events that failed since the last accepted one. */
  let failures = 0
  let isInDoubt = wasPaused
  const isAway = () => failures >= outage
  return {
    isAway,
    hasFailed: ({ id }: QueuedEvent) => missed.has(id),
    atOnce: () => (isAway() ? 0 : isInDoubt ? 1 : maxConcurrent),
    /** After a failure, events that never failed are tried first, to test the receiver with another event. */
    choose(events: readonly QueuedEvent[]): readonly QueuedEvent[] {
      const fresh = failures > 0 ? events.filter(({ tries }) => tries === 0) : []
      return fresh.length > 0 ? fresh : events
    },
    note(event: QueuedEvent, outcome: Outcome): void {
      if (outcome === 'none') return
      if (outcome !== 'sent') missed.set(event.id, outcome)
      if (outcome !== 'sent' && event.turn === eventTurns.passed) return
      failures = outcome === 'sent' ? 0 : failures + 1
      isInDoubt = outcome !== 'sent'
    },
    /** Returns when to try an unavailable receiver again: soon at first, then when its first failed event is due. */
    backAt(now: number): number | undefined {
      const [head] = [...missed.values()]
        .filter(({ dueAt }) => Number.isFinite(dueAt))
        .toSorted((one, other) => one.turn - other.turn || (one.id < other.id ? -1 : 1))
      if (!head) return undefined
      const heldUntil = (head.firstTriedAt ?? now) + holdMs
      return wasPaused || heldUntil <= now ? head.dueAt : heldUntil
    },
  }
}

async function sendOne(tools: QueueTools, teamId: string, event: QueuedEvent): Promise<Outcome> {
  const { deliveries, clock, log, workerId, retryMinutes } = tools
  const isEarly = event.dueAt > clock.now()
  const sent = await tools.send(event, teamId, isEarly ? holdMs : undefined)
  if (!sent) return 'none'
  const { delivery, triedAt, attempted } = sent
  if (attempted.outcome === 'acknowledged') {
    await deliveries.sent(event.id)
    return 'sent'
  }
  // An attempt ahead of schedule, made for later events, does not count.
  if (isEarly && attempted.outcome === 'failed') return event
  const tries = event.tries + 1
  const minutes = attempted.outcome === 'failed' ? retryMinutes[event.tries] : undefined
  const facts = { webhookId: event.id, crawlId: delivery.crawlId, type: delivery.type, tries, why: attempted.why }
  if (minutes === undefined) {
    log.warn('webhook abandoned', facts)
    const why = `${attempted.why} Tried ${tries === 1 ? 'once' : `${tries} times`}.`
    await deliveries.failed(event.id, workerId, { why, triedAt, retryAt: undefined })
    return { ...event, dueAt: Infinity }
  }
  log.debug('webhook will be retried', facts)
  const retryAt = clock.now() + minutes * minuteMs
  await deliveries.failed(event.id, workerId, { why: attempted.why, triedAt, retryAt })
  return { ...event, tries, firstTriedAt: event.firstTriedAt ?? triedAt, dueAt: retryAt }
}

export type DelivererOptions = SenderOptions &
  Pick<QueueTools, 'log' | 'retryMinutes'> & {
    deliveries: Omit<Deliveries, 'abandoned'>
    /** Time that closing waits for requests in progress, ms. */
    graceMs?: number
  }
type Deliverer = {
  /** Call when an event may be due. */
  wake(): void
  /** Interrupted deliveries are sent again by the next process. */
  close(): Promise<void>
}

/** Maximum number of concurrent queues per team: many, because most of them only wait for a receiver. */
const queuesPerTeam = 100
/** Time until queues of a process that died on another machine are taken over. */
const leaseMs = 30_000
/** Pause while queues are leased: leases are renewed, and workers may die. */
const shortSleepMs = 1000
/** Longest pause: another process may have died and left its events. */
const longSleepMs = 60_000
/** Pause of a queue whose state could not be written. */
const retryQueueMs = 10_000

/**
 * Creates a deliverer that sends due events, together with the other processes on the same data. It starts with `wake`,
 * and never keeps the process alive.
 */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const { deliveries, clock, log, graceMs = 2000 } = options
  const workerId = newWorkerId()
  const closing = new AbortController()
  const ending = new AbortController()
  const tools = { ...options, workerId, send: createSender(options, ending.signal) }
  const queues = createQueues(tools, closing.signal)
  const rounds = createRounds({
    async round() {
      const others = (await deliveries.workers()).filter((worker) => worker !== workerId)
      for (const dead of others.filter(hasDied)) await deliveries.release(dead)
      await queues.renew()
      for (const claimed of await deliveries.claim(workerId, queuesPerTeam, leaseMs)) queues.begin(claimed, wake)
      if (queues.count() > 0 || others.length > 0) return shortSleepMs
      const dueAt = await deliveries.nextDueAt()
      return Math.min(longSleepMs, Math.max(shortSleepMs, (dueAt ?? Infinity) - clock.now()))
    },
    failed(cause) {
      log.warn('webhooks could not be read', { cause })
      return longSleepMs
    },
  })
  const wake = () => {
    queues.recheck()
    rounds.wake()
  }

  return {
    wake,
    async close() {
      closing.abort(new Error('The program ends.'))
      queues.recheck()
      await rounds.close()
      const late = setTimeout(() => ending.abort(closing.signal.reason), graceMs)
      await queues.left()
      clearTimeout(late)
    },
  }
}

/** Creates the list of queues from which this process sends. */
function createQueues(tools: QueueTools & Pick<DelivererOptions, 'deliveries'>, closing: AbortSignal) {
  const { deliveries, workerId, log } = tools
  const open = new Map<string, { queue: Queue; left: Promise<void> }>()
  let renewedAt = performance.now()

  async function follow(queue: Queue, crawlId: string, ended: () => void): Promise<void> {
    try {
      await queue.ended
    } catch (cause) {
      log.warn('webhook state could not be written', { crawlId, cause })
      await sleep(retryQueueMs, undefined, { signal: closing, ref: false }).catch(() => {})
      // If this fails too, the lease expires.
      await deliveries.leave(crawlId, workerId).catch(() => {})
    }
    open.delete(crawlId)
    ended()
  }
  return {
    begin(claimed: ClaimedQueue, ended: () => void): void {
      const queue = openQueue(tools, claimed, closing)
      open.set(claimed.crawlId, { queue, left: follow(queue, claimed.crawlId, ended) })
    },
    count: () => open.size,
    recheck: () => open.forEach(({ queue }) => queue.recheck()),
    async renew(): Promise<void> {
      if (performance.now() - renewedAt < leaseMs / 3) return
      renewedAt = performance.now()
      if (open.size > 0) await deliveries.renew(workerId, [...open.keys()], leaseMs)
    },
    left: async () => void (await Promise.all([...open.values()].map(({ left }) => left))),
  }
}
