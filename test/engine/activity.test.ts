import { describe, expect, test } from 'vitest'
import { listActivity } from '../../src/engine/account/usage-and-activity.ts'
import { ActivityEntry } from '../../src/schema/team.ts'
import { failureOf, fakeCtx, fakeWorld, noon } from '../helpers/fakes.ts'

const dayMs = 86_400_000

/** A world with `count` jobs, one per second, the newest first. */
function setting(count: number) {
  const world = fakeWorld()
  world.state.rows = Array.from({ length: count }, (_, index) => ({
    id: `job-${index}`,
    endpoint: index % 2 === 0 ? 'scrape' : 'crawl',
    createdAt: noon - index * 1000,
    status: 'completed' as const,
    errorCode: null,
    target: index === 0 ? null : `https://example.com/${index}`,
  }))
  return world
}

test('jobs are listed as in the contract', async () => {
  const { data, cursor, has_more: hasMore } = await listActivity(setting(2).ports, { limit: 50 }, fakeCtx())
  expect(data).toEqual([
    {
      id: 'job-0',
      endpoint: 'scrape',
      api_version: 'v2',
      created_at: '2026-03-15T12:00:00.000Z',
      target: null,
      status: 'completed',
    },
    {
      id: 'job-1',
      endpoint: 'crawl',
      api_version: 'v2',
      created_at: '2026-03-15T11:59:59.000Z',
      target: 'https://example.com/1',
      status: 'completed',
    },
  ])
  expect(data.every((entry) => ActivityEntry.safeParse(entry).success)).toBe(true)
  expect({ cursor, hasMore }).toEqual({ cursor: null, hasMore: false })
})

test('a failed call has its code and its meaning; a code of another version is shown alone', async () => {
  const world = setting(3)
  const failed = { status: 'failed' as const }
  world.state.rows[0] = { ...world.state.rows[0]!, ...failed, errorCode: 'SCRAPE_TIMEOUT' }
  world.state.rows[1] = { ...world.state.rows[1]!, ...failed, errorCode: 'toString' }
  const { data } = await listActivity(world.ports, { limit: 50 }, fakeCtx())
  expect(data.map(({ status, code, error }) => ({ status, code, error }))).toEqual([
    { status: 'failed', code: 'SCRAPE_TIMEOUT', error: 'The scrape did not finish within its timeout.' },
    { status: 'failed', code: 'toString', error: undefined },
    { status: 'completed', code: undefined, error: undefined },
  ])
})

test('jobs are filtered by team, last day, kind and outcome', async () => {
  const world = setting(0)
  await listActivity(world.ports, { limit: 10, endpoint: 'crawl', status: 'failed' }, fakeCtx())
  expect(world.queries).toEqual([
    expect.objectContaining({ teamId: 'acme', endpoint: 'crawl', status: 'failed', since: noon - dayMs }),
  ])
})

describe('paging', () => {
  test.each([
    [0, 2, [[]]],
    [2, 2, [['job-0', 'job-1']]],
    [3, 2, [['job-0', 'job-1'], ['job-2']]],
    [
      4,
      2,
      [
        ['job-0', 'job-1'],
        ['job-2', 'job-3'],
      ],
    ],
    [3, 1, [['job-0'], ['job-1'], ['job-2']]],
  ])('through %i jobs, %i at a time, returns each once', async (count, limit, expected) => {
    const world = setting(count)
    const pages: string[][] = []
    let cursor: string | undefined
    for (let hasMore = true; hasMore && pages.length < 10;) {
      const page = await listActivity(world.ports, { limit, cursor }, fakeCtx())
      pages.push(page.data.map(({ id }) => id))
      expect(page.cursor !== null).toBe(page.has_more)
      cursor = page.cursor ?? undefined
      hasMore = page.has_more
    }
    expect(pages).toEqual(expected)
  })

  test.each(['', 'x', 'e30', '%'])(
    'with the cursor %j is a bad request, before the store is queried',
    async (cursor) => {
      const world = setting(3)
      expect(await failureOf(listActivity(world.ports, { limit: 2, cursor }, fakeCtx()))).toMatchObject({
        code: 'BAD_REQUEST',
        status: 400,
      })
      expect(world.queries).toEqual([])
    },
  )
})
