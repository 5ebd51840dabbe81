import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFairSemaphore, type FairLimits, leavesShare } from '../../src/util/semaphore.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/**
 * Callers of a semaphore, named by team (`red 1`). `request` requests permits, `granted` lists the callers that got
 * one, and
 * `release` returns the permit of a caller.
 */
function line(limits: Partial<FairLimits> = {}) {
  const turns = createFairSemaphore({ usual: 1, patienceMs: 250, ...limits })
  const granted: string[] = []
  const releases = new Map<string, () => void>()
  const take = async (name: string, signal = never) => {
    releases.set(name, await turns.acquire(name.split(' ')[0]!, signal))
    granted.push(name)
  }
  const request = (...names: string[]) => names.forEach((name) => void take(name))
  const release = (name: string) => {
    releases.get(name)?.()
    return after(0)
  }
  return { take, request, granted, release }
}

describe('between teams', () => {
  it('a free permit goes to the team that released one least recently', async () => {
    const { request, granted, release } = line()
    request('red 1', 'red 2', 'red 3', 'blue 1', 'blue 2', 'green 1')
    for (const name of ['red 1', 'blue 1', 'green 1', 'red 2', 'blue 2', 'red 3']) {
      await after(0)
      expect(granted.at(-1)).toBe(name)
      await release(name)
    }
    expect(granted).toHaveLength(6)
  })

  it('a free permit goes to the team with the fewest permits', async () => {
    const { request, granted, release } = line({ usual: 3 })
    request('red 1', 'red 2', 'blue 1', 'red 3', 'red 4', 'blue 2')
    await after(0)
    await release('red 1')
    expect(granted).toEqual(['red 1', 'red 2', 'blue 1', 'blue 2'])
    await release('red 2')
    expect(granted.at(-1)).toBe('red 3')
    await release('red 3')
    expect(granted.at(-1)).toBe('red 4')
  })

  it('a team without a permit gets one after a wait, however long others keep theirs', async () => {
    const { request, granted, release } = line({ usual: 2 })
    request('red 1', 'red 2', 'red 3', 'blue 1', 'blue 2', 'green 1')
    await after(249)
    expect(granted).toEqual(['red 1', 'red 2'])
    await after(1)
    expect(granted).toEqual(['red 1', 'red 2', 'blue 1'])
    await after(60_000)
    expect(granted).toHaveLength(3)
    await release('blue 1')
    expect(granted.at(-1)).toBe('green 1')
    await release('green 1')
    expect(granted.at(-1)).toBe('blue 2')
  })

  it('no permit is reserved if `reserved` is 0', async () => {
    const { request, granted } = line({ usual: 2, reserved: 0 })
    request('red 1', 'red 2', 'blue 1')
    await after(60_000)
    expect(granted).toEqual(['red 1', 'red 2'])
  })

  it('a caller that aborted leaves the queue, and does not delay others', async () => {
    const { take, request, granted, release } = line()
    const gone = new AbortController()
    request('red 1')
    const left = expect(take('blue 1', gone.signal)).rejects.toThrow('enough')
    request('red 2')
    await after(0)
    gone.abort(new Error('enough'))
    await left
    await release('red 1')
    expect(granted).toEqual(['red 1', 'red 2'])
    await release('red 2')
    request('blue 2')
    await after(0)
    expect(granted.at(-1)).toBe('blue 2')
  })
})

describe('permits of one team', () => {
  it('are granted in order of arrival, up to the usual number', async () => {
    const { request, granted, release } = line({ most: 2 })
    request('red 1', 'red 2', 'red 3')
    await after(249)
    expect(granted).toEqual(['red 1'])
    await release('red 1')
    expect(granted).toEqual(['red 1', 'red 2'])
    await release('red 2')
    expect(granted).toEqual(['red 1', 'red 2', 'red 3'])
  })

  it('exceed the usual number for callers that waited long, up to the maximum', async () => {
    const { request, granted, release } = line({ most: 2 })
    request('red 1', 'red 2', 'red 3')
    await after(260)
    expect(granted).toEqual(['red 1', 'red 2'])
    await after(10_000)
    expect(granted).toEqual(['red 1', 'red 2'])
    await release('red 2')
    expect(granted).toEqual(['red 1', 'red 2', 'red 3'])
  })

  it('are not granted to callers that aborted, whose wait does not count for the next caller', async () => {
    const { take, request, granted } = line({ most: 2 })
    const gone = new AbortController()
    request('red 1')
    const left = expect(take('red 2', gone.signal)).rejects.toThrow('enough')
    await after(100)
    request('red 3')
    gone.abort(new Error('enough'))
    await left
    await after(200)
    expect(granted).toEqual(['red 1'])
    await after(60)
    expect(granted).toEqual(['red 1', 'red 3'])
    await expect(take('red 4', gone.signal)).rejects.toThrow('enough')
  })
})

/** Returns the number of places of each team, if the teams take all that they may, one after the other. */
function greedy(teams: readonly string[], total: number): number[] {
  const holders: string[] = []
  for (const team of teams) while (leavesShare(team, holders, total)) holders.push(team)
  return teams.map((team) => holders.filter((holder) => holder === team).length)
}

it.each([
  [1, [1, 0]],
  [2, [1, 1, 0]],
  [3, [2, 1, 0]],
  [8, [4, 2, 1, 1, 0]],
  [1000, [500, 250, 125]],
])('each team leaves a share of %i places for the next', (total, wanted) => {
  const teams = wanted.map((_, nth) => `team ${nth}`)
  expect(greedy(teams, total)).toEqual(wanted)
})

it('a released place may go only to the team that has fewer', () => {
  expect(leavesShare('red', ['red', 'red', 'blue'], 4)).toBe(false)
  expect(leavesShare('blue', ['red', 'red'], 4)).toBe(true)
  expect(leavesShare('red', ['red'], 4)).toBe(true)
})
