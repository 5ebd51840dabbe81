import {
  type Account,
  type CreditHold,
  type TeamLimits,
  type Usage,
  type Slot,
  localTeamId,
  monthStart,
} from '../../contracts/account-ports.ts'
import type { Clock } from '../../contracts/ports.ts'
import { AppError, type ErrorCode } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import type { Quotas, TeamLoad, Ticket } from '../store/store.ts'
import { createLease, type Lease, createLocalSlots, queueFull, type SlotLimits } from './slot-lease.ts'
import { unlessAborted } from '../../util/async.ts'

type Waiter = { ticket: Ticket; enter(): void }
type SharedOptions = {
  quotas: () => Promise<Quotas>
  /** Returns the current limit, which may have changed since the ticket was queued. */
  limitOf(teamId: string): Promise<number>
  lease: Lease
  log: Log
}

/** Interval for detecting slots that other processes release. */
const pollMs = 25
/** Interval for detecting slots of killed processes. */
const sweepMs = 1000

/** Slots of each team, shared by all processes on one database and given out in order of arrival. */
function createSharedSlots(options: SharedOptions) {
  const { quotas, limitOf, lease } = options
  const waiting = new Map<string, Waiter>()
  const admit = (ids: readonly string[]) => ids.forEach((id) => waiting.get(id)?.enter())
  const watch = createWatch({ ...options, waiting, admit })
  const { leaveSoon, settled } = createReleases(options, admit)

  async function join(ticket: Ticket, limits: SlotLimits, signal: AbortSignal): Promise<boolean> {
    const { promise: admitted, resolve: enter } = Promise.withResolvers<void>()
    waiting.set(ticket.id, { ticket, enter })
    try {
      const joined = await (await quotas()).join(ticket, limits)
      admit(joined.admitted)
      if (joined.state === 'full') queueFull(limits)
      if (joined.state === 'waiting') watch.start()
      await unlessAborted(signal, admitted)
      return joined.state === 'waiting'
    } catch (cause) {
      leaveSoon(ticket)
      throw cause
    } finally {
      waiting.delete(ticket.id)
    }
  }

  return {
    /** Fails with QUEUE_FULL if too many calls are waiting, or with the signal's reason. */
    async take(teamId: string, limits: SlotLimits, signal: AbortSignal): Promise<Slot> {
      signal.throwIfAborted()
      const end = await lease.use()
      const ticket = { id: crypto.randomUUID(), teamId, workerId: lease.workerId }
      const hasWaited = await join(ticket, limits, signal).catch((cause: unknown) => {
        end()
        throw cause
      })
      const release = () => {
        end()
        leaveSoon(ticket)
      }
      return { hasWaited, release }
    },
    load: async (teamId: string): Promise<TeamLoad> => (await quotas()).load(teamId),
    /** Resolves when all pending releases are done. */
    settled,
    /** Queues all waiting tickets again. */
    async rejoin(): Promise<void> {
      const store = await quotas()
      for (const { ticket } of waiting.values()) {
        const limits = { maxConcurrency: await limitOf(ticket.teamId), maxWaiting: Number.MAX_SAFE_INTEGER }
        admit((await store.join(ticket, limits)).admitted)
      }
    },
  }
}

/** Releases slots in the background, so no response waits for it. */
function createReleases({ quotas, limitOf, log }: SharedOptions, admit: (ids: readonly string[]) => void) {
  const pending = new Set<Promise<void>>()
  const leave = async (ticket: Ticket) => admit(await (await quotas()).leave(ticket, await limitOf(ticket.teamId)))
  return {
    leaveSoon(ticket: Ticket): void {
      const release = leave(ticket)
        .catch((cause: unknown) => log.warn('slot could not be released', { cause }))
        .finally(() => pending.delete(release))
      pending.add(release)
    },
    settled: async () => void (await Promise.all(pending)),
  }
}

type WatchOptions = SharedOptions & {
  waiting: ReadonlyMap<string, Waiter>
  admit(ids: readonly string[]): void
}

/** While tickets wait, polls for tickets that other processes admitted and for slots of dead processes. */
function createWatch({ quotas, limitOf, lease, log, waiting, admit }: WatchOptions) {
  let timer: NodeJS.Timeout | undefined
  let sweptAt = performance.now()

  async function poll(): Promise<void> {
    const store = await quotas()
    admit(await store.heldBy(lease.workerId))
    if (performance.now() - sweptAt < sweepMs) return
    sweptAt = performance.now()
    await lease.releaseDead()
    const teams = new Set(Array.from(waiting.values(), ({ ticket }) => ticket.teamId))
    for (const teamId of teams) admit(await store.advance(teamId, await limitOf(teamId)))
  }
  const pollSoon = () => {
    timer = setTimeout(() => {
      poll()
        .catch((cause: unknown) => log.warn('slots could not be read', { cause }))
        .finally(() => {
          timer = undefined
          if (waiting.size > 0) pollSoon()
        })
    }, pollMs).unref()
  }
  return {
    start(): void {
      if (timer === undefined) pollSoon()
    },
  }
}

export type QuotaOptions = {
  quotas: () => Promise<Quotas>
  usage: Pick<Usage, 'since'>
  limitsOf: (teamId: string) => Promise<TeamLimits>
  maxWaiting: number
  clock: Clock
  log: Log
}
type HoldPort = Pick<Account, 'holdCredits' | 'releaseCredits'>
type QuotaPort = HoldPort & Pick<Account, 'load' | 'take' | 'enter' | 'countCall'>

const minuteMs = 60_000

/**
 * Quotas of teams, counted across all processes. The local team belongs to the operator: its slots are per process, so
 * its calls need no database.
 */
export function createTeamQuotas(options: QuotaOptions): QuotaPort & { close(): Promise<void> } {
  const { quotas, limitsOf, maxWaiting, log } = options
  const logLoss = (cause: unknown) => log.warn('quotas could not be taken again', { cause })
  const lease = createLease({ quotas, log, lost: () => void shared.rejoin().catch(logLoss) })
  const local = createLocalSlots()
  const limitOf = async (teamId: string) => (await limitsOf(teamId)).maxConcurrency
  const shared = createSharedSlots({ quotas, limitOf, lease, log })

  async function take(teamId: string, signal: AbortSignal, longestQueue: number) {
    const { maxConcurrency } = await limitsOf(teamId)
    const limits = { maxConcurrency, maxWaiting: longestQueue }
    if (teamId === localTeamId) return local.take(teamId, limits, signal)
    return unlessFull(
      () => shared.take(teamId, limits, signal),
      () => local.take(teamId, limits, signal),
    )
  }

  return {
    load: async (teamId) => (teamId === localTeamId ? local.load(teamId) : shared.load(teamId)),
    take: (teamId, signal) => take(teamId, signal, maxWaiting),
    enter: async (teamId, signal) => (await take(teamId, signal, Number.MAX_SAFE_INTEGER)).release,
    ...createRates(options),
    ...createHolds(options, lease),
    async close() {
      await shared.settled()
      await lease.close()
    },
  }
}

function createRates({ quotas, limitsOf, clock }: QuotaOptions): Pick<Account, 'countCall'> {
  return {
    async countCall(teamId, endpoint) {
      const { requestsPerMinute } = await limitsOf(teamId)
      const limit = requestsPerMinute[endpoint] ?? requestsPerMinute['*']
      if (limit === undefined) return undefined
      const rate = { limit, resetMs: minuteMs - (clock.now() % minuteMs) }
      return unlessFull(
        async () => ({ ...rate, ...(await (await quotas()).countCall({ teamId, endpoint, limit })) }),
        async () => ({ ...rate, isCounted: true, left: 0 }),
      )
    },
  }
}

function createHolds({ quotas, usage, clock }: QuotaOptions, lease: Lease): HoldPort {
  const hold: HoldPort['holdCredits'] = async ({ jobId, teamId, credits, monthlyCredits }) => {
    const end = await lease.use()
    const since = monthStart(clock.now())
    const request = { jobId, teamId, credits, limit: monthlyCredits, since, workerId: lease.workerId }
    const store = await quotas()
    const held =
      (await store.holdCredits(request)) || ((await lease.releaseDead()) && (await store.holdCredits(request)))
    if (held) return end
    end()
    return undefined
  }
  const isAffordable = async ({ teamId, credits, monthlyCredits }: CreditHold) =>
    (await usage.since(teamId, monthStart(clock.now()))) + credits <= monthlyCredits
  return {
    holdCredits: (request) =>
      unlessFull(
        () => hold(request),
        async () => ((await isAffordable(request)) ? () => {} : undefined),
      ),
    releaseCredits: async (jobId) => (await quotas()).releaseCredits(jobId),
  }
}

/** Uses the fallback if storage is full, so calls that need not be stored are still answered. */
async function unlessFull<T>(run: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof AppError && error.code === ('STORAGE_FULL' satisfies ErrorCode)) return otherwise()
    throw error
  }
}
