import { expect, test } from 'vitest'
import { allOffered } from '../../src/kernel/offer.ts'
import type { Presentation } from '../../src/kernel/operation.ts'
import { presentActivity } from '../../src/operations/account.ts'
import { presentErrors } from '../../src/operations/jobs.ts'
import { presentRunning } from '../../src/operations/crawl.ts'

const id = '0190c2a0-0000-7000-8000-000000000000'
const entry = { id, endpoint: 'scrape', api_version: 'v2', created_at: '2026-03-15T12:34:56.789Z' } as const
const texts = ({ parts }: Presentation) => parts.map((part) => [part.kind, 'text' in part ? part.text : ''])

const fault = (path: string) => ({
  id,
  timestamp: entry.created_at,
  url: `https://a.test/docs${path}`,
  code: 'SCRAPE_TIMEOUT',
  error: 'Too slow.',
})

test('jobs are a table, with a column of reasons if some failed', () => {
  const done = { ...entry, target: 'https://a.test/\n1 | forged', status: 'completed' } as const
  const failed = { ...entry, target: null, status: 'failed', code: 'MAP_FAILED', error: 'It broke.' } as const
  expect(texts(presentActivity({ data: [done], cursor: null }))).toEqual([
    ['text', '1 job, newest first.'],
    ['page', `id | kind | began (UTC) | about\n${id} | scrape | 2026-03-15 12:34 | https://a.test/ 1 | forged`],
  ])
  const [head, table] = texts(presentActivity({ data: [done, failed], cursor: 'next' }))
  expect(head?.[1]).toContain('{"cursor":"next"}')
  expect(table?.[1]).toMatch(/ \| failed with\n.* \| \n.* \| MAP_FAILED: It broke\.$/)
  expect(texts(presentActivity({ data: [], cursor: null }))).toEqual([['text', 'No jobs.']])
})

test('running crawls name the call that shows one, if it is offered', () => {
  const crawls = [{ id, url: 'https://a.test/', created_at: entry.created_at }]
  expect(texts(presentRunning({ crawls }, {}, allOffered))).toEqual([
    ['text', '1 running.\nShow one with crawl_status.'],
    ['page', `id | began (UTC) | URL\n${id} | 2026-03-15 12:34 | https://a.test/`],
  ])
  expect(JSON.stringify(presentRunning({ crawls }, {}, { has: () => false }))).not.toContain('crawl_status')
  expect(texts(presentRunning({ crawls: [] }, {}, allOffered))).toEqual([['text', 'No crawl is running.']])
})

test('failed pages are paths with code and reason; pages that robots.txt forbids are paths only', () => {
  const errors = {
    errors: [fault('/a'), fault('/b')],
    robotsBlocked: ['https://a.test/x', 'https://a.test/y'],
    skipped: { robots: 2 },
  }
  expect(texts(presentErrors(errors))).toEqual([
    ['text', '2 failed.\nURLs skipped: 2 forbidden by robots.txt.'],
    [
      'page',
      'path below https://a.test/docs | code | reason\n/a | SCRAPE_TIMEOUT | Too slow.\n/b | SCRAPE_TIMEOUT | Too slow.',
    ],
    ['page', 'path below https://a.test\n/x\n/y'],
  ])
  expect(texts(presentErrors({ errors: [], robotsBlocked: [], skipped: {} }))).toEqual([['text', 'No page failed.']])
})
