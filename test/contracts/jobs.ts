import { describe, expect, test } from 'vitest'
import { aJob } from './fixtures.ts'
import { opened, type OpenStore } from './store-under-test.ts'
import type { ActivityRow } from '../../src/contracts/job-ports.ts'

/** The contract of every store of finished jobs. */
export function describeJobs(open: OpenStore<'jobs' | 'usage'>): void {
  async function world(settings?: Parameters<typeof open>[0]) {
    const stores = await opened(open, settings)
    return { ...stores, jobs: stores.store.jobs }
  }

  describe('a recorded job', () => {
    test.each([
      {
        what: 'completed',
        changes: { keyName: 'laptop', credits: 2.5, result: { markdown: 'naïve 🕸', n: [1, null] } },
      },
      { what: 'failed', changes: { status: 'failed' as const, errorCode: 'SCRAPE_TIMEOUT', result: null, credits: 0 } },
      { what: 'private', changes: { target: null, result: null } },
      {
        what: 'replayable',
        changes: { replay: { url: 'https://example.com/', actions: [{ type: 'scrape' }] } },
      },
    ])('is found unchanged, even after a restart: $what', async ({ changes }) => {
      const { jobs, restart } = await world()
      const job = aJob(changes)
      await jobs.record(job)
      expect(await jobs.find(job.id)).toEqual(job)
      expect(await jobs.find('other')).toBeUndefined()
      expect(await (await restart()).jobs.find(job.id)).toEqual(job)
    })

    test('recorded again by the same process is unchanged', async () => {
      const { jobs, store } = await world()
      const job = aJob({ credits: 5 })
      await Promise.all(
        Array.from({ length: 10 }, (_, nth) => jobs.record({ ...job, result: { nth }, credits: 5 + nth })),
      )
      expect(await jobs.find(job.id)).toEqual({ ...job, result: { nth: 0 } })
      expect(await store.usage.since('team', 0)).toBe(5)
      expect(await jobs.activity({ teamId: 'team', since: 0, limit: 10 })).toHaveLength(1)
    })

    test('recorded concurrently by several processes is recorded once', async () => {
      const { jobs, store, another } = await world()
      const other = await another()
      const job = aJob({ credits: 5 })
      await Promise.all([jobs.record(job), other.jobs.record(job), jobs.record(job), other.jobs.record(job)])
      expect(await other.jobs.find(job.id)).toEqual(job)
      expect(await store.usage.since('team', 0)).toBe(5)
      expect(await other.jobs.activity({ teamId: 'team', since: 0, limit: 10 })).toHaveLength(1)
    })

    test('can be read until it expires', async () => {
      const { jobs, clock } = await world({ jobRetentionMs: 1000 })
      const job = aJob()
      await jobs.record(job)
      clock.advance(999)
      expect(await jobs.find(job.id)).toEqual(job)
      clock.advance(1)
      expect(await jobs.find(job.id)).toBeUndefined()
    })
  })

  describe('activity', () => {
    const at = Date.UTC(2026, 4, 20, 12)
    const all = { teamId: 'team', since: 0, limit: 100 }

    test('lists the newest first, filtered by team, time, endpoint and outcome', async () => {
      const { jobs } = await world()
      await jobs.record(aJob({ id: 'a', createdAt: at }))
      await jobs.record(aJob({ id: 'b', createdAt: at + 2, endpoint: 'map', target: null }))
      await jobs.record(aJob({ id: 'c', createdAt: at + 1 }))
      await jobs.record(aJob({ id: 'd', createdAt: at + 1, teamId: 'other' }))
      expect(await jobs.activity({ ...all, limit: 1 })).toEqual([
        { id: 'b', endpoint: 'map', createdAt: at + 2, target: null, status: 'completed', errorCode: null },
      ])
      const ids = async (query: object) => (await jobs.activity({ ...all, ...query })).map(({ id }) => id)
      expect(await ids({})).toEqual(['b', 'c', 'a'])
      expect(await ids({ since: at + 1 })).toEqual(['b', 'c'])
      expect(await ids({ endpoint: 'scrape' })).toEqual(['c', 'a'])
      expect(await ids({ teamId: 'other' })).toEqual(['d'])
      await jobs.record(aJob({ id: 'e', createdAt: at + 3, status: 'failed', errorCode: 'SCRAPE_TIMEOUT' }))
      expect(await ids({ status: 'completed', limit: 1 })).toEqual(['b'])
      expect(await jobs.activity({ ...all, status: 'failed' })).toMatchObject([
        { id: 'e', errorCode: 'SCRAPE_TIMEOUT' },
      ])
    })

    test('has each row on one page while new ones arrive', async () => {
      const { jobs } = await world()
      // All rows have the same time, so that only the id orders them.
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
}
