import type { Store, StoreOptions } from '../../src/engine/store/store.ts'
import { fakeClock, logBook } from '../contracts/fixtures.ts'
import type { StoreUnderTest } from '../contracts/store-under-test.ts'

type Place = {
  /** Opens the store over the same data once more. */
  open(usual: Omit<StoreOptions, 'dir'>): Promise<Store>
  /** Gives the data up, once. */
  remove(): void | Promise<void>
}

/** A store that can be opened again, and more than once at a time. */
export async function reopened({ open, remove }: Place): Promise<StoreUnderTest<keyof Store>> {
  const clock = fakeClock()
  const { log, lines } = logBook()
  const handles: Store[] = []
  let isClosed = false
  const another = async () => {
    const store = await open({ clock, cacheMaxBytes: 2 ** 30, jobRetentionMs: 86_400_000, log })
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
      if (isClosed) return
      isClosed = true
      await closeAll()
      await remove()
    },
  }
}
