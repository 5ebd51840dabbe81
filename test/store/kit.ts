import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
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
    await openStore({ dir: null, clock, cacheMaxBytes: 2 ** 30, jobRetentionMs: 86_400_000, log, ...options }),
  )
  return { store, clock, lines }
}

/** A database in memory, with the tools that a port of the store needs. */
export function openTables() {
  const db = forTest(openSqlite(':memory:'))
  const count = async (table: string) => Number((await db.all(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n)
  return { db, clock: fakeClock(), ...logBook(), closing: new AbortController().signal, count }
}
