import { createClient } from '@redis/client'
import { openStore } from '../../../src/engine/store/sqlite/open-store.ts'
import { withRedis } from '../../../src/engine/store/redis/with-redis.ts'
import type { Store } from '../../../src/engine/store/store.ts'
import { fakeClock, logBook } from '../../contracts/fixtures.ts'
import type { OpenStore } from '../../contracts/store-under-test.ts'
import { tempDir } from '../../helpers/program.ts'

async function emptied(url: string): Promise<void> {
  const client = createClient({ url })
  await client.connect()
  await client.flushAll()
  await client.close()
}

/** Redis at this address, empty, over SQLite in a folder of its own. */
export function openOverRedis(url: () => string): OpenStore<keyof Store> {
  return async (settings) => {
    await emptied(url())
    const folder = tempDir()
    const clock = fakeClock()
    const { log, lines } = logBook()
    const handles: Store[] = []
    const another = async () => {
      const options = { dir: folder.path, clock, cacheMaxBytes: 2 ** 30, jobRetentionMs: 86_400_000, log, ...settings }
      const store = withRedis(await openStore(options), url(), options)
      handles.push(store)
      return store
    }
    const closeAll = async () => void (await Promise.all(handles.splice(0).map((store) => store.close())))
    return {
      store: await another(),
      clock,
      lines,
      another,
      async restart() {
        await closeAll()
        return another()
      },
      async close() {
        await closeAll()
        folder.remove()
      },
    }
  }
}
