import type { Clock } from '../../../contracts/ports.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Store } from '../store.ts'
import { openRedisLink } from './link.ts'
import { createRedisQuotas } from './quotas.ts'

const channel = 'gossamer:jobs'

/**
 * A store whose limits are counted in Redis, and whose programs hear by it at once of each job that another one begins: also those
 * that share a data folder. All else stays where it is.
 */
export function withRedis(store: Store, url: string, { clock, log }: { clock: Clock; log: Log }): Store {
  const link = openRedisLink(url, log)
  const telling =
    <A extends unknown[], R>(begin: (...asked: A) => Promise<R>) =>
    async (...asked: A): Promise<R> => {
      const begun = await begin(...asked)
      link.publish(channel)
      return begun
    }
  const { crawls, workflows, monitors } = store
  return {
    ...store,
    quotas: createRedisQuotas(link, store.quotas, clock),
    crawls: { ...crawls, start: telling(crawls.start), append: telling(crawls.append) },
    workflows: { ...workflows, start: telling(workflows.start) },
    monitors: { ...monitors, add: telling(monitors.add), update: telling(monitors.update) },
    listen(heard) {
      const ends = [link.subscribe(channel, heard), ...(store.listen ? [store.listen(heard)] : [])]
      return async () => void (await Promise.all(ends.map((end) => end())))
    },
    async close() {
      await store.close()
      await link.close()
    },
  }
}
