import type { Clock } from '../../../contracts/ports.ts'
import type { Quotas, Ticket } from '../quotas.ts'
import type { Client } from './client.ts'
import * as scripts from './scripts.ts'

/** What is counted in Redis. Credits are not: they are held and charged in one transaction of the database. */
export type Counts = Omit<Quotas, 'holdCredits' | 'releaseCredits'>

const minuteMs = 60_000

/** The counts over one connection. Each call is one script, and fails as the connection does. */
export function redisCounts(client: Client, clock: Clock): Counts {
  const run = async (script: string, asked: readonly (string | number)[], keys: string[] = []): Promise<unknown> =>
    client.eval(script, { keys, arguments: asked.map(String) })
  return {
    async join({ id, teamId, workerId }: Ticket, { maxConcurrency, maxWaiting }) {
      const most = maxConcurrency + maxWaiting
      const [state, ids] = listOf(await run(scripts.joinScript, [id, teamId, workerId, maxConcurrency, most]))
      const how = state === 'held' || state === 'full' ? state : 'waiting'
      return { state: how, letIn: textsOf(ids) }
    },
    leave: async ({ id, teamId }, most) => textsOf(await run(scripts.leaveScript, [id, teamId, most])),
    advance: async (teamId, most) => textsOf(await run(scripts.advanceScript, [clock.now(), teamId, most])),
    heldBy: async (workerId) => textsOf(await run(scripts.heldByScript, [workerId])),
    async load(teamId) {
      const [active, waiting] = listOf(await run(scripts.loadScript, [clock.now(), teamId]))
      return { active: Number(active), waiting: Number(waiting) }
    },
    async countCall({ teamId, endpoint, limit }) {
      const minute = Math.floor(clock.now() / minuteMs)
      const calls = Number(await run(scripts.countScript, [minute, limit], [scripts.countKey(teamId, endpoint)]))
      return { isCounted: calls > 0, left: calls > 0 ? limit - calls : 0 }
    },
    async renew(workerId, leaseMs) {
      const now = clock.now()
      return Number(await run(scripts.renewScript, [now, workerId, now + leaseMs])) === 1
    },
    workers: async () => (await client.zRange(scripts.workersKey, 0, -1)).toSorted(),
    release: async (workerId) => void (await run(scripts.releaseScript, [workerId])),
  }
}

const listOf = (answer: unknown): unknown[] => (Array.isArray(answer) ? answer : [])
const textsOf = (answer: unknown): string[] => listOf(answer).map(String)
