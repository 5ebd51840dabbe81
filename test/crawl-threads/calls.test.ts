import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { type Callable, callerOver, serveCalls } from '../../src/app/wiring/rpc.ts'
import { AppError, failure } from '../../src/kernel/error.ts'

/** Both ends in one thread: what crosses the channel is copied all the same. */
function connected<T extends Callable<T>>(functions: T) {
  const { port1, port2 } = new MessageChannel()
  const served = serveCalls(port1, functions)
  onTestFinished(() => {
    served.close()
    port2.close()
  })
  return { call: callerOver<T>(port2), served }
}

/** A call that runs until `go` is called; `aborted` resolves with the reason of an abort. */
function slowCall() {
  const started = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<unknown>()
  const go = Promise.withResolvers<void>()
  const run = async (_: null, signal: AbortSignal) => {
    started.resolve()
    signal.addEventListener('abort', () => aborted.resolve(signal.reason))
    await go.promise
  }
  return { started: started.promise, aborted: aborted.promise, go: go.resolve, run }
}

test('a call passes a copy of its arguments and returns a copy of the result', async () => {
  const page = { url: 'https://a.example/', body: new Uint8Array([1, 2, 3]), status: undefined }
  const seen: object[] = []
  const { call } = connected({
    async load(source: typeof page) {
      seen.push(source)
      return { ...source, faults: ['cut off'] }
    },
  })
  expect(await call('load', page)).toEqual({ ...page, faults: ['cut off'] })
  expect(seen).toEqual([page])
  expect(seen[0]).not.toBe(page)
})

test('many calls run concurrently, each with its own result', async () => {
  const { call } = connected({ double: async (value: number) => value * 2 })
  const numbers = Array.from({ length: 200 }, (_, nth) => nth)
  expect(await Promise.all(numbers.map((value) => call('double', value)))).toEqual(numbers.map((value) => value * 2))
})

test('an error meant for the caller is transferred whole, with its cause for the log', async () => {
  const thrown = failure('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    hint: 'Try another.',
    details: { kind: 'binary' },
    cause: new TypeError('inner'),
  })
  const { call } = connected({ fail: () => Promise.reject(thrown) })
  const received = await call('fail', undefined as never).catch((error: unknown) => error)
  expect(received).toBeInstanceOf(AppError)
  const { code, status, message, hint, details } = thrown
  expect(received).toMatchObject({
    code,
    status,
    message,
    hint,
    details,
    cause: { name: 'TypeError', message: 'inner' },
  })
})

test('any other error is transferred by its name and text', async () => {
  const { call } = connected({ fail: () => Promise.reject(new RangeError('out of it')) })
  const thrown = await call('fail', undefined as never).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(Error)
  expect(thrown).toMatchObject({ name: 'RangeError', message: 'out of it' })
})

test('when the caller aborts, its call rejects immediately with the reason, and the function is aborted', async () => {
  const slow = slowCall()
  const { call } = connected({ slow: slow.run })
  const leaving = new AbortController()
  const pending = call('slow', null, leaving.signal)
  await slow.started
  leaving.abort(new Error('had enough'))
  await expect(pending).rejects.toThrow('had enough')
  expect(await slow.aborted).toBeInstanceOf(Error)
  slow.go()
})

/** Slots, with the number of those in use. */
function places() {
  const state = { taken: 0 }
  const leave = () => void (state.taken -= 1)
  const take = async () => {
    state.taken += 1
    return leave
  }
  return { state, take }
}

test('a held result is kept until its caller releases it', async () => {
  const { state, take } = places()
  const { call } = connected({ take })
  const leave = await call('take', undefined as never)
  expect(state.taken).toBe(1)
  leave()
  await expect.poll(() => state.taken).toBe(0)
})

test('a result held for a caller that has aborted is released', async () => {
  const { state, take } = places()
  const slow = slowCall()
  const held = { take: (_: null, signal: AbortSignal) => slow.run(_, signal).then(take) }
  const { call } = connected(held)
  const leaving = new AbortController()
  const pending = call('take', null, leaving.signal)
  await slow.started
  leaving.abort(new Error('had enough'))
  await expect(pending).rejects.toThrow('had enough')
  await slow.aborted
  slow.go()
  await expect.poll(() => state.taken).toBe(0)
})

test('the end of a connection releases all held results, and aborts running functions', async () => {
  const { state, take } = places()
  const slow = slowCall()
  const { call, served } = connected({ take, slow: slow.run })
  await Promise.all([call('take', undefined as never), call('take', undefined as never)])
  void call('slow', null)
  await slow.started
  served.close()
  expect(state.taken).toBe(0)
  expect(await slow.aborted).toBeInstanceOf(Error)
  slow.go()
})
