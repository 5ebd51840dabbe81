import type { PageCache } from '../../../../contracts/pages/page-cache.ts'
import type { Clock } from '../../../../contracts/ports.ts'
import type { Log } from '../../../../kernel/log.ts'
import { ownTurn } from '../../../../util/turns.ts'
import type { Db } from '../db/db.ts'

/**
 * Keyv is loaded by the first page, not when the program starts. Nobody waits for a write but who looks for the same page,
 * or closes: then it is hastened.
 */
export function createLazyPages(
  tools: { db: Db; clock: Clock; log: Log },
  maxBytes: number,
): PageCache & { idle(): Promise<void> } {
  let made: ReturnType<typeof open> | undefined
  const writing = new Map<string, Promise<void>>()
  const open = async () => (await import('./page-cache.ts')).createPageCache(tools, maxBytes)
  const pages = () => (made ??= open())
  const write = (key: string, run: (cache: PageCache) => Promise<void>): Promise<void> => {
    const all = Promise.all([pages().then(run), writing.get(key)])
    const written: Promise<void> = all
      .then(([done]) => done)
      .finally(() => {
        if (writing.get(key) === written) writing.delete(key)
      })
    writing.set(key, written)
    return written
  }
  const hastened = async (some: Iterable<Promise<void> | undefined>) => {
    const cache = await pages()
    // What was given a moment ago has not come through Keyv yet.
    await ownTurn()
    cache.hasten()
    await Promise.allSettled([tools.db.hasten(), ...some])
  }
  const after = async (key: string): Promise<PageCache> => {
    if (writing.has(key)) await hastened([writing.get(key)])
    return pages()
  }
  return {
    find: async (key) => (await after(key)).find(key),
    body: async (key) => (await after(key)).body(key),
    madeOfSame: async (key, ...same) => (await after(key)).madeOfSame(key, ...same),
    keep: (key, page, body) => write(key, (cache) => cache.keep(key, page, body)),
    addMade: (...added) => write(added[0], (cache) => cache.addMade(...added)),
    idle: async () => void (writing.size > 0 && (await hastened(writing.values()))),
  }
}
