import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type RememberOptions, rememberedLookup } from '../../src/engine/net/http/connector.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

type Given = LookupAddress[] | Error

/** A name service that is answered one request at a time, and records the requests. */
function service(options?: RememberOptions) {
  const lookups: string[] = []
  const open: ((given: Given) => void)[] = []
  const system: LookupFunction = (host, _, callback) => {
    lookups.push(host)
    open.push((given) => (given instanceof Error ? callback(given, []) : callback(null, given)))
  }
  const lookup = rememberedLookup(system, options)
  return {
    lookups,
    answer: (given: Given) => open.shift()?.(given),
    ask: (host: string, family = 0) =>
      new Promise<LookupAddress[]>((resolve, reject) => {
        lookup(host, { family }, (error, addresses) => (error ? reject(error) : resolve(addresses as LookupAddress[])))
      }),
  }
}

const [here, there] = [[{ address: '192.0.2.1', family: 4 }], [{ address: '192.0.2.2', family: 4 }]]

test('a name is looked up once in ten seconds', async () => {
  const { ask, answer, lookups } = service()
  const first = ask('a.test')
  answer(here)
  expect(await first).toEqual(here)
  vi.advanceTimersByTime(9999)
  expect(await ask('A.test')).toEqual(here)
  vi.advanceTimersByTime(1)
  const later = ask('a.test')
  answer(there)
  expect(await later).toEqual(there)
  expect(lookups).toHaveLength(2)
})

test('concurrent callers share an answer, but cannot change that of another', async () => {
  const { ask, answer, lookups } = service()
  const both = [ask('a.test'), ask('a.test')]
  answer(here)
  const [one, other] = await Promise.all(both)
  one?.pop()
  expect(other).toEqual(here)
  expect(await ask('a.test')).toEqual(here)
  expect(lookups).toHaveLength(1)
})

test.each([
  ['a failure', new Error('ENOTFOUND')],
  ['an empty answer', []],
])('%s reaches all waiting callers, and is not cached', async (_, given) => {
  const { ask, answer, lookups } = service()
  const both = Promise.allSettled([ask('a.test'), ask('a.test')])
  answer(given)
  const outcomes = await both
  for (const outcome of outcomes) expect(outcome.status === 'rejected' ? outcome.reason : outcome.value).toEqual(given)
  const again = ask('a.test')
  answer(here)
  expect(await again).toEqual(here)
  expect(lookups).toHaveLength(2)
})

test('the oldest names are dropped, even while they are looked up', async () => {
  const { ask, answer, lookups } = service({ most: 2 })
  const all = ['a.test', 'b.test', 'c.test'].map((host) => ask(host))
  for (let nth = 0; nth < 3; nth++) answer(here)
  expect(await Promise.all(all)).toEqual([here, here, here])
  const again = ask('a.test')
  answer(there)
  expect(await again).toEqual(there)
  await ask('c.test')
  expect(lookups).toEqual(['a.test', 'b.test', 'c.test', 'a.test'])
})
