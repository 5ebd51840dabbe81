import { openS3Objects } from '../../src/engine/objects/s3-objects.ts'
import { openStore } from '../../src/engine/store/sqlite/open-store.ts'
import type { Store } from '../../src/engine/store/store.ts'
import { fakeClock, logBook } from '../contracts/fixtures.ts'
import type { OpenStore } from '../contracts/store-under-test.ts'
import { tempDir } from '../helpers/program.ts'

/** SQLite in a folder of its own, with its large files in the store at this address. */
export function openWithObjects(url: () => string): OpenStore<keyof Store> {
  return async (settings) => {
    const folder = tempDir()
    const clock = fakeClock()
    const { log, lines } = logBook()
    const handles: Store[] = []
    const another = async () => {
      const objects = openS3Objects(url(), 'Gossamer/test')
      const options = { dir: folder.path, clock, cacheMaxBytes: 2 ** 30, jobRetentionMs: 86_400_000, log, objects }
      const store = await openStore({ ...options, ...settings })
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
