import { expect, onTestFinished, test, vi } from 'vitest'
import { localTeam } from '../../src/app/app.ts'
import type { Team } from '../../src/kernel/ctx.ts'
import type { JobStatus } from '../../src/schema/crawl-schema.ts'
import { startCrawling } from '../crawl/kit.ts'
import { createDeliverer } from '../../src/engine/webhook/deliver.ts'
import { aCrawl, aDelivery, logBook } from '../contracts/fixtures.ts'
import { tempStore } from '../store/kit.ts'
import { forTest } from '../helpers/for-all.ts'
import { poster, startReceiver } from '../webhook/kit.ts'

const patience = { timeout: 60_000, interval: 5 }

/** Opens a store and a sender of webhooks. `send` adds crawls of a team, each with an event. */
async function openSending() {
  const { store, clock } = await tempStore()
  const looked = new Set<string>()
  const deliverer = forTest(
    createDeliverer({
      deliveries: {
        ...store.deliveries,
        async look(crawlId, count) {
          const found = await store.deliveries.look(crawlId, count)
          looked.add(crawlId)
          return found
        },
      },
      post: poster().post,
      clock,
      log: logBook().log,
      secretOf: async () => undefined,
      retryMinutes: [1],
      graceMs: 0,
    }),
  )
  /** Resolves when the sender has seen the events. */
  const send = async (teamId: string, url: string, count = 1) => {
    const crawls = Array.from({ length: count }, () => aCrawl({ teamId }))
    for (const crawl of crawls) await store.crawls.start(crawl, [], aDelivery({ crawlId: crawl.id, url, body: teamId }))
    deliverer.wake()
    await vi.waitUntil(() => crawls.filter(({ id }) => looked.has(id)).length === Math.min(count, 100), patience)
  }
  return { send }
}

test('a team with hanging webhook receivers does not delay events of other teams', async () => {
  const { send } = await openSending()
  const [hangs, works] = [await startReceiver(() => {}), await startReceiver()]
  await send('greedy', hangs.url(), 120)
  await send('small', works.url())
  await vi.waitUntil(() => works.requests.length === 1, patience)
  expect(hangs.requests).toHaveLength(8)
})

test('teams take turns at a shared webhook receiver', async () => {
  const { send } = await openSending()
  const held: (() => void)[] = []
  const receiver = await startReceiver((_, response) => void held.push(() => response.end()))
  await send('greedy', receiver.url(), 30)
  await vi.waitUntil(() => receiver.requests.length === 8, patience)
  await send('small', receiver.url())
  held[0]?.()
  await vi.waitUntil(() => receiver.requests.length === 9, patience)
  expect(receiver.requests[8]?.body).toBe('small')
  expect(receiver.maxAtOnce()).toBe(8)
})

test('a team with many crawls of a hanging site does not delay crawls of other teams', async () => {
  const hangs = await startReceiver(() => {})
  const works = await startReceiver((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>A page</title><p>Some words of a page.</p>')
  })
  const { call, close } = startCrawling()
  onTestFinished(close)
  const [greedy, small] = [
    { ...localTeam, id: 'greedy' },
    { ...localTeam, id: 'small' },
  ]
  const start = (team: Team, url: string) => call<{ id: string }>('crawl', { url, limit: 1, sitemap: 'skip' }, team)
  await Promise.all(Array.from({ length: 40 }, () => start(greedy, hangs.url())))
  await vi.waitUntil(() => hangs.maxAtOnce() === 16, patience)
  const { id } = await start(small, works.url())
  await vi.waitUntil(
    async () => (await call<JobStatus>('crawl_status', { id }, small)).status === 'completed',
    patience,
  )
  expect(hangs.maxAtOnce()).toBe(16)
})
