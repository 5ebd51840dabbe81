import type { Clock, Hosts } from '../../core/ports.ts'
import type { Db } from './db.ts'

/** How long a host counts as one that needs a browser; sites are rebuilt. */
const rememberedMs = 7 * 86_400_000
const maxKnown = 10_000

/** What is known of hosts, held in memory and written through. Look-ups never fail: an unreadable store knows nothing. */
export function createHosts({ db, clock }: { db: Db; clock: Clock }): Hosts {
  let loading: Promise<Map<string, number>> | undefined
  const known = () => (loading ??= load(db, clock).catch(() => new Map<string, number>()))
  return {
    async needsBrowser(host) {
      const since = (await known()).get(host)
      return since !== undefined && clock.now() - since < rememberedMs
    },
    async note(host, came) {
      const hosts = await known()
      if (came === 'whole' ? !hosts.delete(host) : hosts.has(host)) return
      const at = clock.now()
      if (came === 'empty' && hosts.size < maxKnown) hosts.set(host, at)
      await (
        came === 'empty'
          ? db.run(
              'INSERT INTO host_trait (host, empty_at) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET empty_at = excluded.empty_at',
              [host, at],
            )
          : db.run('DELETE FROM host_trait WHERE host = ?', [host])
      ).catch(() => undefined)
    },
  }
}

async function load(db: Db, clock: Clock): Promise<Map<string, number>> {
  const rows = await db.all('SELECT host, empty_at FROM host_trait WHERE empty_at > ? LIMIT ?', [
    clock.now() - rememberedMs,
    maxKnown,
  ])
  return new Map(rows.map((row) => [String(row['host']), Number(row['empty_at'])]))
}
