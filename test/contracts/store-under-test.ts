import type { Store } from '../../src/engine/store/store.ts'
import { forTest } from '../helpers/for-all.ts'
import type { FakeClock, LogLine } from './fixtures.ts'

/** An implementation of some ports of the store, on its own data. */
export type StoreUnderTest<K extends keyof Store> = {
  store: Pick<Store, K>
  clock: FakeClock
  /** Log lines so far. */
  lines: readonly LogLine[]
  /** Another handle on the same data, as in another process. */
  another(): Promise<Pick<Store, K>>
  /** Closes all handles and opens the data again, as a restart of the program does. */
  restart(): Promise<Pick<Store, K>>
  close(): Promise<void>
}
export type StoreSettings = { jobRetentionMs: number; cacheMaxBytes: number }

/** Opens an empty store. A conformance suite takes this and nothing else, so that it fits every implementation. */
export type OpenStore<K extends keyof Store> = (settings?: Partial<StoreSettings>) => Promise<StoreUnderTest<K>>

/** Opens a store that is closed at the end of the current test. */
export async function opened<K extends keyof Store>(
  open: OpenStore<K>,
  settings?: Partial<StoreSettings>,
): Promise<StoreUnderTest<K>> {
  return forTest(await open(settings))
}
