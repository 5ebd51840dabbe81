import { expect, test } from 'vitest'
import { ownDocument, ownJob } from '../../src/engine/scrape/own-results.ts'
import { failureOf, fakeCtx, fakeWorld, noon } from '../helpers/fakes.ts'
import type { Crawl, Crawls } from '../../src/contracts/crawl-ports.ts'
import type { Job } from '../../src/contracts/job-ports.ts'

const done: Job = {
  id: 'job-9',
  teamId: 'acme',
  keyName: 'laptop',
  endpoint: 'scrape',
  target: 'https://example.com',
  createdAt: noon,
  status: 'completed',
  errorCode: null,
  result: { data: { markdown: 'Hello' } },
  replay: null,
  credits: 1,
}

function find(job: Job | undefined) {
  const world = fakeWorld()
  if (job) world.recorded.push(job)
  return ownJob(world.ports, 'job-9', 'scrape', fakeCtx())
}

test('a job of the team is returned with its result', async () => expect(await find(done)).toEqual(done))

test.each<[string, Job | undefined, string, number, RegExp]>([
  ['that is not there, or has expired,', undefined, 'JOB_NOT_FOUND', 404, /^Job not found\.$/],
  ['of another kind', { ...done, endpoint: 'crawl' }, 'JOB_NOT_FOUND', 404, /^Job not found\.$/],
  ['of another team', { ...done, teamId: 'other' }, 'JOB_OF_OTHER_TEAM', 403, /another team/],
  [
    'that failed',
    { ...done, status: 'failed', errorCode: 'SCRAPE_TIMEOUT', result: null },
    'JOB_NOT_FOUND',
    404,
    /SCRAPE_TIMEOUT/,
  ],
  [
    'of which nothing was stored',
    { ...done, target: null, result: null },
    'JOB_NOT_FOUND',
    404,
    /No result of this job was stored/,
  ],
])('a job %s has no result', async (_, job, code, status, message) => {
  expect(await failureOf(find(job))).toMatchObject({ code, status, message: expect.stringMatching(message) })
})

test('another team learns only that a job is not theirs', async () => {
  const error = await failureOf(find({ ...done, teamId: 'other', status: 'failed', errorCode: 'SCRAPE_TIMEOUT' }))
  expect(error).toMatchObject({ code: 'JOB_OF_OTHER_TEAM', details: { id: 'job-9' } })
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/example\.com|SCRAPE_TIMEOUT|laptop/)
})

test.each<[number, { row?: number; url?: string }, string | undefined]>([
  [3, { row: 4 }, 'Send a row: 1 to 3 of this job.'],
  [3, {}, 'Send row (1 to 3 of this job) or the url of a page that crawl_status lists.'],
  [0, { row: 1 }, undefined],
  [0, { url: 'https://example.com/' }, undefined],
])('a job with %i pages has no page %j', async (count, wanted, hint) => {
  const crawl = { teamId: 'acme', counts: { done: count } } as Crawl
  const crawls = {
    document: async () => undefined,
    documentOf: async () => undefined,
    find: async () => crawl,
  } as Partial<Crawls> as Crawls
  const error = await failureOf(ownDocument({ ...fakeWorld().ports, crawls }, { jobId: 'job-9', ...wanted }, fakeCtx()))
  const message = count === 0 ? 'No page of this job has been read yet.' : expect.any(String)
  expect(error).toMatchObject({ code: 'JOB_NOT_FOUND', message, ...(hint !== undefined && { hint }) })
})
