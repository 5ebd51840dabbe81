import { expect, test } from 'vitest'
import { SearchError } from '../../../src/contracts/search.ts'
import { createPace, resultsEngines, resultsPages } from '../../../src/engine/search/results-pages/results-pages.ts'
import { type ErrorCode, failure } from '../../../src/kernel/error.ts'
import { failureOf, fakeClock } from '../../helpers/fakes.ts'
import { searchFor } from './kit.ts'

const never = new AbortController().signal

function paced(random: () => number) {
  const clock = fakeClock()
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  return { clock, waits, pace: createPace(clock, { random, sleep }) }
}

test('the first question to an engine waits for nobody', async () => {
  const { pace, waits } = paced(() => 0)
  await pace.turn('one', 8000, never)
  await pace.turn('two', 8000, never)
  expect(waits).toEqual([])
})

test('questions to one engine are 2.5 s apart, and up to 1.5 s more', async () => {
  const { pace, waits } = paced(() => 1)
  for (const _ of [1, 2, 3]) await pace.turn('one', 8000, never)
  expect(waits).toEqual([4000, 8000])
  const hurried = paced(() => 0)
  for (const _ of [1, 2]) await hurried.pace.turn('one', 8000, never)
  expect(hurried.waits).toEqual([2500])
})

test('time that has passed counts', async () => {
  const { pace, waits, clock } = paced(() => 0)
  await pace.turn('one', 8000, never)
  clock.pass(2000)
  await pace.turn('one', 8000, never)
  clock.pass(10_000)
  await pace.turn('one', 8000, never)
  expect(waits).toEqual([500])
})

test('who would wait too long is told at once, for how long, and takes no turn', async () => {
  const { pace, waits } = paced(() => 0)
  await pace.turn('one', 8000, never)
  const errors = [await failureOf(pace.turn('one', 2000, never)), await failureOf(pace.turn('one', 2000, never))]
  for (const error of errors) {
    expect(error).toBeInstanceOf(SearchError)
    expect(error).toMatchObject({ fault: 'rate limited', pauseMs: 2500 })
  }
  await pace.turn('one', 2500, never)
  expect(waits).toEqual([2500])
})

test('a wait ends with the call', async () => {
  const pace = createPace(fakeClock())
  await pace.turn('one', 8000, never)
  await expect(pace.turn('one', 8000, AbortSignal.abort(new Error('enough')))).rejects.toThrow()
})

test('engines keep their pace one by one, over all searches', async () => {
  const clock = fakeClock()
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  const providers = resultsPages({
    enabled: true,
    clock,
    pace: { random: () => 0, sleep },
    renderPage: () => Promise.reject(failure('BROWSER_UNAVAILABLE')),
  })
  for (const provider of [...providers, ...providers]) await failureOf(provider.search(searchFor('x')))
  expect(waits).toEqual(resultsEngines.map(() => 2500))
})

test.each<{ code: ErrorCode; fault: string }>([
  { code: 'BROWSER_UNAVAILABLE', fault: 'unreachable' },
  { code: 'SCRAPE_DNS_RESOLUTION_ERROR', fault: 'unreachable' },
  { code: 'SCRAPE_SSL_ERROR', fault: 'unreachable' },
  { code: 'SCRAPE_TIMEOUT', fault: 'timed out' },
  { code: 'SCRAPE_ACTION_ERROR', fault: 'unreadable answer' },
  { code: 'SCRAPE_ADDRESS_REFUSED', fault: 'refused' },
])('$code of the browser is told as: $fault', async ({ code, fault }) => {
  const secret = 'words of the page'
  const [provider] = resultsPages({
    enabled: true,
    clock: fakeClock(),
    renderPage: () => Promise.reject(failure(code, { message: secret })),
  })
  const error = await failureOf(provider!.search(searchFor('x')))
  expect(error).toBeInstanceOf(SearchError)
  expect(error).toMatchObject({ fault })
  expect((error as SearchError).message).not.toContain(secret)
})
