import { describe, expect, test } from 'vitest'
import type { Db, Param } from '../../src/engine/store/sqlite/db/db.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createJobs } from '../../src/engine/store/sqlite/job-records.ts'
import { createUsage } from '../../src/engine/store/sqlite/charges.ts'
import { forTest } from '../helpers/for-all.ts'
import { fakeClock, logBook, aJob } from '../contracts/fixtures.ts'

const dayMs = 86_400_000

function lengthOf(param: Param): number {
  const value = param !== null && typeof param === 'object' && 'packed' in param ? param.packed : param
  return value !== null && typeof value === 'object' ? value.byteLength : String(value).length
}

function open(retentionMs = dayMs) {
  const db = forTest(openSqlite(':memory:'))
  const clock = fakeClock()
  const { log, lines } = logBook()
  const jobs = createJobs({ db, clock, log, closing: new AbortController().signal }, retentionMs)
  const count = async (table: string) => Number((await db.all(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n)
  return { db, clock, jobs, lines, count, usage: createUsage(db) }
}

describe('a recorded job', () => {
  test('recorded many times concurrently is one row of each kind', async () => {
    const { jobs, count } = open()
    const job = aJob({ credits: 5 })
    await Promise.all(Array.from({ length: 10 }, () => jobs.record(job)))
    expect(await count('activity')).toBe(1)
    expect(await count('ledger')).toBe(1)
  })

  test('is sent to the database once, whatever else is written about it', async () => {
    const { db, clock } = open()
    let characters = 0
    const counted: Db = {
      ...db,
      transaction(statements) {
        const params = statements.flatMap(({ params: given = [] }) => given)
        characters += params.reduce<number>((sum, param) => sum + lengthOf(param), 0)
        return db.transaction(statements)
      },
    }
    const jobs = createJobs({ db: counted, clock, log: logBook().log, closing: new AbortController().signal }, dayMs)
    const words = 'some words '.repeat(5000)
    const job = aJob({ credits: 1, result: { data: { markdown: words } } })
    await jobs.record(job)
    expect(await jobs.find(job.id)).toEqual(job)
    expect(characters).toBeGreaterThan(words.length)
    expect(characters).toBeLessThan(words.length + 2000)
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
    const months = await usage.months({ teamId: 'team', byKey: true, byEndpoint: true })
    expect(months.map(({ credits }) => credits)).toEqual([452, 1])
    expect(new Set(months.map(({ endpoint }) => endpoint))).toEqual(new Set(['scrape']))
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
