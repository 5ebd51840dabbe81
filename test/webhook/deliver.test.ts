import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { describe, expect, test, vi } from 'vitest'
import { openBench, patience, startReceiver } from './kit.ts'
import { aDelivery } from '../contracts/fixtures.ts'

const minuteMs = 60_000
const never = () => undefined

/** The id of a worker whose process has ended on this machine. */
async function deadWorker(): Promise<string> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return `${hostname()} ${child.pid} 1 ${crypto.randomUUID()}`
}

describe('an event', () => {
  test("arrives with the user's headers, ours over them, and a signature of its bytes", async () => {
    const bench = await openBench()
    const receiver = await startReceiver()
    const headers = { 'X-Who': 'me', 'Content-Type': 'text/plain', 'X-Service-Signature': 'forged' }
    const delivery = aDelivery({ url: receiver.url('/hook?a=b'), headers, body: '{"text":"naïve 🕸"}' })
    await bench.add(delivery)
    bench.deliverer({ secretOf: async () => 'top' }).wake()
    await bench.done()
    const signature = `sha256=${createHmac('sha256', 'top').update(delivery.body).digest('hex')}`
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.requests[0]).toMatchObject({
      url: '/hook?a=b',
      body: delivery.body,
      headers: {
        'x-who': 'me',
        'content-type': 'application/json',
        'x-service-signature': signature,
        'x-firecrawl-signature': signature,
      },
    })
    expect(await bench.states()).toEqual({ [delivery.id]: 'sent' })
  })

  test('with an endless response is acknowledged by its status', async () => {
    const bench = await openBench()
    const receiver = await startReceiver((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
      }
      response.on('drain', more)
      more()
    })
    const delivery = aDelivery({ url: receiver.url() })
    await bench.add(delivery)
    bench.deliverer().wake()
    await bench.done()
    expect(await bench.states()).toEqual({ [delivery.id]: 'sent' })
    expect(receiver.requests).toHaveLength(1)
  })
})

describe('the receivers', () => {
  test('are served concurrently, so one that hangs does not delay others', async () => {
    const bench = await openBench()
    const hangs = await startReceiver(never)
    const works = await startReceiver()
    await bench.add(...Array.from({ length: 20 }, (_, nth) => aDelivery({ url: hangs.url(), crawlId: `stuck-${nth}` })))
    await bench.add(...Array.from({ length: 50 }, () => aDelivery({ url: works.url() })))
    bench.deliverer().wake()
    await vi.waitUntil(() => works.requests.length === 50, patience)
  })

  test('get at most eight events at a time, of any number of crawls', async () => {
    const bench = await openBench()
    const held: (() => void)[] = []
    const receiver = await startReceiver((_, response) => void held.push(() => response.end()))
    const all = Array.from({ length: 60 }, (_, nth) => aDelivery({ url: receiver.url(), crawlId: `crawl-${nth % 5}` }))
    await bench.add(...all)
    bench.deliverer().wake()
    for (let answered = 0; answered < all.length; answered += 1) {
      const expected = Math.min(answered + 8, all.length)
      await vi.waitUntil(() => receiver.requests.length === expected, patience)
      held[answered]?.()
    }
    await bench.done()
    expect(receiver.maxAtOnce()).toBe(8)
  })

  test('get a failed event again when it is due, and others meanwhile', async () => {
    const bench = await openBench()
    const failing = new Set<string>()
    const receiver = await startReceiver((request, response) => {
      const fails = request.url === '/fails' && !failing.has(request.body)
      failing.add(request.body)
      response.writeHead(fails ? 500 : 200).end()
    })
    const [first, second, third] = [
      aDelivery({ url: receiver.url() }),
      aDelivery({ url: receiver.url('/fails') }),
      aDelivery({ url: receiver.url() }),
    ]
    await bench.add(first, second, third)
    const deliverer = bench.deliverer()
    deliverer.wake()
    await vi.waitUntil(async () => (await bench.deliveries.nextDueAt()) === bench.clock.now() + minuteMs, patience)
    expect(receiver.requests).toHaveLength(3)
    bench.clock.advance(minuteMs)
    deliverer.wake()
    await bench.done()
    expect(receiver.requests.map(({ body }) => body)[3]).toBe(second.body)
  })
})

describe('two processes on one file', () => {
  test('send each event once', async () => {
    const bench = await openBench()
    const receiver = await startReceiver()
    const all = Array.from({ length: 200 }, (_, nth) => aDelivery({ url: receiver.url(), crawlId: `crawl-${nth % 5}` }))
    await bench.add(...all)
    for (const each of [bench.deliverer(), bench.deliverer()]) each.wake()
    await bench.done()
    expect(receiver.requests.map(({ body }) => body).toSorted()).toEqual(all.map(({ body }) => body).toSorted())
  })

  test('resume the events of a killed process immediately', async () => {
    const bench = await openBench()
    const receiver = await startReceiver()
    const [first, second] = [aDelivery({ url: receiver.url() }), aDelivery({ url: receiver.url() })]
    await bench.add(first, second)
    expect(await bench.deliveries.claim(await deadWorker(), 10, 30_000)).toHaveLength(1)
    bench.deliverer().wake()
    await bench.done()
    expect(receiver.requests.map(({ body }) => body).toSorted()).toEqual([first.body, second.body].toSorted())
  })
})

describe('a delivering process that closes', () => {
  test('completes deliveries in progress, and starts no more', async () => {
    const bench = await openBench()
    const answers: (() => void)[] = []
    const receiver = await startReceiver((_, response) => void answers.push(() => response.end()))
    const first = aDelivery({ url: receiver.url(), type: 'crawl.started' })
    const second = aDelivery({ url: receiver.url() })
    await bench.add(first, second)
    const deliverer = bench.deliverer({ graceMs: 20_000 })
    deliverer.wake()
    await vi.waitUntil(() => answers.length === 1, patience)
    const closed = deliverer.close()
    answers[0]?.()
    await closed
    deliverer.wake()
    expect(await bench.states()).toEqual({ [first.id]: 'sent', [second.id]: 'due' })
  })

  test('aborts slow deliveries, and leaves them to the next process, first in order', async () => {
    const bench = await openBench()
    const receiver = await startReceiver((_, response, nth) => void (nth > 1 && response.end()))
    const first = aDelivery({ url: receiver.url(), type: 'crawl.started' })
    const second = aDelivery({ url: receiver.url() })
    await bench.add(first, second)
    const deliverer = bench.deliverer({ graceMs: 10 })
    deliverer.wake()
    await vi.waitUntil(() => receiver.requests.length === 1, patience)
    await deliverer.close()
    bench.deliverer().wake()
    await bench.done()
    expect(receiver.requests.map(({ body }) => body)).toEqual([first, first, second].map(({ body }) => body))
  })
})

test('a failing database is logged, and the deliverer continues with the next wake', async () => {
  const bench = await openBench()
  const receiver = await startReceiver()
  const troubles = { left: 1 }
  const { deliveries } = bench
  const deliverer = bench.deliverer({
    deliveries: {
      ...deliveries,
      claim: async (...wish) => {
        if (troubles.left-- > 0) throw new Error('disk full')
        return deliveries.claim(...wish)
      },
    },
  })
  await bench.add(aDelivery({ url: receiver.url() }))
  deliverer.wake()
  await vi.waitUntil(() => bench.lines.length === 1, patience)
  expect(bench.lines).toMatchObject([{ level: 'warn', event: 'webhooks could not be read' }])
  deliverer.wake()
  await bench.done()
  expect(receiver.requests).toHaveLength(1)
})
