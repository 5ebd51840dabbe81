import { expect, test } from 'vitest'
import { jobEvent, requestOf } from '../../src/engine/crawl/runner/crawl-job.ts'

const kept = (request: object) => ({ id: 'job', kind: 'crawl' as const, request })

test('a stored request of an older version gets defaults for missing fields', () => {
  const { options, page, zeroDataRetention } = requestOf(kept({ options: { url: 'http://a.test/', limit: 7 } }))
  expect(options).toMatchObject({ url: 'http://a.test/', limit: 7, includePaths: [], sitemap: 'include' })
  expect({ page, zeroDataRetention }).toEqual({ page: {}, zeroDataRetention: false })
  expect(requestOf(kept({ options: null })).options).toBeNull()
})

test('a webhook without events gets all events', () => {
  const event = jobEvent(kept({ options: null, webhook: { url: 'http://a.test/hook' } }), 'completed', 0)
  expect(event).toMatchObject({ type: 'crawl.completed', headers: {}, url: 'http://a.test/hook' })
})
