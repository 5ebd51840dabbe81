import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/engine/store/sqlite/open-store.ts'
import type { Store, StoreOptions } from '../../src/engine/store/store.ts'
import { fakeClock, logBook } from '../contracts/fixtures.ts'
import type { OpenStore, StoreUnderTest } from '../contracts/store-under-test.ts'

/** SQLite in a folder of its own, with a thread of its own. */
export const openSqliteStore = openIn('its own')
/** The same without the thread. */
export const openSqliteHere = openIn('this one')

function openIn(thread: 'its own' | 'this one'): OpenStore<keyof Store> {
  return (settings) => openFolder({ ...settings, thread })
}

async function openFolder(settings: Partial<StoreOptions>): Promise<StoreUnderTest<keyof Store>> {
  const dir = await mkdtemp(join(tmpdir(), 'gossamer-store-'))
  const clock = fakeClock()
  const { log, lines } = logBook()
  const handles: Store[] = []
  const another = async () => {
    const options = { dir, clock, cacheMaxBytes: 2 ** 30, jobRetentionMs: 86_400_000, log, ...settings }
    const store = await openStore(options)
    handles.push(store)
    return store
  }
  const closeAll = async () => void (await Promise.all(handles.map((store) => store.close())))
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
      await rm(dir, { recursive: true, force: true })
    },
  }
}
