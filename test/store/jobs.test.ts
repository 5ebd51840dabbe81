import { describe, expect, onTestFinished, test } from 'vitest'
import type { ActivityRow } from '../../src/contracts/ports.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createJobs } from '../../src/engine/store/sqlite/jobs.ts'
import { createUsage } from '../../src/engine/store/sqlite/usage.ts'
import { aJob, fakeClock, logBook } from './kit.ts'

const dayMs = 86_400_000

function open(retentionMs = dayMs) {
  const db = openSqlite(':memory:')
  onTestFinished(() => db.close())
  const clock = fakeClock()
  const { log, lines } = logBook()
  const jobs = createJobs({ db, clock, log, closing: new AbortController().signal }, retentionMs)
  const count = async (table: string) => Number((await db.all(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n)
  return { db, clock, jobs, lines, count, usage: createUsage(db) }
}

describe('a recorded job', () => {
  test.each([
    { what: 'completed', changes: { keyName: 'laptop', credits: 2.5, result: { markdown: 'naïve 🕸', n: [1, null] } } },
    { what: 'failed', changes: { status: 'failed' as const, errorCode: 'SCRAPE_TIMEOUT', result: null, credits: 0 } },
    { what: 'kept private', changes: { target: null, result: null } },
    {
      what: 'one that can be made again',
      changes: { replay: { url: 'https://example.com/', actions: [{ type: 'scrape' }] } },
    },
  ])('is found as it was: $what', async ({ changes }) => {
    const { jobs } = open()
    const job = aJob(changes)
    await jobs.record(job)
    expect(await jobs.find(job.id)).toEqual(job)
  })

  test('is not found by another id', async () => {
    const { jobs } = open()
    await jobs.record(aJob())
    expect(await jobs.find('other')).toBeUndefined()
  })

  test('recorded again changes nothing, not even when many do it at once', async () => {
    const { jobs, usage, count } = open()
    const job = aJob({ credits: 5 })
    await Promise.all(
      Array.from({ length: 10 }, (_, nth) => jobs.record({ ...job, result: { nth }, credits: 5 + nth })),
    )
    expect(await jobs.find(job.id)).toEqual({ ...job, result: { nth: 0 } })
    expect(await usage.since('team', 0)).toBe(5)
    expect(await count('activity')).toBe(1)
    expect(await count('ledger')).toBe(1)
  })

  test('can be read until its time is over, then not any more', async () => {
    const { jobs, clock } = open(1000)
    const job = aJob()
    await jobs.record(job)
    clock.advance(999)
    expect(await jobs.find(job.id)).toEqual(job)
    clock.advance(1)
    expect(await jobs.find(job.id)).toBeUndefined()
  })

  test('is deleted with its time, its activity after a week, and its credits stay', async () => {
    const { jobs, clock, count, usage } = open()
    for (let nth = 0; nth < 450; nth++) await jobs.record(aJob())
    clock.advance(dayMs + 1)
    await jobs.record(aJob({ createdAt: clock.now() }))
    await jobs.idle()
    expect(await count('job')).toBe(1)
    expect(await count('activity')).toBe(451)
    clock.advance(7 * dayMs)
    await jobs.record(aJob({ createdAt: clock.now() }))
    await jobs.idle()
    expect(await count('activity')).toBe(1)
    expect(await count('ledger')).toBe(452)
    clock.advance(401 * dayMs)
    await jobs.record(aJob({ createdAt: clock.now() }))
    await jobs.idle()
    expect(await count('ledger')).toBe(1)
    expect(await usage.since('team', 0)).toBe(453)
  })

  test('is recorded even when old rows cannot be deleted', async () => {
    const { jobs, lines, db } = open()
    await db.run("CREATE TRIGGER no_delete BEFORE DELETE ON job BEGIN SELECT RAISE(ABORT, 'no'); END")
    await db.run(
      "INSERT INTO job (id, team_id, endpoint, created_at, expires_at, status, credits) VALUES ('old', 't', 'map', 0, 0, 'failed', 0)",
    )
    const job = aJob()
    await jobs.record(job)
    await jobs.idle()
    expect(await jobs.find(job.id)).toEqual(job)
    expect(lines.map(({ event }) => event)).toEqual(['old rows could not be deleted'])
  })
})

describe('activity', () => {
  const at = Date.UTC(2026, 4, 20, 12)
  const all = { teamId: 'team', since: 0, limit: 100 }

  test('lists the newest first, of one team, since a moment, of one endpoint, of one outcome', async () => {
    const { jobs } = open()
    await jobs.record(aJob({ id: 'a', createdAt: at }))
    await jobs.record(aJob({ id: 'b', createdAt: at + 2, endpoint: 'map', target: null }))
    await jobs.record(aJob({ id: 'c', createdAt: at + 1 }))
    await jobs.record(aJob({ id: 'd', createdAt: at + 1, teamId: 'other' }))
    expect(await jobs.activity({ ...all, limit: 1 })).toEqual([
      { id: 'b', endpoint: 'map', createdAt: at + 2, target: null, status: 'completed' },
    ])
    const ids = async (query: object) => (await jobs.activity({ ...all, ...query })).map(({ id }) => id)
    expect(await ids({})).toEqual(['b', 'c', 'a'])
    expect(await ids({ since: at + 1 })).toEqual(['b', 'c'])
    expect(await ids({ endpoint: 'scrape' })).toEqual(['c', 'a'])
    expect(await ids({ teamId: 'other' })).toEqual(['d'])
    await jobs.record(aJob({ id: 'e', createdAt: at + 3, status: 'failed' }))
    expect(await ids({ status: 'completed', limit: 1 })).toEqual(['b'])
    expect(await ids({ status: 'failed' })).toEqual(['e'])
  })

  test('read page by page shows each row once while new ones arrive', async () => {
    const { jobs } = open()
    // rows of one moment, so that only the id orders them
    const ids = Array.from({ length: 25 }, (_, nth) => `old-${String(nth).padStart(2, '0')}`)
    for (const id of ids) await jobs.record(aJob({ id, createdAt: at }))
    const seen: string[] = []
    let before: ActivityRow | undefined
    for (let page = 0; page < 5; page++) {
      const rows = await jobs.activity({ ...all, limit: 5, ...(before && { before }) })
      seen.push(...rows.map(({ id }) => id))
      before = rows.at(-1)
      await jobs.record(aJob({ id: `new-${page}`, createdAt: at + page }))
    }
    expect(seen).toEqual(ids.toReversed())
    expect(await jobs.activity({ ...all, ...(before && { before }) })).toEqual([{ ...before, id: 'new-0' }])
  })
})
