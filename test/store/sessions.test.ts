import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createJobs } from '../../src/engine/store/sqlite/jobs.ts'
import { createSessionRecords } from '../../src/engine/store/sqlite/sessions.ts'
import { createUsage } from '../../src/engine/store/sqlite/usage.ts'
import { aJob, fakeClock, logBook, tempDir, tempStore } from './kit.ts'

const dayMs = 86_400_000
const noon = fakeClock().now()
const begun = {
  id: 'one',
  kind: 'browser' as const,
  teamId: 'team',
  keyName: 'laptop',
  createdAt: noon,
  expiresAt: noon + 600_000,
  streamWebView: true,
}
const record = { ...begun, lastActivityAt: noon, endedAt: null, why: null, credits: 0 }
const ending = { endedAt: noon + 90_000, why: 'closed' as const, credits: 3 }

function open() {
  const db = openSqlite(':memory:')
  onTestFinished(() => db.close())
  const clock = fakeClock()
  const { log } = logBook()
  const tools = { db, clock, log, closing: new AbortController().signal }
  const count = async (table: string) => Number((await db.all(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n)
  return { db, clock, tools, sessions: createSessionRecords(tools), usage: createUsage(db), count }
}

describe('a session that begins', () => {
  test('is found as it is, alive', async () => {
    const { sessions } = open()
    expect(await sessions.begin(begun)).toBe(true)
    expect(await sessions.find('one')).toEqual(record)
    expect(await sessions.find('two')).toBeUndefined()
  })

  test.each([{ kind: 'interact' as const, keyName: null }, { streamWebView: false }])(
    'keeps what it began with: %o',
    async (changes) => {
      const { sessions } = open()
      await sessions.begin({ ...begun, ...changes })
      expect(await sessions.find('one')).toEqual({ ...record, ...changes })
    },
  )

  test('begins once, whoever else begins it, and also when it is over', async () => {
    const { sessions } = open()
    const all = await Promise.all(['team', 'other', 'third'].map((teamId) => sessions.begin({ ...begun, teamId })))
    expect(all).toEqual([true, false, false])
    await sessions.end('one', ending)
    expect(await sessions.begin(begun)).toBe(false)
    expect(await sessions.find('one')).toEqual({ ...record, ...ending })
  })
})

describe('a session that ends', () => {
  test('is over, and its credits are spent by its key', async () => {
    const { sessions, usage } = open()
    await sessions.begin(begun)
    expect(await sessions.end('one', ending)).toBe(true)
    expect(await sessions.find('one')).toEqual({ ...record, ...ending })
    expect(await usage.months({ teamId: 'team', byKey: true })).toMatchObject([{ keyName: 'laptop', credits: 3 }])
  })

  test('ends once and is charged once, by the first who ends it', async () => {
    const { sessions, usage, count } = open()
    await sessions.begin(begun)
    const all = await Promise.all(
      [3, 4, 5].map((credits) => sessions.end('one', { ...ending, endedAt: noon + credits, credits })),
    )
    expect(all).toEqual([true, false, false])
    expect(await sessions.end('one', { ...ending, why: 'ttl', credits: 100 })).toBe(false)
    expect(await sessions.find('one')).toMatchObject({ why: 'closed', credits: 3, endedAt: noon + 3 })
    expect(await usage.since('team', 0)).toBe(3)
    expect(await count('ledger')).toBe(1)
  })

  test('that cost nothing is not charged later either', async () => {
    const { sessions, usage } = open()
    await sessions.begin(begun)
    expect(await sessions.end('one', { ...ending, credits: 0 })).toBe(true)
    expect(await sessions.end('one', ending)).toBe(false)
    expect(await usage.since('team', 0)).toBe(0)
  })

  test('is charged beside the scrape of the same id', async () => {
    const { sessions, usage, tools } = open()
    await createJobs(tools, dayMs).record(aJob({ id: 'one', credits: 1 }))
    await sessions.begin({ ...begun, kind: 'interact' })
    await sessions.end('one', ending)
    expect(await usage.since('team', 0)).toBe(4)
  })

  test('without having begun is nothing', async () => {
    const { sessions, count } = open()
    expect(await sessions.end('one', ending)).toBe(false)
    expect(await count('ledger')).toBe(0)
  })

  test('neither ends nor is charged when the one of both cannot be written', async () => {
    const { sessions, usage, db } = open()
    await sessions.begin(begun)
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
      await sessions.begin({ ...begun, id: `s${nth}` })
      if (nth > 0) await sessions.end(`s${nth}`, { ...ending, endedAt: noon, credits: 1 })
    }
    clock.advance(7 * dayMs - 1)
    await sessions.begin({ ...begun, id: 'late' })
    await sessions.idle()
    expect(await count('browser_session')).toBe(251)
    clock.advance(60_000)
    await sessions.begin({ ...begun, id: 'later' })
    await sessions.idle()
    const left = await sessions.list({ teamId: 'team' })
    expect(left.map(({ id }) => id).toSorted()).toEqual(['late', 'later', 's0'])
    expect(await usage.since('team', 0)).toBe(249)
    expect(await sessions.begin({ ...begun, id: 's1' })).toBe(false)
  })
})

describe('the list of sessions', () => {
  test('shows the newest of one team first, those that live, or those that are over', async () => {
    const { sessions } = open()
    await sessions.begin({ ...begun, id: 'a' })
    await sessions.begin({ ...begun, id: 'b', createdAt: noon + 2 })
    await sessions.begin({ ...begun, id: 'c', createdAt: noon + 1 })
    await sessions.begin({ ...begun, id: 'd', createdAt: noon + 3, teamId: 'other' })
    await sessions.end('c', ending)
    const ids = async (query: object) => (await sessions.list({ teamId: 'team', ...query })).map(({ id }) => id)
    expect(await ids({})).toEqual(['b', 'c', 'a'])
    expect(await ids({ status: 'active' })).toEqual(['b', 'a'])
    expect(await ids({ status: 'destroyed' })).toEqual(['c'])
    expect(await ids({ teamId: 'other' })).toEqual(['d'])
    expect(await ids({ teamId: 'nobody' })).toEqual([])
    expect(await sessions.list({ teamId: 'team', status: 'destroyed' })).toEqual([
      { ...record, id: 'c', createdAt: noon + 1, lastActivityAt: noon + 1, ...ending },
    ])
  })

  test('ends at a hundred', async () => {
    const { sessions } = open()
    for (let nth = 0; nth < 120; nth++) await sessions.begin({ ...begun, id: `s${nth}`, createdAt: noon + nth })
    const listed = await sessions.list({ teamId: 'team' })
    expect([listed.length, listed[0]?.id, listed.at(-1)?.id]).toEqual([100, 's119', 's20'])
  })
})

describe('sessions that nobody renews', () => {
  test('are lost, until they are ended', async () => {
    const { sessions, clock } = open()
    await sessions.begin(begun)
    await sessions.begin({ ...begun, id: 'two' })
    clock.advance(30_000)
    await sessions.renew([{ id: 'two', lastActivityAt: noon + 10_000 }])
    expect(await sessions.lost(noon)).toEqual([])
    expect(await sessions.lost(noon + 1)).toEqual([{ id: 'one', createdAt: noon, renewedAt: noon }])
    expect((await sessions.lost(noon + 60_000)).map(({ id, renewedAt }) => [id, renewedAt])).toEqual([
      ['one', noon],
      ['two', noon + 30_000],
    ])
    await sessions.end('one', { ...ending, why: 'process' })
    expect(await sessions.lost(noon + 1)).toEqual([])
  })

  test('tell when something last happened, which never goes back', async () => {
    const { sessions } = open()
    await sessions.begin(begun)
    await sessions.renew([{ id: 'one', lastActivityAt: noon + 20_000 }])
    await sessions.renew([{ id: 'one', lastActivityAt: noon + 10_000 }])
    expect(await sessions.find('one')).toMatchObject({ lastActivityAt: noon + 20_000 })
  })

  test('are not brought back by a renewal that comes too late', async () => {
    const { sessions, clock } = open()
    await sessions.begin(begun)
    await sessions.end('one', ending)
    clock.advance(100_000)
    await sessions.renew([
      { id: 'one', lastActivityAt: clock.now() },
      { id: 'never begun', lastActivityAt: clock.now() },
    ])
    await sessions.renew([])
    expect(await sessions.find('one')).toEqual({ ...record, ...ending })
    expect(await sessions.find('never begun')).toBeUndefined()
  })
})

test('sessions are there again when the program is started again', async () => {
  const dir = await tempDir()
  const { store: first } = await tempStore({ dir })
  await first.sessions.begin(begun)
  await first.sessions.begin({ ...begun, id: 'two' })
  await first.sessions.end('two', ending)
  await first.close()
  const { store } = await tempStore({ dir })
  expect(await store.sessions.find('one')).toEqual(record)
  expect(await store.sessions.begin({ ...begun, id: 'two' })).toBe(false)
  expect(await store.sessions.lost(noon + 1)).toEqual([{ id: 'one', createdAt: noon, renewedAt: noon }])
})

test('two processes on one database end a session once between them', async () => {
  const dir = await tempDir()
  const { store: one } = await tempStore({ dir })
  const { store: two } = await tempStore({ dir })
  const began = await Promise.all([one.sessions.begin(begun), two.sessions.begin(begun)])
  expect(began.filter(Boolean)).toHaveLength(1)
  const ended = await Promise.all([one.sessions.end('one', ending), two.sessions.end('one', ending)])
  expect(ended.filter(Boolean)).toHaveLength(1)
  expect(await two.usage.since('team', 0)).toBe(3)
})
