import { describe, expect, test } from 'vitest'
import type { Db, Param } from '../../src/engine/store/sqlite/db/db.ts'
import { createJobs } from '../../src/engine/store/sqlite/job-records.ts'
import { createUsage } from '../../src/engine/store/sqlite/charges.ts'
import { createSessionRecords } from '../../src/engine/store/sqlite/session-records.ts'
import { createSnapshots } from '../../src/engine/store/sqlite/monitors.ts'
import { aJob, fakeClock } from '../contracts/fixtures.ts'
import { openTables } from './kit.ts'

const dayMs = 86_400_000

function lengthOf(param: Param): number {
  const value = param !== null && typeof param === 'object' && 'packed' in param ? param.packed : param
  return value !== null && typeof value === 'object' ? value.byteLength : String(value).length
}

function open() {
  const tables = openTables()
  return { ...tables, jobs: createJobs(tables, dayMs), usage: createUsage(tables.db) }
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
    const tables = openTables()
    let characters = 0
    const counted: Db = {
      ...tables.db,
      transaction(statements) {
        const params = statements.flatMap(({ params: given = [] }) => given)
        characters += params.reduce<number>((sum, param) => sum + lengthOf(param), 0)
        return tables.db.transaction(statements)
      },
    }
    const jobs = createJobs({ ...tables, db: counted }, dayMs)
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

function openSessions() {
  const tables = openTables()
  return { ...tables, sessions: createSessionRecords(tables), usage: createUsage(tables.db) }
}

describe('a session that ends', () => {
  test('neither ends nor is charged if one of both cannot be written', async () => {
    const { sessions, usage, db } = openSessions()
    await sessions.create(started)
    await db.run("CREATE TRIGGER no_end BEFORE UPDATE ON browser_session BEGIN SELECT RAISE(ABORT, 'no'); END")
    await expect(sessions.end('one', ending)).rejects.toThrow('no')
    expect(await usage.since('team', 0)).toBe(0)
    await db.run('DROP TRIGGER no_end')
    expect(await sessions.end('one', ending)).toBe(true)
    expect(await usage.since('team', 0)).toBe(3)
  })

  test('is known for a week, and its id is never used again', async () => {
    const { sessions, clock, count, usage } = openSessions()
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

test('a snapshot replaces an earlier one, and is deleted after four hundred days', async () => {
  const { clock, count, ...tools } = openTables()
  const snapshots = createSnapshots({ ...tools, clock })
  const keep = (url: string, at = clock.now()) =>
    snapshots.keep('team', url, '', { at, markdown: '# Hello', isLinked: true })
  for (let nth = 0; nth < 3; nth++) await keep('https://example.com/', clock.now() + nth)
  expect(await count('snapshot')).toBe(1)
  for (let nth = 0; nth < 450; nth++) await keep(`https://example.com/${nth}`)
  clock.advance(401 * dayMs)
  await keep('https://example.com/new')
  await snapshots.idle()
  expect(await count('snapshot')).toBe(1)
})
