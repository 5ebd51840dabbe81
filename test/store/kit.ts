import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore } from '../../src/engine/store/sqlite/open-store.ts'
import { fakeClock, type FakeClock, type LogLine, logBook } from '../contracts/fixtures.ts'
import { forTest } from '../helpers/for-all.ts'
import type { StoreOptions, Store } from '../../src/engine/store/store.ts'

export async function tempDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'gossamer-store-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

export async function tempStore(
  options: Partial<StoreOptions> = {},
): Promise<{ store: Store; clock: FakeClock; lines: LogLine[] }> {
  const clock = fakeClock()
  const { log, lines } = logBook()
  const store = forTest(
    await openStore({
      dir: null,
      clock,
      cacheMaxBytes: 2 ** 30,
      jobRetentionMs: 86_400_000,
      log,
      ...options,
    }),
  )
  return { store, clock, lines }
}
