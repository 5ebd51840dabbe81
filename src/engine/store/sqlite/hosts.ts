import type { Db } from './db/db.ts'
import type { Hosts } from '../../../contracts/stored-pages.ts'
import type { Clock } from '../../../contracts/ports.ts'

/** Time for which a host counts as needing a browser; limited, because sites are rebuilt. */
const rememberedMs = 7 * 86_400_000
/** Time for which browsers are not used to complete pages of a host; remembered in memory only. */
const unfilledMs = 3_600_000
const maxKnown = 10_000
/** After this many consecutive pages with the same result, that result is expected of the whole host. */
const enough = 3
/**
 * If a host needs a browser, one in this many visits is tried without it, because a visit with a browser never shows
 * that the browser was unnecessary.
 */
const probeEvery = 8

/** Number of consecutive empty pages, the time of the last one, and the number of visits since. */
type Trait = { empties: number; at: number; visits: number }

/**
 * Properties of hosts, cached in memory and written through. Look-ups never fail: an unreadable store counts as empty.
 */
export function createHosts({ db, clock }: { db: Db; clock: Clock }): Hosts {
  let loading: Promise<Map<string, Trait>> | undefined
  const known = () => (loading ??= load(db, clock).catch(() => new Map<string, Trait>()))
  const recentTrait = (hosts: ReadonlyMap<string, Trait>, host: string): Trait => {
    const trait = hosts.get(host)
    return trait && clock.now() - trait.at < rememberedMs ? trait : { empties: 0, at: 0, visits: 0 }
  }
  const unfilled = createUnfilledCounts(clock)
  return {
    async needsBrowser(host) {
      const trait = recentTrait(await known(), host)
      if (trait.empties < enough) return false
      trait.visits += 1
      return trait.visits % probeEvery !== 0
    },
    addsNothing: async (host) => unfilled.has(host),
    async note(host, arrival) {
      if (arrival === 'filled' || arrival === 'not filled') return unfilled.note(host, arrival)
      const hosts = await known()
      if (arrival === 'whole') return forget(db, hosts, host)
      const trait = recentTrait(hosts, host)
      if (trait.empties >= enough || (hosts.size >= maxKnown && trait.empties === 0)) return
      hosts.set(host, { empties: trait.empties + 1, at: clock.now(), visits: 0 })
      if (trait.empties + 1 === enough) await remember(db, host, clock.now())
    },
  }
}

/** Counts consecutive pages of a host that a browser did not complete. */
function createUnfilledCounts(clock: Clock) {
  const counts = new Map<string, { times: number; at: number }>()
  return {
    has(host: string): boolean {
      const count = counts.get(host)
      return count !== undefined && count.times >= enough && clock.now() - count.at < unfilledMs
    },
    note(host: string, arrival: 'filled' | 'not filled'): void {
      const { times } = counts.get(host) ?? { times: 0 }
      counts.delete(host)
      if (arrival === 'filled') return
      if (counts.size >= maxKnown) counts.clear()
      counts.set(host, { times: times + 1, at: clock.now() })
    },
  }
}

async function forget(db: Db, hosts: Map<string, Trait>, host: string): Promise<void> {
  const trait = hosts.get(host)
  hosts.delete(host)
  if (trait && trait.empties >= enough)
    await db.run('DELETE FROM host_trait WHERE host = ?', [host]).catch(() => undefined)
}

async function remember(db: Db, host: string, at: number): Promise<void> {
  await db
    .run(
      'INSERT INTO host_trait (host, empty_at) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET empty_at = excluded.empty_at',
      [host, at],
    )
    .catch(() => undefined)
}

async function load(db: Db, clock: Clock): Promise<Map<string, Trait>> {
  const rows = await db.all('SELECT host, empty_at FROM host_trait WHERE empty_at > ? LIMIT ?', [
    clock.now() - rememberedMs,
    maxKnown,
  ])
  return new Map(rows.map((row) => [String(row['host']), { empties: enough, at: Number(row['empty_at']), visits: 0 }]))
}
