import type { Store, StoreOptions } from '../../src/engine/store/store.ts'
import { fakeClock, logBook } from '../contracts/fixtures.ts'
import type { StoreUnderTest } from '../contracts/store-under-test.ts'

type Place = {
  /** Opens the store on the same data again. */
  open(usual: Omit<StoreOptions, 'dir'>): Promise<Store>
  /** Removes the data. */
  remove(): void | Promise<void>
}

/** A store whose data can be opened again, even several times concurrently. */
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
