import { describe, expect, test } from 'vitest'
import { aJob } from './fixtures.ts'
import { opened, type OpenStore } from './store-under-test.ts'
import type { ModelCharge } from '../../src/contracts/account-ports.ts'
import type { Job } from '../../src/contracts/job-ports.ts'

const december = Date.UTC(2026, 11)
const january = Date.UTC(2027, 0)
const february = Date.UTC(2027, 1)

const charge = (over: Partial<ModelCharge> = {}): ModelCharge => ({
  teamId: 'team',
  keyName: 'laptop',
  task: 'json',
  model: 'large',
  calls: 1,
  inputTokens: 100,
  outputTokens: 10,
  ...over,
})

/** The contract of every ledger of credits. */
export function describeUsage(open: OpenStore<'usage' | 'jobs'>): void {
  async function usageOf(jobs: readonly Partial<Job>[]) {
    const { store } = await opened(open)
    for (const job of jobs) await store.jobs.record(aJob(job))
    return store.usage
  }

  describe('months of usage', () => {
    const jobs = [
      { createdAt: january, credits: 4, keyName: 'laptop' },
      { createdAt: january - 1, credits: 1 },
      { createdAt: december, credits: 2, keyName: 'laptop' },
      { createdAt: december + 1, credits: 8, keyName: 'laptop' },
      { createdAt: february - 1, credits: 16, keyName: 'desk' },
      { createdAt: january, credits: 100, teamId: 'other' },
      { createdAt: Date.UTC(2025, 0), credits: 0 },
    ]

    test('are calendar months across the end of a year, oldest first, without empty ones', async () => {
      const usage = await usageOf(jobs)
      expect(await usage.months({ teamId: 'team', byKey: false })).toEqual([
        { start: december, end: january, keyName: null, credits: 11 },
        { start: january, end: february, keyName: null, credits: 20 },
      ])
    })

    test('are separate by key', async () => {
      const usage = await usageOf(jobs)
      expect(await usage.months({ teamId: 'team', byKey: true })).toEqual([
        { start: december, end: january, keyName: null, credits: 1 },
        { start: december, end: january, keyName: 'laptop', credits: 10 },
        { start: january, end: february, keyName: 'desk', credits: 16 },
        { start: january, end: february, keyName: 'laptop', credits: 4 },
      ])
    })

    test('are separate by endpoint, and by both', async () => {
      const usage = await usageOf([
        { createdAt: january, credits: 4, keyName: 'laptop', endpoint: 'scrape' },
        { createdAt: january + 1, credits: 1, keyName: 'desk', endpoint: 'scrape' },
        { createdAt: february - 1, credits: 2, keyName: 'laptop', endpoint: 'search' },
        { createdAt: january, credits: 0, keyName: 'laptop', endpoint: 'map' },
        { createdAt: january, credits: 9, teamId: 'other', endpoint: 'scrape' },
      ])
      const inJanuary = { start: january, end: february }
      expect(await usage.months({ teamId: 'team', byKey: false, byEndpoint: true })).toEqual([
        { ...inJanuary, keyName: null, endpoint: 'scrape', credits: 5 },
        { ...inJanuary, keyName: null, endpoint: 'search', credits: 2 },
      ])
      expect(await usage.months({ teamId: 'team', byKey: true, byEndpoint: true })).toEqual([
        { ...inJanuary, keyName: 'desk', endpoint: 'scrape', credits: 1 },
        { ...inJanuary, keyName: 'laptop', endpoint: 'scrape', credits: 4 },
        { ...inJanuary, keyName: 'laptop', endpoint: 'search', credits: 2 },
      ])
    })
  })

  describe('days of usage', () => {
    const dayMs = 86_400_000

    test('are those of one team since a moment, oldest first, summed over its keys', async () => {
      const usage = await usageOf([
        { createdAt: january + dayMs, credits: 1, keyName: 'laptop' },
        { createdAt: january + 2 * dayMs - 1, credits: 2, keyName: 'desk' },
        { createdAt: january, credits: 4 },
        { createdAt: january - 1, credits: 8 },
        { createdAt: january, credits: 16, teamId: 'other' },
        { createdAt: january + 5 * dayMs, credits: 0 },
      ])
      expect(await usage.days('team', january + 1)).toEqual([
        { start: january, credits: 4 },
        { start: january + dayMs, credits: 3 },
      ])
      expect(await usage.days('nobody', 0)).toEqual([])
    })
  })

  describe('usage since a moment', () => {
    const noon = Date.UTC(2027, 0, 15, 12)
    const hourMs = 3_600_000
    const jobs = [-24, -12, -1, 0, 1, 12, 24].map((hours, nth) => ({
      createdAt: noon + hours * hourMs,
      credits: 2 ** nth,
    }))

    test.each([
      { what: 'the first day', from: noon - 24 * hourMs, credits: 127 },
      { what: 'midnight', from: noon - 12 * hourMs, credits: 126 },
      { what: 'a millisecond after midnight', from: noon - 12 * hourMs + 1, credits: 124 },
      { what: 'noon', from: noon, credits: 120 },
      { what: 'a millisecond after noon', from: noon + 1, credits: 112 },
      { what: 'the next midnight', from: noon + 12 * hourMs, credits: 96 },
      { what: 'later', from: noon + 25 * hourMs, credits: 0 },
    ])('counts every job since $what', async ({ from, credits }) => {
      const usage = await usageOf(jobs)
      expect(await usage.since('team', from)).toBe(credits)
      expect(await usage.since('other', from)).toBe(0)
    })
  })

  test('work without a record is charged once by its id', async () => {
    const usage = await usageOf([])
    const work = { jobId: crypto.randomUUID(), teamId: 'team', keyName: 'laptop', endpoint: 'crawl', credits: 3 }
    await usage.charge(work, january)
    await usage.charge({ ...work, credits: 9 }, february)
    expect(await usage.months({ teamId: 'team', byKey: true })).toEqual([
      { start: january, end: february, keyName: 'laptop', credits: 3 },
    ])
  })

  describe('usage of language models', () => {
    test('is summed by month, key, task and model, of one team or of all', async () => {
      const { store } = await opened(open)
      const { usage } = store
      await usage.addModel(charge(), january - 1)
      await usage.addModel(charge(), january)
      await usage.addModel(charge({ calls: 2, inputTokens: 20, outputTokens: 2 }), february - 1)
      await usage.addModel(charge({ keyName: null }), january)
      await usage.addModel(charge({ task: 'summary' }), january)
      await usage.addModel(charge({ model: 'small' }), january)
      await usage.addModel(charge({ teamId: 'other' }), january)
      const inJanuary = { start: january, end: february }
      const ofTeam = [
        { ...charge(), start: december, end: january },
        { ...charge({ keyName: null }), ...inJanuary },
        { ...charge({ calls: 3, inputTokens: 120, outputTokens: 12 }), ...inJanuary },
        { ...charge({ model: 'small' }), ...inJanuary },
        { ...charge({ task: 'summary' }), ...inJanuary },
      ]
      expect(await usage.modelMonths({ teamId: 'team' })).toEqual(ofTeam)
      expect(await usage.modelMonths({ teamId: 'nobody' })).toEqual([])
      const [first, ...later] = ofTeam
      expect(await usage.modelMonths({})).toEqual([first, { ...charge({ teamId: 'other' }), ...inJanuary }, ...later])
    })

    test('is complete when processes add to it concurrently', async () => {
      const { store, another } = await opened(open)
      const other = await another()
      await Promise.all([store, other, store, other].map(({ usage }) => usage.addModel(charge(), january)))
      expect(await store.usage.modelMonths({})).toMatchObject([{ calls: 4, inputTokens: 400, outputTokens: 40 }])
    })
  })

  test('usage is the same for every process on the data', async () => {
    const { store, another } = await opened(open)
    const other = await another()
    await Promise.all([store, other, store, other].map(({ jobs }) => jobs.record(aJob({ credits: 2 }))))
    expect(await store.usage.since('team', 0)).toBe(8)
    expect(await other.usage.months({ teamId: 'team', byKey: false })).toMatchObject([{ credits: 8 }])
  })
}
