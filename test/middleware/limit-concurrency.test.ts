import { expect, test } from 'vitest'
import type { Ctx } from '../../src/kernel/ctx.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { createLocalSlots } from '../../src/engine/account/slot-lease.ts'
import { limitConcurrency } from '../../src/middleware/team-limits.ts'
import { failureOf, fakeClock, fakeCtx, open } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

/** A team's slots, and calls that run until they are released. */
function setting(limits: { maxConcurrency: number; maxWaiting: number }) {
  const clock = fakeClock()
  const slots = createLocalSlots()
  const take = (teamId: string, signal: AbortSignal) => slots.take(teamId, limits, signal)
  const run = under(limitConcurrency({ take }, clock))
  const started: string[] = []
  const seen = new Map<string, Ctx>()

  function call(name: string, over: Partial<Ctx> & { limitMs?: number } = {}) {
    const { limitMs = 60_000, ...rest } = over
    const { promise, give, refuse } = open<object>()
    const operation: AnyOperation = toy({
      limitMs: () => limitMs,
      run: (_input, ctx) => {
        started.push(name)
        seen.set(name, ctx)
        return promise
      },
    })
    const answer = run(operation, {}, fakeCtx({ startedAt: clock.now(), ...rest }))
    answer.catch(() => {})
    return { answer, end: () => give({ name }), fail: refuse }
  }
  return { clock, slots, started, seen, call, run }
}

/** Resolves when all pending promises have settled. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
const ofTeam = (id: string) => ({ team: { id, key: null, permissions: [] } })

test('a free slot goes to the call that arrived first', async () => {
  const { started, call, slots } = setting({ maxConcurrency: 1, maxWaiting: 5 })
  const calls = ['a', 'b', 'c'].map((name) => call(name))
  for (const { answer, end } of calls) {
    end()
    await answer
  }
  expect(started).toEqual(['a', 'b', 'c'])
  await settled()
  expect(slots.load('acme')).toEqual({ active: 0, waiting: 0 })
})

test('a changed limit applies to a team that has calls in progress', async () => {
  const slots = createLocalSlots()
  const taken: number[] = []
  const take = (maxConcurrency: number) =>
    slots.take('acme', { maxConcurrency, maxWaiting: 9 }, new AbortController().signal).then((slot) => {
      taken.push(maxConcurrency)
      return slot
    })
  const first = take(1)
  void take(1)
  await settled()
  expect(taken).toEqual([1])
  void take(3)
  await settled()
  expect(slots.load('acme')).toEqual({ active: 3, waiting: 0 })
  void take(2)
  ;(await first).release()
  await settled()
  expect(slots.load('acme')).toEqual({ active: 2, waiting: 1 })
})

test('teams do not share slots', async () => {
  const { started, call, slots } = setting({ maxConcurrency: 1, maxWaiting: 0 })
  call('a', ofTeam('one'))
  call('b', ofTeam('two'))
  await settled()
  expect(started).toEqual(['a', 'b'])
  expect(slots.load('one')).toEqual({ active: 1, waiting: 0 })
  expect(slots.load('three')).toEqual({ active: 0, waiting: 0 })
})

test('a full queue refuses calls, and a refused call takes no place in it', async () => {
  const { call, slots } = setting({ maxConcurrency: 1, maxWaiting: 1 })
  const first = call('first')
  const second = call('second')
  expect(await failureOf(call('third').answer)).toMatchObject({ code: 'QUEUE_FULL', status: 429 })
  expect(slots.load('acme')).toEqual({ active: 1, waiting: 1 })
  first.end()
  second.end()
  await second.answer
  expect(slots.load('acme')).toEqual({ active: 0, waiting: 0 })
})

test('a call that its caller aborts while it waits is cancelled, and takes no slot', async () => {
  const { started, call, slots } = setting({ maxConcurrency: 1, maxWaiting: 2 })
  const gone = new AbortController()
  const first = call('first')
  const second = call('second', { signal: gone.signal })
  const third = call('third')
  await settled()
  gone.abort()
  expect(await failureOf(second.answer)).toMatchObject({ code: 'REQUEST_CANCELLED', status: 499 })
  expect(slots.load('acme')).toEqual({ active: 1, waiting: 1 })
  first.end()
  await first.answer
  await settled()
  expect(started).toEqual(['first', 'third'])
  third.end()
  await third.answer
  expect(slots.load('acme')).toEqual({ active: 0, waiting: 0 })
})

test('a failed call returns its slot', async () => {
  const { started, call, slots } = setting({ maxConcurrency: 1, maxWaiting: 1 })
  const first = call('first')
  const second = call('second')
  await settled()
  first.fail(new Error('down'))
  expect(String(await failureOf(first.answer))).toBe('Error: down')
  await settled()
  expect(started).toEqual(['first', 'second'])
  second.end()
  await second.answer
  expect(slots.load('acme')).toEqual({ active: 0, waiting: 0 })
})
