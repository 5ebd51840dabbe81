import { expect, test } from 'vitest'
import { ProviderError } from '../../../src/contracts/search-port.ts'
import { resultsEngines, resultsPages } from '../../../src/engine/search/results-pages/results-pages.ts'
import { type ErrorCode, failure } from '../../../src/kernel/error.ts'
import { failureOf, fakeClock } from '../../helpers/fakes.ts'
import { requestFor } from '../kit.ts'

test('engines keep their own pace, over all searches', async () => {
  const clock = fakeClock()
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  const providers = resultsPages({
    enabled: true,
    clock,
    pace: { random: () => 0, sleep },
    renderPage: () => Promise.reject(failure('BROWSER_UNAVAILABLE')),
  })
  for (const provider of [...providers, ...providers]) await failureOf(provider.search(requestFor({ query: 'x' })))
  expect(waits).toEqual(resultsEngines.map(() => 2500))
})

test.each<{ code: ErrorCode; kind: string }>([
  { code: 'BROWSER_UNAVAILABLE', kind: 'unreachable' },
  { code: 'SCRAPE_DNS_RESOLUTION_ERROR', kind: 'unreachable' },
  { code: 'SCRAPE_SSL_ERROR', kind: 'unreachable' },
  { code: 'SCRAPE_TIMEOUT', kind: 'timed out' },
  { code: 'SCRAPE_ACTION_ERROR', kind: 'unreadable answer' },
  { code: 'SCRAPE_ADDRESS_REFUSED', kind: 'refused' },
])('$code of the browser is reported as: $kind', async ({ code, kind }) => {
  const secret = 'words of the page'
  const [provider] = resultsPages({
    enabled: true,
    clock: fakeClock(),
    renderPage: () => Promise.reject(failure(code, { message: secret })),
  })
  const error = await failureOf(provider!.search(requestFor({ query: 'x' })))
  expect(error).toBeInstanceOf(ProviderError)
  expect(error).toMatchObject({ kind })
  expect((error as ProviderError).message).not.toContain(secret)
})
