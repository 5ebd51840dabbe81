import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TeamTerms } from '../../src/contracts/account-ports.ts'
import { openStoreIn } from '../store/programs/open-here.ts'
import { isFull } from './hostile.ts'
import { startServer } from '../helpers/program.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'
import type { Exchange } from '../helpers/site/route.ts'

type Answer = { status: number; code: string | undefined; headers: Headers; waitedMs: number; tookMs: number }

/** Number of calls of each team. They are made concurrently, half of them to each of two servers. */
const callsEach = isFull ? 200 : 80
const pageMs = 30
const maxHeldMs = 5000
const teams: Record<string, TeamTerms> = {
  narrow: { maxConcurrency: 2 },
  wide: { maxConcurrency: 8 },
  slow: { maxConcurrency: 4, requestsPerMinute: { '*': 500, scrape: 50 } },
  poor: { maxConcurrency: 4, monthlyCredits: 30 },
  usual: {},
}
const usualConcurrency = 5
const allowedTo = (team: string) => teams[team]?.maxConcurrency ?? usualConcurrency

const folder = folderForAll()
const servers: Awaited<ReturnType<typeof startServer>>[] = []
/** Requests that the site gets of each team: now, at most at the same time, and in all. */
const seen = new Map<string, { now: number; most: number; total: number }>()

async function answerSlowly({ url, response }: Exchange): Promise<void> {
  const team = url.pathname.split('/')[2] ?? ''
  const counts = seen.get(team) ?? { now: 0, most: 0, total: 0 }
  seen.set(team, counts)
  counts.now += 1
  counts.total += 1
  counts.most = Math.max(counts.most, counts.now)
  // Holds the first pages until the team has as many open as it may have, however slowly the calls arrive.
  for (let held = 0; held < maxHeldMs && counts.most < allowedTo(team); held += pageMs) await setTimeout(pageMs)
  await setTimeout(pageMs)
  counts.now -= 1
  response.setHeader('content-type', 'text/html').end(`<title>A page</title><p>Words of a page of ${team}.</p>`)
}

async function scrape(team: string, nth: number): Promise<Answer> {
  const startedAt = performance.now()
  const response = await fetch(`${servers[nth % 2]?.url}/v2/scrape`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer key-of-${team}` },
    body: JSON.stringify({ url: site.url(`/slow/${team}/${nth}`), maxAge: 0, timeout: 300_000 }),
  })
  const body = (await response.json()) as {
    code?: string
    data?: { metadata: { concurrencyQueueDurationMs?: number; concurrencyLimited?: boolean } }
  }
  const { headers, status } = response
  const waitedMs = body.data?.metadata.concurrencyQueueDurationMs ?? 0
  return { status, code: body.code, headers, waitedMs, tookMs: performance.now() - startedAt }
}

const thisMinute = () => Math.floor(Date.now() / 60_000)
let answers: Record<string, Answer[]>
let minutes: number

const site = siteForAll({ routes: { '/slow/*': answerSlowly } })
beforeAll(async () => {
  const { store } = await openStoreIn(folder.path)
  for (const [id, terms] of Object.entries(teams)) await store.teams.add(id, terms)
  await store.close()
  const keys = Object.keys(teams).map((id) => `${id}:key-of-${id}`)
  const env = {
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_API_KEYS: keys.join(','),
    GOSSAMER_MAX_CONCURRENCY: String(usualConcurrency),
  }
  servers.push(await startServer(env), await startServer(env))
  const began = thisMinute()
  const calls = Object.keys(teams).map(async (id) => {
    const all = await Promise.all(Array.from({ length: callsEach }, (_, nth) => scrape(id, nth)))
    return [id, all] as const
  })
  answers = Object.fromEntries(await Promise.all(calls))
  minutes = thisMinute() - began + 1
})
afterAll(() => Promise.all(servers.map((server) => server.stop())))

const of = (team: string, status: number) => (answers[team] ?? []).filter((answer) => answer.status === status)

describe('concurrent calls of five teams, in two processes on one folder', () => {
  test.each(Object.keys(teams))('never run more than the limit of %s, and do reach it', (id) => {
    expect(seen.get(id)?.most).toBe(allowedTo(id))
  })

  test.each(['narrow', 'wide', 'usual'])('are all answered for %s', (id) => {
    expect(of(id, 200)).toHaveLength(callsEach)
    expect(seen.get(id)?.total).toBe(callsEach)
  })

  test('exceed the rate limit of a team with 429 and Retry-After', () => {
    const [accepted, refused] = [of('slow', 200), of('slow', 429)]
    expect(accepted.length + refused.length).toBe(callsEach)
    expect(seen.get('slow')?.total).toBe(accepted.length)
    if (minutes === 1) expect(accepted).toHaveLength(50)
    else expect(accepted.length).toBeLessThanOrEqual(50 * minutes)
    const [one] = refused
    expect(one?.code).toBe('RATE_LIMITED')
    expect(Number(one?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(one?.headers.get('ratelimit')).toMatch(/^"scrape";r=0;t=\d+$/)
    for (const { headers } of accepted) expect(headers.get('ratelimit-policy')).toBe('"scrape";q=50;w=60')
    const left = accepted.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]))
    expect(new Set(left.toSorted((a, b) => b - a)).size).toBe(50)
  })

  test('spend the credits of a team exactly', async () => {
    expect(of('poor', 200)).toHaveLength(30)
    expect(of('poor', 402)).toHaveLength(callsEach - 30)
    expect(seen.get('poor')?.total).toBe(30)
    const { store } = await openStoreIn(folder.path)
    expect(await store.usage.since('poor', 0)).toBe(30)
    await store.close()
  })

  test.each(['narrow', 'wide', 'usual'])('wait no longer than three times the share of %s', (id) => {
    const all = of(id, 200)
    const meanMs = all.reduce((sum, { tookMs, waitedMs }) => sum + tookMs - waitedMs, 0) / all.length
    const slots = teams[id]?.maxConcurrency ?? usualConcurrency
    const shareMs = (callsEach / slots) * meanMs
    expect(Math.max(...all.map(({ waitedMs }) => waitedMs))).toBeLessThan(3 * shareMs)
  })

  test('report the time that they waited', () => {
    expect(of('narrow', 200).filter(({ waitedMs }) => waitedMs > 0).length).toBeGreaterThanOrEqual(callsEach - 4)
  })

  test('leave no slot in use', async () => {
    const { store } = await openStoreIn(folder.path)
    for (const id of Object.keys(teams))
      await expect.poll(() => store.quotas.load(id)).toEqual({ active: 0, waiting: 0 })
    await store.close()
  })
})
