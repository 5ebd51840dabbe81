import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFairSemaphore, type FairLimits } from '../../src/util/semaphore.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** Callers by team and name (`red 1`), whose turn it has been so far, in order, and a way to end the turn of each. */
function line(limits: Partial<FairLimits> = {}) {
  const turns = createFairSemaphore({ usual: 1, patienceMs: 250, ...limits })
  const had: string[] = []
  const leaves = new Map<string, () => void>()
  const take = async (name: string, signal = never) => {
    leaves.set(name, await turns.acquire(name.split(' ')[0]!, signal))
    had.push(name)
  }
  const come = (...names: string[]) => names.forEach((name) => void take(name))
  const leave = (name: string) => {
    leaves.get(name)?.()
    return after(0)
  }
  return { take, come, had, leave }
}

describe('between teams', () => {
  it('a free permit goes to the team whose last turn is longest ago', async () => {
    const { come, had, leave } = line()
    come('red 1', 'red 2', 'red 3', 'blue 1', 'blue 2', 'green 1')
    for (const name of ['red 1', 'blue 1', 'green 1', 'red 2', 'blue 2', 'red 3']) {
      await after(0)
      expect(had.at(-1)).toBe(name)
      await leave(name)
    }
    expect(had).toHaveLength(6)
  })

  it('a free permit goes to the team that holds fewest', async () => {
    const { come, had, leave } = line({ usual: 3 })
    come('red 1', 'red 2', 'blue 1', 'red 3', 'red 4', 'blue 2')
    await after(0)
    await leave('red 1')
    expect(had).toEqual(['red 1', 'red 2', 'blue 1', 'blue 2'])
    await leave('red 2')
    expect(had.at(-1)).toBe('red 3')
    await leave('red 3')
    expect(had.at(-1)).toBe('red 4')
  })

  it('a team without a permit gets one after a wait, however long others keep theirs', async () => {
    const { come, had, leave } = line({ usual: 2 })
    come('red 1', 'red 2', 'red 3', 'blue 1', 'blue 2', 'green 1')
    await after(249)
    expect(had).toEqual(['red 1', 'red 2'])
    await after(1)
    expect(had).toEqual(['red 1', 'red 2', 'blue 1'])
    await after(60_000)
    expect(had).toHaveLength(3)
    await leave('blue 1')
    expect(had.at(-1)).toBe('green 1')
    await leave('green 1')
    expect(had.at(-1)).toBe('blue 2')
  })

  it('no permit is reserved if a limit must hold for all together', async () => {
    const { come, had } = line({ usual: 2, reserved: 0 })
    come('red 1', 'red 2', 'blue 1')
    await after(60_000)
    expect(had).toEqual(['red 1', 'red 2'])
  })

  it('a caller that aborted leaves the queue, and lets its team and others pass', async () => {
    const { take, come, had, leave } = line()
    const gone = new AbortController()
    come('red 1')
    const left = expect(take('blue 1', gone.signal)).rejects.toThrow('enough')
    come('red 2')
    await after(0)
    gone.abort(new Error('enough'))
    await left
    await leave('red 1')
    expect(had).toEqual(['red 1', 'red 2'])
    await leave('red 2')
    come('blue 2')
    await after(0)
    expect(had.at(-1)).toBe('blue 2')
  })
})

describe('permits of one team', () => {
  it('are the usual number while each is granted soon, in order of arrival', async () => {
    const { come, had, leave } = line({ most: 2 })
    come('red 1', 'red 2', 'red 3')
    await after(249)
    expect(had).toEqual(['red 1'])
    await leave('red 1')
    expect(had).toEqual(['red 1', 'red 2'])
    await leave('red 2')
    expect(had).toEqual(['red 1', 'red 2', 'red 3'])
  })

  it('increase for callers that waited long, up to the maximum', async () => {
    const { come, had, leave } = line({ most: 2 })
    come('red 1', 'red 2', 'red 3')
    await after(260)
    expect(had).toEqual(['red 1', 'red 2'])
    await after(10_000)
    expect(had).toEqual(['red 1', 'red 2'])
    await leave('red 2')
    expect(had).toEqual(['red 1', 'red 2', 'red 3'])
  })

  it('skip callers that aborted, and later callers count only their own wait', async () => {
    const { take, come, had } = line({ most: 2 })
    const gone = new AbortController()
    come('red 1')
    const left = expect(take('red 2', gone.signal)).rejects.toThrow('enough')
    await after(100)
    come('red 3')
    gone.abort(new Error('enough'))
    await left
    await after(200)
    expect(had).toEqual(['red 1'])
    await after(60)
    expect(had).toEqual(['red 1', 'red 3'])
    await expect(take('red 4', gone.signal)).rejects.toThrow('enough')
  })
})
