import type { Account, CreditHold, TeamLimits, Usage } from '../../../contracts/account.ts'
import { localTeamId } from '../../../contracts/account.ts'
import type { Clock } from '../../../contracts/ports.ts'
import { AppError, type ErrorCode } from '../../../kernel/error.ts'
import type { Log } from '../../../kernel/log.ts'
import { monthStart } from '../../../util/month.ts'
import type { Quotas } from '../../store/store.ts'
import { createLease, type Lease } from './lease.ts'
import { createLocalSlots } from './local-slots.ts'
import { createSharedSlots } from './shared-slots.ts'

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
 * What teams may still use, counted for all processes together. The local team is the operator's own: its slots are
 * those of this process, so that its calls need no database.
 */
export function createTeamQuotas(options: QuotaOptions): QuotaPort & { close(): Promise<void> } {
  const { quotas, limitsOf, maxWaiting, log } = options
  const lease = createLease({ quotas, log, lost: () => void shared.rejoin().catch(noteLoss) })
  const noteLoss = (cause: unknown) => log.warn('quotas could not be taken again', { cause })
  const local = createLocalSlots()
  const limitOf = async (teamId: string) => (await limitsOf(teamId)).maxConcurrency
  const shared = createSharedSlots({ quotas, limitOf, lease, log })

  async function take(teamId: string, signal: AbortSignal, most: number) {
    const { maxConcurrency } = await limitsOf(teamId)
    const limits = { maxConcurrency, maxWaiting: most }
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
    const wanted = { jobId, teamId, credits, limit: monthlyCredits, since, workerId: lease.workerId }
    const store = await quotas()
    const held = (await store.holdCredits(wanted)) || ((await lease.releaseDead()) && (await store.holdCredits(wanted)))
    if (held) return end
    end()
    return undefined
  }
  const isAffordable = async ({ teamId, credits, monthlyCredits }: CreditHold) =>
    (await usage.since(teamId, monthStart(clock.now()))) + credits <= monthlyCredits
  return {
    holdCredits: (wanted) =>
      unlessFull(
        () => hold(wanted),
        async () => ((await isAffordable(wanted)) ? () => {} : undefined),
      ),
    releaseCredits: async (jobId) => (await quotas()).releaseCredits(jobId),
  }
}

/** Where nothing can be written, calls that need not be stored are answered all the same. */
async function unlessFull<T>(run: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof AppError && error.code === ('STORAGE_FULL' satisfies ErrorCode)) return otherwise()
    throw error
  }
}
