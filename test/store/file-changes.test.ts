import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Row } from '../../src/engine/store/sqlite/db/db.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { followFile } from '../../src/engine/store/sqlite/open-store.ts'
import { tempDir } from '../helpers/program.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const write =
  "INSERT INTO host_trait (host, empty_at) VALUES ('a.test', 1) ON CONFLICT DO UPDATE SET empty_at = empty_at + 1"

/** Two connections to one file; changes of it are followed through `one`. `second` lets a second of time pass. */
function followed(refused = new Set<number>()) {
  const folder = tempDir()
  const path = join(folder.path, 'gossamer.db')
  const [one, other] = [openSqlite(path), openSqlite(path)]
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()])
    folder.remove()
  })
  let looks = 0
  let last: Promise<Row[]> = Promise.resolve([])
  const all = (sql: string) => (last = refused.has(++looks) ? Promise.reject(new Error('busy')) : one.all(sql))
  const onChange = vi.fn()
  const end = followFile({ all }, onChange)
  async function second() {
    vi.advanceTimersByTime(1000)
    await last.catch(() => {})
    await setImmediate()
    return onChange.mock.calls.length
  }
  return { one, other, second, end, looks: () => looks }
}

test('a write of another connection is detected once, a write of this one is not', async () => {
  const { one, other, second } = followed()
  expect(await second()).toBe(0)
  await one.run(write)
  expect(await second()).toBe(0)
  await other.run(write)
  await other.run(write)
  expect(await second()).toBe(1)
  expect(await second()).toBe(1)
})

test('a check that fails is repeated by the next', async () => {
  const { other, second } = followed(new Set([2]))
  await second()
  await other.run(write)
  expect(await second()).toBe(0)
  expect(await second()).toBe(1)
})

test('the file is not checked after close', async () => {
  const { second, end, looks } = followed()
  await second()
  await end()
  await second()
  expect(looks()).toBe(1)
})
