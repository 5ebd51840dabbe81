import { describe, expect, test, vi } from 'vitest'
import { type Answer, openBench, patience, poster, startReceiver, status } from './kit.ts'
import { aDelivery } from '../contracts/fixtures.ts'
import { ruleForAll } from '../net/rule-for-all.ts'

const minuteMs = 60_000

describe('an event that is not acknowledged', () => {
  test.each<[what: string, answer: Answer, why: string]>([
    ['an error', status(500), 'The receiver answered with status 500.'],
    ['a 404', status(404), 'The receiver answered with status 404.'],
    ['a redirect', status(302), 'The receiver answered with a redirect (302), which is not followed.'],
    ['silence', () => undefined, 'There was no answer within 0.2 s.'],
    [
      'a closed connection',
      (_, response) => void response.destroy(),
      'The site closed the connection before the answer was complete.',
    ],
  ])('but answered with %s is sent again after 1, 5 and 15 minutes, then dropped', async (what, answer, why) => {
    const bench = await openBench()
    const receiver = await startReceiver(answer)
    const delivery = aDelivery({ url: receiver.url(), headers: { authorization: 'Bearer abc' } })
    await bench.add(delivery)
    const deliverer = bench.deliverer({ timeoutMs: what === 'silence' ? 200 : 10_000, secretOf: async () => 'top' })
    for (const minutes of [1, 5, 15]) {
      const retryAt = bench.clock.now() + minutes * minuteMs
      deliverer.wake()
      await vi.waitUntil(async () => (await bench.deliveries.nextDueAt()) === retryAt, patience)
      bench.clock.advance(minutes * minuteMs)
    }
    deliverer.wake()
    await bench.done()
    expect(await bench.deliveries.abandoned('crawl-1')).toEqual([
      { id: delivery.id, type: 'crawl.page', at: bench.clock.now(), why: `${why} Tried 4 times.` },
    ])
    expect(receiver.requests).toHaveLength(4)
    expect(
      new Set(receiver.requests.map(({ body, headers }) => `${body} ${headers['x-service-signature']}`)).size,
    ).toBe(1)
    const [warned, ...others] = bench.lines.filter(({ level }) => level === 'warn')
    expect(others).toEqual([])
    expect(warned).toMatchObject({ event: 'webhook abandoned', facts: { webhookId: delivery.id, tries: 4 } })
    expect(JSON.stringify(bench.lines)).not.toMatch(/abc|top|127\.0\.0\.1/)
  })

  test('is dropped immediately if the receiver no longer exists', async () => {
    const bench = await openBench()
    const receiver = await startReceiver(status(410))
    await bench.add(aDelivery({ url: receiver.url() }))
    bench.deliverer().wake()
    await bench.done()
    expect(await bench.deliveries.abandoned('crawl-1')).toMatchObject([
      { why: 'The receiver answered 410, so this event is not sent again. Tried once.' },
    ])
    expect(receiver.requests).toHaveLength(1)
  })

  test('is dropped immediately if the receiver is private', async () => {
    const bench = await openBench()
    const receiver = await startReceiver()
    await bench.add(aDelivery({ url: receiver.url() }))
    bench.deliverer({ post: poster({ ruleOf: ruleForAll([]) }).post }).wake()
    await bench.done()
    const [abandoned] = await bench.deliveries.abandoned('crawl-1')
    expect(abandoned?.why).toContain(
      'private, local or reserved address; the operator can add the host to GOSSAMER_ALLOW_HOSTS, or to the private hosts of the team.',
    )
    expect(receiver.requests).toHaveLength(0)
  })
})
