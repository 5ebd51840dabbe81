import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReusedSlots } from '../../src/app/wiring/crawl-threads/crawl-thread-ports.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const { signal } = new AbortController()

/** Slots that report how many each team holds, and how many calls wait. */
function slots() {
  const held = new Map<string, number>()
  const state = { waiting: 0, acquired: 0 }
  const handedOn = createReusedSlots({
    async enter(teamId) {
      state.acquired += 1
      held.set(teamId, (held.get(teamId) ?? 0) + 1)
      return () => void held.set(teamId, (held.get(teamId) ?? 0) - 1)
    },
    load: async (teamId) => ({ active: held.get(teamId) ?? 0, waiting: state.waiting }),
  })
  return { ...handedOn, held, state }
}

test('the slot of a page passes to the next page of its team', async () => {
  const { enter, held, state } = slots()
  for (let page = 0; page < 5; page++) (await enter('acme', signal))()
  expect(state.acquired).toBe(1)
  expect(held.get('acme')).toBe(1)
})

test('concurrent pages have a slot each, and never the slot of another team', async () => {
  const { enter, held } = slots()
  const leaves = await Promise.all([enter('acme', signal), enter('acme', signal)])
  expect(held.get('acme')).toBe(2)
  leaves.forEach((leave) => leave())
  await enter('other', signal)
  expect(held).toEqual(
    new Map([
      ['acme', 2],
      ['other', 1],
    ]),
  )
})

test('an unused slot is returned', async () => {
  const { enter, held } = slots()
  const leaves = await Promise.all([enter('acme', signal), enter('other', signal), enter('other', signal)])
  leaves.slice(0, 2).forEach((leave) => leave())
  await vi.runAllTimersAsync()
  expect(held).toEqual(
    new Map([
      ['acme', 0],
      ['other', 1],
    ]),
  )
  leaves[2]?.()
  await vi.runAllTimersAsync()
  expect(held.get('other')).toBe(0)
})

test('a slot is returned immediately while a call of the team waits', async () => {
  const { enter, load, held, state } = slots()
  const leave = await enter('acme', signal)
  state.waiting = 1
  expect(await load('acme')).toEqual({ active: 1, waiting: 1 })
  leave()
  expect(held.get('acme')).toBe(0)
  const next = await enter('acme', signal)
  state.waiting = 0
  await load('acme')
  next()
  expect(held.get('acme')).toBe(1)
})

test('a page of an ended crawl takes no slot', async () => {
  const { enter, held } = slots()
  const leave = await enter('acme', signal)
  leave()
  await expect(enter('acme', AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
  await vi.runAllTimersAsync()
  expect(held.get('acme')).toBe(0)
})
