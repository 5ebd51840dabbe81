import { describe, expect, onTestFinished, test } from 'vitest'
import { createFetcher } from '../../src/engine/net/http/client.ts'
import { allows, everythingAllowed, fetchRobots, type RobotsRequest } from '../../src/engine/net/robots/robots.ts'
import { AppError } from '../../src/kernel/error.ts'
import { startSite } from '../helpers/site.ts'
import { answer, type Route } from '../helpers/site/route.ts'
import { ruleForAll } from './rule-for-all.ts'

const rules = 'User-agent: *\nDisallow: /private'

/** A site with that robots.txt, and the requests it received. */
async function fetched(robotsTxt: Route | readonly Route[], request: Partial<RobotsRequest> = {}) {
  const answers = [robotsTxt].flat()
  let count = 0
  const site = await startSite({
    routes: {
      '/robots.txt': (exchange) => answers[Math.min(count++, answers.length - 1)]!(exchange),
      '/sm/robots-elsewhere': answer(200, { 'content-type': 'text/plain' }, rules),
    },
  })
  const fetcher = createFetcher({ ruleOf: ruleForAll(['127.0.0.1']), userAgent: 'gossamer-test/1' })
  onTestFinished(async () => {
    await fetcher.close()
    await site.close()
  })
  const defaults = {
    teamId: 'team',
    userAgent: 'Fox/1.0',
    skipTlsVerification: false,
    signal: new AbortController().signal,
  }
  const robots = await fetchRobots(fetcher.fetchPage, { origin: site.origin, ...defaults, ...request })
  return { robots, site, mayVisitPrivate: allows(robots, 'Fox', site.url('/private')) }
}

const text = (status: number, body = rules) => answer(status, { 'content-type': 'text/plain' }, body)
const cut: Route = ({ request }) => void request.socket.destroy()

test('the rules of a site are read', async () => {
  const { robots, site, mayVisitPrivate } = await fetched(text(200))
  expect(mayVisitPrivate).toBe(false)
  expect(allows(robots, 'Fox', site.url('/open'))).toBe(true)
  expect(robots).not.toHaveProperty('why')
})

test('robots.txt is requested once, with the user agent of the crawler', async () => {
  const { site } = await fetched(text(200), { headers: { 'User-Agent': 'other', 'x-own': '1' } })
  expect(site.requests.map(({ url, headers }) => [url, headers['user-agent'], headers['x-own']])).toEqual([
    ['/robots.txt', 'Fox/1.0', '1'],
  ])
})

test.each([400, 401, 403, 404, 410, 429])('status %i means that there are no rules', async (status) => {
  const { robots, site } = await fetched(text(status))
  expect(robots).toEqual(everythingAllowed)
  expect(site.requests).toHaveLength(1)
})

test.each([
  ['that never end', '/redirect/endless/0'],
  ['in a loop', '/robots.txt'],
  ['to something that is no URL', 'http://'],
])('redirects %s forbid nothing', async (_, location) => {
  const { robots, mayVisitPrivate } = await fetched(answer(302, { location }))
  expect(robots.why).toBe('redirects')
  expect(mayVisitPrivate).toBe(true)
})

describe('a site whose rules are unknown', () => {
  test.each([
    ['answers 500', text(500)],
    ['answers 503', text(503)],
    ['closes the connection', cut],
    ['redirects to a private address', answer(302, { location: 'http://10.0.0.1/robots.txt' })],
    ['sends without an end', ({ response }) => void response.end(Buffer.alloc(5_000_001, 'a'))],
  ] satisfies [string, Route][])('because it %s disallows everything', async (_, route) => {
    const { robots, mayVisitPrivate, site } = await fetched(route)
    expect(robots.why).toBe('unreachable')
    expect(mayVisitPrivate).toBe(false)
    expect(allows(robots, 'Fox', site.origin)).toBe(false)
    expect(site.requests.filter(({ url }) => url === '/robots.txt').length).toBeGreaterThanOrEqual(2)
  })

  test('because it hangs disallows everything after the time limit', async () => {
    const { robots } = await fetched(() => {}, { deadlineMs: 100 })
    expect(robots.why).toBe('unreachable')
  })

  test('is requested once more', async () => {
    const { robots, mayVisitPrivate } = await fetched([text(503), text(200)])
    expect(robots).not.toHaveProperty('why')
    expect(mayVisitPrivate).toBe(false)
  })
})

test('ends with the reason of the caller', async () => {
  const control = new AbortController()
  const hang: Route = () => control.abort(new AppError('REQUEST_CANCELLED', { status: 499, message: 'gone' }))
  await expect(fetched(hang, { signal: control.signal })).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
})

test('gets no request with an invalid header, which is an error of the caller', async () => {
  await expect(fetched(text(200), { headers: { 'bad header': '1' } })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
