import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createElasticSemaphore, type SemaphoreLimits } from '../../src/engine/html/worker/elastic-semaphore.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** Callers by name, and whose turn it has been so far, in order. */
function line(places: Partial<SemaphoreLimits> = {}) {
  const turns = createElasticSemaphore({ usual: 1, most: 2, patienceMs: 250, ...places })
  const had: string[] = []
  const take = (name: string, signal = never) => turns.take(signal).then(() => void had.push(name))
  return { take, had, release: turns.release }
}

describe('turns for those who are patient', () => {
  it('are as many as usual while each comes soon, in the order of coming', async () => {
    const { take, had, release } = line()
    for (const name of ['one', 'two', 'three']) void take(name)
    await after(249)
    expect(had).toEqual(['one'])
    release()
    await after(0)
    expect(had).toEqual(['one', 'two'])
    release()
    await after(0)
    expect(had).toEqual(['one', 'two', 'three'])
  })

  it('are more for who waited long, and never more than the most', async () => {
    const { take, had, release } = line()
    for (const name of ['one', 'two', 'three']) void take(name)
    await after(260)
    expect(had).toEqual(['one', 'two'])
    await after(10_000)
    expect(had).toEqual(['one', 'two'])
    release()
    await after(0)
    expect(had).toEqual(['one', 'two', 'three'])
  })

  it('are as many as usual again for those who come later', async () => {
    const { take, had, release } = line()
    for (const name of ['one', 'two']) void take(name)
    await after(260)
    void take('three')
    release()
    await after(200)
    expect(had).toEqual(['one', 'two'])
    await after(60)
    expect(had).toEqual(['one', 'two', 'three'])
  })

  it('are not for who left, and whoever comes behind has waited for himself', async () => {
    const { take, had } = line()
    const gone = new AbortController()
    void take('one')
    const left = expect(take('two', gone.signal)).rejects.toThrow('enough')
    await after(100)
    void take('three')
    gone.abort(new Error('enough'))
    await left
    await after(200)
    expect(had).toEqual(['one'])
    await after(60)
    expect(had).toEqual(['one', 'three'])
    await expect(take('four', gone.signal)).rejects.toThrow('enough')
  })

  it('are just as many where the usual number is the most', async () => {
    const { take, had, release } = line({ usual: 2 })
    for (const name of ['one', 'two', 'three']) void take(name)
    await after(10_000)
    expect(had).toEqual(['one', 'two'])
    release()
    await after(0)
    expect(had).toEqual(['one', 'two', 'three'])
  })
})
