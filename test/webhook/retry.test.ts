import { describe, expect, test, vi } from 'vitest'
import { type Answer, openBench, poster, startReceiver, status } from './kit.ts'
import { aDelivery } from '../contracts/fixtures.ts'
import { ruleForAll } from '../net/rule-for-all.ts'

const patience = { timeout: 60_000, interval: 5 }
const minuteMs = 60_000
const never = () => undefined

describe('an event that is not acknowledged', () => {
  test.each([
    {
      what: 'an error',
      answer: status(500),
      requests: 4,
      why: 'The receiver answered with status 500. Tried 4 times.',
    },
    { what: 'a 404', answer: status(404), requests: 4, why: 'The receiver answered with status 404. Tried 4 times.' },
    {
      what: 'a redirect',
      answer: status(302),
      requests: 4,
      why: 'The receiver answered with a redirect (302), which is not followed. Tried 4 times.',
    },
    {
      what: 'silence',
      answer: never,
      requests: 4,
      why: 'There was no answer within 0.2 s. Tried 4 times.',
    },
    {
      what: 'a closed connection',
      answer: ((_, response) => void response.destroy()) as Answer,
      requests: 4,
      why: 'The site closed the connection before the answer was complete. Tried 4 times.',
    },
  ])(
    'but answered with $what is sent again after 1, 5 and 15 minutes, then dropped',
    async ({ answer, requests, why }) => {
      const bench = await openBench()
      const receiver = await startReceiver(answer)
      const delivery = aDelivery({ url: receiver.url(), headers: { authorization: 'Bearer abc' } })
      await bench.add(delivery)
      const deliverer = bench.deliverer({ timeoutMs: 200, secretOf: async () => 'top' })
      for (const minutes of [1, 5, 15]) {
        const retryAt = bench.clock.now() + minutes * minuteMs
        deliverer.wake()
        await vi.waitUntil(async () => (await bench.deliveries.nextDueAt()) === retryAt, patience)
        bench.clock.advance(minutes * minuteMs)
      }
      deliverer.wake()
      await vi.waitUntil(bench.isDone, patience)
      expect(await bench.deliveries.abandoned('crawl-1')).toEqual([
        { id: delivery.id, type: 'crawl.page', at: bench.clock.now(), why },
      ])
      expect(receiver.heard).toHaveLength(requests)
      expect(new Set(receiver.heard.map(({ body, headers }) => `${body} ${headers['x-service-signature']}`)).size).toBe(
        1,
      )
      const [warned, ...others] = bench.lines.filter(({ level }) => level === 'warn')
      expect(others).toEqual([])
      expect(warned).toMatchObject({ event: 'webhook abandoned', facts: { webhookId: delivery.id, tries: 4 } })
      expect(JSON.stringify(bench.lines)).not.toMatch(/abc|top|127\.0\.0\.1/)
    },
  )

  test('is dropped immediately if the receiver no longer exists', async () => {
    const bench = await openBench()
    const receiver = await startReceiver(status(410))
    await bench.add(aDelivery({ url: receiver.url() }))
    bench.deliverer().wake()
    await vi.waitUntil(bench.isDone, patience)
    expect(await bench.deliveries.abandoned('crawl-1')).toMatchObject([
      { why: 'The receiver answered 410, so no more events are sent. Tried once.' },
    ])
    expect(receiver.heard).toHaveLength(1)
  })

  test('is dropped immediately if the receiver is private', async () => {
    const bench = await openBench()
    const receiver = await startReceiver()
    await bench.add(aDelivery({ url: receiver.url() }))
    bench.deliverer({ post: poster({ ruleOf: ruleForAll([]) }).post }).wake()
    await vi.waitUntil(bench.isDone, patience)
    const [given] = await bench.deliveries.abandoned('crawl-1')
    expect(given?.why).toContain(
      'private, local or reserved address; the operator can add the host to GOSSAMER_ALLOW_HOSTS, or to the private hosts of the team.',
    )
    expect(receiver.heard).toHaveLength(0)
  })
})
