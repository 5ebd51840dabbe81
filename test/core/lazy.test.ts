import { describe, expect, test } from 'vitest'
import { lazyPort, once } from '../../src/util/async.ts'
import { failureOf, open } from '../helpers/fakes.ts'

describe('once', () => {
  test('returns the same value to every call, including those that arrive while it is created', async () => {
    let made = 0
    const { promise, give } = open()
    const lazy = once(async () => {
      await promise
      return { number: ++made }
    })
    const early = [lazy(), lazy()]
    give()
    const [first, second] = await Promise.all(early)
    expect(second).toBe(first)
    expect(await lazy()).toBe(first)
    expect(made).toBe(1)
  })

  test('rejects all waiting calls after a failure, and tries again for the next', async () => {
    let tries = 0
    const lazy = once(async () => {
      if (++tries === 1) throw new Error('no disk')
      return 'made'
    })
    const failures = await Promise.all([failureOf(lazy()), failureOf(lazy())])
    expect(failures.map(String)).toEqual(['Error: no disk', 'Error: no disk'])
    expect(tries).toBe(1)
    expect(await lazy()).toBe('made')
    expect(tries).toBe(2)
  })

  test('closes a value that is being created, once it exists', async () => {
    const { promise, give } = open<string>()
    const closed: string[] = []
    const lazy = once(() => promise)
    void lazy()
    const closing = lazy.close(async (made) => void closed.push(made))
    give('thing')
    await closing
    expect(closed).toEqual(['thing'])
  })
})

type Port = { add(a: number, b: number): Promise<number>; sum: () => Promise<number> }
const make = () => {
  const state = { opened: 0, total: 0 }
  const port = once(async () => {
    state.opened += 1
    return {
      add: async (a: number, b: number) => (state.total += a + b),
      async sum(this: Port) {
        return typeof this.add === 'function' ? state.total : -1
      },
    }
  })
  return { state, port: lazyPort<Port>(port) }
}

test('a lazy port is opened by its first call, and passes arguments and results on', async () => {
  const { state, port } = make()
  expect(state.opened).toBe(0)
  expect(await port.add(1, 2)).toBe(3)
  expect(await port.sum()).toBe(3)
  expect(state.opened).toBe(1)
})
