import { expect, test } from 'vitest'
import { ProviderError } from '../../../src/contracts/search.ts'
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
  await pace.waitTurn('one', 8000, never)
  await pace.waitTurn('two', 8000, never)
  expect(waits).toEqual([])
})

test('questions to one engine are 2.5 s apart, and up to 1.5 s more', async () => {
  const { pace, waits } = paced(() => 1)
  for (const _ of [1, 2, 3]) await pace.waitTurn('one', 8000, never)
  expect(waits).toEqual([4000, 8000])
  const hurried = paced(() => 0)
  for (const _ of [1, 2]) await hurried.pace.waitTurn('one', 8000, never)
  expect(hurried.waits).toEqual([2500])
})

test('time that has passed counts', async () => {
  const { pace, waits, clock } = paced(() => 0)
  await pace.waitTurn('one', 8000, never)
  clock.pass(2000)
  await pace.waitTurn('one', 8000, never)
  clock.pass(10_000)
  await pace.waitTurn('one', 8000, never)
  expect(waits).toEqual([500])
})

test('who would wait too long is told at once, for how long, and takes no turn', async () => {
  const { pace, waits } = paced(() => 0)
  await pace.waitTurn('one', 8000, never)
  const errors = [
    await failureOf(pace.waitTurn('one', 2000, never)),
    await failureOf(pace.waitTurn('one', 2000, never)),
  ]
  for (const error of errors) {
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ kind: 'rate limited', pauseMs: 2500 })
  }
  await pace.waitTurn('one', 2500, never)
  expect(waits).toEqual([2500])
})

test('a wait ends with the call', async () => {
  const pace = createPace(fakeClock())
  await pace.waitTurn('one', 8000, never)
  await expect(pace.waitTurn('one', 8000, AbortSignal.abort(new Error('enough')))).rejects.toThrow()
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

test.each<{ code: ErrorCode; kind: string }>([
  { code: 'BROWSER_UNAVAILABLE', kind: 'unreachable' },
  { code: 'SCRAPE_DNS_RESOLUTION_ERROR', kind: 'unreachable' },
  { code: 'SCRAPE_SSL_ERROR', kind: 'unreachable' },
  { code: 'SCRAPE_TIMEOUT', kind: 'timed out' },
  { code: 'SCRAPE_ACTION_ERROR', kind: 'unreadable answer' },
  { code: 'SCRAPE_ADDRESS_REFUSED', kind: 'refused' },
])('$code of the browser is told as: $kind', async ({ code, kind }) => {
  const secret = 'words of the page'
  const [provider] = resultsPages({
    enabled: true,
    clock: fakeClock(),
    renderPage: () => Promise.reject(failure(code, { message: secret })),
  })
  const error = await failureOf(provider!.search(searchFor('x')))
  expect(error).toBeInstanceOf(ProviderError)
  expect(error).toMatchObject({ kind })
  expect((error as ProviderError).message).not.toContain(secret)
})
