import { describe, expect, test } from 'vitest'
import type { Refusal } from '../../src/contracts/job-ports.ts'
import { type ErrorCode, fail } from '../../src/kernel/error.ts'
import { compose, validate } from '../../src/middleware/pipeline.ts'
import { createRefusalNotes } from '../../src/middleware/refusals.ts'
import { operations } from '../../src/operations/index.ts'
import { failureOf, fakeCtx } from '../helpers/fakes.ts'

const noon = Date.UTC(2026, 0, 1, 12)
const canary = 'sEcrEtCanary'

function world(note?: (teamId: string, refusal: Refusal) => Promise<void>) {
  const noted: (Refusal & { teamId: string })[] = []
  const clock = { at: noon, now: () => clock.at }
  const keep = async (teamId: string, refusal: Refusal) => void noted.push({ teamId, ...refusal })
  const logged: string[] = []
  const log = { warn: (what: string) => void logged.push(what) }
  const notes = createRefusalNotes({ refusals: { note: note ?? keep }, clock, log })
  const call = async (name: string, input: object, code: ErrorCode = 'UNKNOWN_ERROR') => {
    const invoke = compose([notes.middleware, validate], () => async () => fail(code))
    return failureOf(
      invoke(
        operations.find((each) => each.name === name)!,
        input,
        fakeCtx(),
      ),
    )
  }
  return { noted, clock, call, logged, refused: notes.refused, settled: notes.settled }
}

describe('a refused call', () => {
  test('is recorded with its operation, error, faults and the types of its arguments', async () => {
    const { noted, call } = world()
    const error = await call('scrape', {
      url: 'https://example.com/',
      waitFor: 8000,
      timeout: 10_000,
      formats: ['links'],
    })
    expect(error).toMatchObject({ code: 'BAD_REQUEST' })
    expect(noted).toMatchObject([
      {
        teamId: 'acme',
        at: noon,
        operation: 'scrape',
        code: 'BAD_REQUEST',
        status: 400,
        faults: [{ message: expect.stringContaining('half') }],
        given: { url: 'a text of 20 characters', waitFor: 8000, timeout: 10_000, formats: 'a list of 1' },
      },
    ])
  })

  test.each<[string, string, object]>([
    ['a header', 'scrape', { url: 'x', headers: { Authorization: `Bearer ${canary}`, [canary]: 1 }, timeout: -1 }],
    ['an address', 'scrape', { url: `ftp://${canary}.example/?key=${canary}` }],
    ['a prompt', 'agent', { prompt: `${canary} `.repeat(3000) }],
    ['a query', 'search', { query: `${canary} `.repeat(300), includeDomains: [canary], excludeDomains: [canary] }],
    ['a value that is not in the list', 'crawl', { url: 'https://example.com/', sitemap: canary }],
    ['an unknown field', 'crawl', { url: 7, [canary]: { [canary]: canary } }],
    ['code', 'browser_execute', { sessionId: canary, code: canary, language: canary, timeout: canary }],
  ])('does not contain the input: %s', async (_, name, input) => {
    const { noted, call } = world()
    await call(name, input)
    expect(noted).toHaveLength(1)
    expect(JSON.stringify(noted)).not.toContain(canary)
  })

  test.each<[string, string, object]>([
    ['by zeroDataRetention', 'scrape', { url: 7, zeroDataRetention: true }],
    ['by lockdown', 'scrape', { url: 7, lockdown: true }],
    ['in another spelling', 'scrape', { url: 7, zero_data_retention: 'true' }],
    ['in an unknown place', 'crawl', { url: 7, scrapeOptions: { deep: [{ lockdown: 1 }] } }],
    ['of a search', 'search', { query: '', enterprise: ['zdr'] }],
  ])('is not recorded if nothing of it may be stored: %s', async (_, name, input) => {
    const { noted, call } = world()
    expect(await call(name, input)).toMatchObject({ code: 'BAD_REQUEST' })
    expect(noted).toEqual([])
  })

  test('is recorded for every refusal, but not for a failure of the work itself', async () => {
    const { noted, call } = world()
    const refusals = [
      'INSUFFICIENT_CREDITS',
      'PERMISSION_REQUIRED',
      'RATE_LIMITED',
      'QUEUE_FULL',
      'JOB_IS_OVER',
    ] as const
    const failures = ['SCRAPE_TIMEOUT', 'SCRAPE_NO_CACHED_DATA', 'UNKNOWN_ERROR', 'MODEL_FAILED'] as const
    for (const code of [...refusals, ...failures]) await call('scrape', { url: 'https://example.com/' }, code)
    expect(noted.map((each) => each.code)).toEqual(refusals)
  })

  test('gets the same answer if it cannot be recorded', async () => {
    const { call } = world(async () => fail('STORAGE_FULL'))
    expect(await call('scrape', {})).toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('is answered before it is recorded, and shutdown waits for pending records', async () => {
    const written = Promise.withResolvers<void>()
    const { call, settled } = world(() => written.promise)
    expect(await call('scrape', {})).toMatchObject({ code: 'BAD_REQUEST' })
    let isSettled = false
    const end = settled().then(() => (isSettled = true))
    await new Promise(setImmediate)
    expect(isSettled).toBe(false)
    written.resolve()
    await end
  })
})
