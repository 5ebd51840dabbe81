import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rememberedFor } from '../../src/app/wiring/crawl-threads/crawl-thread-ports.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** A function whose calls the test answers. */
function recordedCalls() {
  const requests: { key: string; resolve(value: string): void; reject(reason: Error): void }[] = []
  const known = new Map()
  const ask = (key: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    requests.push({ key, resolve, reject })
    return promise
  }
  return { requests, known, get: rememberedFor(100, ask, known) }
}

test('a value is requested once within the time, and again after it', () => {
  const { requests, get } = recordedCalls()
  const first = get('a')
  vi.advanceTimersByTime(99)
  expect(get('a')).toBe(first)
  vi.advanceTimersByTime(1)
  expect(get('a')).not.toBe(first)
  expect(requests).toHaveLength(2)
})

test('a value is requested again immediately after a failure', async () => {
  const { requests, get } = recordedCalls()
  const first = get('a')
  requests[0]?.reject(new Error('No.'))
  await expect(first).rejects.toThrow('No.')
  const second = get('a')
  requests[1]?.resolve('yes')
  expect(await second).toBe('yes')
})

test('a late failure of an older request keeps the newer answer', async () => {
  const { requests, get } = recordedCalls()
  const first = get('a')
  vi.advanceTimersByTime(100)
  const second = get('a')
  requests[0]?.reject(new Error('No.'))
  await expect(first).rejects.toThrow('No.')
  expect(get('a')).toBe(second)
})
