import { describe, expect, test } from 'vitest'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createSessionRecords } from '../../src/engine/store/sqlite/session-records.ts'
import { createUsage } from '../../src/engine/store/sqlite/charges.ts'
import { forTest } from '../helpers/for-all.ts'
import { fakeClock, logBook } from '../contracts/fixtures.ts'

const dayMs = 86_400_000
const noon = fakeClock().now()
const started = {
  id: 'one',
  kind: 'browser' as const,
  teamId: 'team',
  keyName: 'laptop',
  nodeId: null,
  createdAt: noon,
  expiresAt: noon + 600_000,
  streamWebView: true,
}
const ending = { endedAt: noon + 90_000, why: 'closed' as const, credits: 3 }

function open() {
  const db = forTest(openSqlite(':memory:'))
  const clock = fakeClock()
  const { log } = logBook()
  const tools = { db, clock, log, closing: new AbortController().signal }
  const count = async (table: string) => Number((await db.all(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n)
  return { db, clock, sessions: createSessionRecords(tools), usage: createUsage(db), count }
}

describe('a session that ends', () => {
  test('neither ends nor is charged if one of both cannot be written', async () => {
    const { sessions, usage, db } = open()
    await sessions.create(started)
    await db.run("CREATE TRIGGER no_end BEFORE UPDATE ON browser_session BEGIN SELECT RAISE(ABORT, 'no'); END")
    await expect(sessions.end('one', ending)).rejects.toThrow('no')
    expect(await usage.since('team', 0)).toBe(0)
    await db.run('DROP TRIGGER no_end')
    expect(await sessions.end('one', ending)).toBe(true)
    expect(await usage.since('team', 0)).toBe(3)
  })

  test('is known for a week, and its id is never used again', async () => {
    const { sessions, clock, count, usage } = open()
    for (let nth = 0; nth < 250; nth++) {
      await sessions.create({ ...started, id: `s${nth}` })
      if (nth > 0) await sessions.end(`s${nth}`, { ...ending, endedAt: noon, credits: 1 })
    }
    clock.advance(7 * dayMs - 1)
    await sessions.create({ ...started, id: 'late' })
    await sessions.idle()
    expect(await count('browser_session')).toBe(251)
    clock.advance(60_000)
    await sessions.create({ ...started, id: 'later' })
    await sessions.idle()
    const left = await sessions.list({ teamId: 'team' })
    expect(left.map(({ id }) => id).toSorted()).toEqual(['late', 'later', 's0'])
    expect(await usage.since('team', 0)).toBe(249)
    expect(await sessions.create({ ...started, id: 's1' })).toBe(false)
  })
})
