import type { Clock, Ports } from '../../contracts/ports.ts'
import type { TeamLimits } from '../../contracts/account.ts'
import { createIdempotency } from '../../engine/account/idempotency/once.ts'
import { createTeamQuotas } from '../../engine/account/quota/quotas.ts'
import { ratesOf } from '../../engine/account/rates.ts'
import { createTeamLimits } from '../../engine/account/team-limits.ts'
import type { Store } from '../../engine/store/store.ts'
import type { Log } from '../../kernel/log.ts'
import type { Config } from '../config.ts'

type Parts = { usage: Ports['usage']; store: () => Promise<Store>; clock: Clock; log: Log }

/** What the teams may use, by their own terms and otherwise by the settings, and what they have in use. */
export function openAccount(config: Config, { store, ...parts }: Parts) {
  const limitsOf = createTeamLimits({ find: async (id) => (await store()).teams.find(id) }, limitsIn(config))
  const { maxWaiting } = config
  const quotaStore = async () => (await store()).quotas
  const { close: closeQuotas, ...quotas } = createTeamQuotas({
    ...parts,
    quotas: quotaStore,
    limitsOf,
    maxWaiting,
  })
  const jobRetentionMs = config.jobRetentionHours * 3_600_000
  const port: Ports['account'] = { ...quotas, limitsOf, jobRetentionMs }
  const { log } = parts
  const { close: closeIdempotency, ...idempotency } = createIdempotency({
    calls: async () => (await store()).keyedCalls,
    quotas: quotaStore,
    log,
  })
  return { port, idempotency, close: async () => void (await Promise.all([closeQuotas(), closeIdempotency()])) }
}

/** Without limits of their own, teams share the live sessions of the machine. */
const limitsIn = ({ maxConcurrency, requestsPerMinute, monthlyCredits }: Config): TeamLimits => ({
  maxConcurrency,
  maxSessions: undefined,
  requestsPerMinute: ratesOf(requestsPerMinute),
  monthlyCredits,
  // How far it is allowed at all is decided where code is run.
  unsandboxedCode: true,
})
