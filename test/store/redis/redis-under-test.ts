import { createClient } from '@redis/client'
import { openStore } from '../../../src/engine/store/sqlite/open-store.ts'
import { withRedis } from '../../../src/engine/store/redis/with-redis.ts'
import type { Store } from '../../../src/engine/store/store.ts'
import type { OpenStore } from '../../contracts/store-under-test.ts'
import { tempDir } from '../../helpers/program.ts'
import { reopened } from '../reopened.ts'

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
    const { path: dir, remove } = tempDir()
    return reopened({
      open: async (usual) => {
        const options = { ...usual, dir, ...settings }
        return withRedis(await openStore(options), url(), options)
      },
      remove,
    })
  }
}
