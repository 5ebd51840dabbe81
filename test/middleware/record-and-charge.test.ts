import { describe, expect, test } from 'vitest'
import { failure } from '../../src/kernel/error.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { recordAndCharge } from '../../src/middleware/pipeline.ts'
import { failureOf, fakeCtx, noon, open } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'
import type { Job } from '../../src/contracts/job-ports.ts'

const job = toy({
  job: {
    endpoint: 'scrape',
    target: ({ url }) => url,
    keep: (_input, output: { got: unknown }) => ({ kept: output.got }),
  },
  price: ({ error }) => (error === undefined ? 5 : error.code === 'SCRAPE_LOCKDOWN_CACHE_MISS' ? 1 : 0),
})
const input = { url: 'https://example.com' }

function setting(record?: (job: Job) => Promise<void>) {
  const jobs: Job[] = []
  const released: string[] = []
  const run = under(
    recordAndCharge({
      jobs: { record: record ?? (async (row) => void jobs.push(row)) },
      account: { releaseCredits: async (jobId) => void released.push(jobId) },
    }),
  )
  return { jobs, released, run }
}
const failing = (thrown: unknown): AnyOperation => ({
  ...job,
  run: async () => {
    throw thrown
  },
})
const full = async () => {
  throw new Error('disk full')
}

test('a successful job is stored with its record, its result and its price', async () => {
  const { jobs, run } = setting()
  expect(await run(job, input, fakeCtx())).toEqual({ got: input })
  expect(jobs).toEqual([
    {
      id: 'job-1',
      teamId: 'acme',
      keyName: 'laptop',
      endpoint: 'scrape',
      target: 'https://example.com',
      createdAt: noon,
      status: 'completed',
      errorCode: null,
      result: { kept: input },
      replay: null,
      credits: 5,
    },
  ])
})

test('a job with zero retention stores only its price, neither target nor result', async () => {
  const { jobs, run } = setting()
  const silent = { ...job, job: { ...job.job!, target: () => null, keep: () => undefined } }
  await run(silent, input, fakeCtx())
  expect(jobs[0]).toMatchObject({ target: null, result: null, credits: 5, status: 'completed' })
})

test.each([
  { what: 'can be repeated stores its input', replay: () => input, expected: input },
  { what: 'cannot be repeated stores no input', replay: () => undefined, expected: null },
])('a job that $what', async ({ replay, expected }) => {
  const { jobs, run } = setting()
  await run({ ...job, job: { ...job.job!, replay } }, input, fakeCtx())
  expect(jobs[0]).toMatchObject({ replay: expected })
})

test('the answer waits for the record', async () => {
  const { promise, give } = open()
  const events: string[] = []
  const { run } = setting(async () => {
    events.push('recording')
    await promise
    events.push('recorded')
  })
  const answer = run(job, input, fakeCtx()).then(() => events.push('answered'))
  await new Promise<void>((resolve) => void setImmediate(resolve))
  expect(events).toEqual(['recording'])
  give()
  await answer
  expect(events).toEqual(['recording', 'recorded', 'answered'])
})

describe('a job that fails', () => {
  test('is stored with its code, its target and the price of that failure, and fails as before', async () => {
    const { jobs, run } = setting()
    const error = failure('SCRAPE_LOCKDOWN_CACHE_MISS')
    const repeatable = { ...failing(error), job: { ...job.job!, replay: () => input } }
    expect(await failureOf(run(repeatable, input, fakeCtx()))).toBe(error)
    expect(jobs).toEqual([
      expect.objectContaining({
        status: 'failed',
        errorCode: 'SCRAPE_LOCKDOWN_CACHE_MISS',
        result: null,
        replay: input,
        credits: 1,
      }),
    ])
  })

  test('with an unknown cause gets an error with an id', async () => {
    const { jobs, run } = setting()
    const cause = new TypeError('hunter2')
    const error = await failureOf(run(failing(cause), input, fakeCtx()))
    expect(error).toMatchObject({ code: 'UNKNOWN_ERROR', cause, details: { errorId: expect.any(String) } })
    expect(jobs).toEqual([expect.objectContaining({ status: 'failed', errorCode: 'UNKNOWN_ERROR', credits: 0 })])
    expect(JSON.stringify(jobs)).not.toContain('hunter2')
  })
})

test('if the record cannot be written, the caller gets a warning with the answer', async () => {
  const ctx = fakeCtx()
  expect(await setting(full).run(job, input, ctx)).toEqual({ got: input })
  expect(ctx.warnings).toEqual([expect.stringContaining('cannot be read again')])
  expect(ctx.logged).toEqual([{ event: 'job not recorded', facts: expect.objectContaining({ jobId: 'job-1' }) }])
})
