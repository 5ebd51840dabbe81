import type { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { forTest } from '../helpers/for-all.ts'
import { createCrew, ask, startThread } from '../../src/util/threads.ts'

/** A thread that answers its request, exits, throws, loops or fills its memory. */
const program = `
const { parentPort, threadId } = require('node:worker_threads')
parentPort.on('message', (request) => {
  if (request === 'exit') process.exit(1)
  if (request === 'throw') throw new Error('thrown there')
  if (request === 'loop') for (;;);
  if (request === 'fill') for (const all = [];;) all.push(Array.from({ length: 1e5 }, (_, at) => all.length + at + ' '))
  parentPort.postMessage(request === 'environment' ? process.env : { request, threadId })
})`
const url = new URL(
  `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'
const require = createRequire('file:///')
${program}`)}`,
)

function start(heapMb = 24): Worker {
  const thread = startThread(url, { heapMb, youngMb: 4 }).on('error', () => {})
  onTestFinished(async () => void (await thread.terminate()))
  return thread
}
const call = { lost: 'It ended.', outOfMemory: (cause: Error) => new Error('It is too large.', { cause }) }
type Answer = { request: string; threadId: number }

describe('a call to a thread', () => {
  test('resolves with its answer, one after the other', async () => {
    const thread = start()
    expect(await ask<Answer>(thread, 'one', call)).toMatchObject({ request: 'one' })
    expect(await ask<Answer>(thread, 'two', call)).toMatchObject({ request: 'two' })
    expect(thread.listenerCount('message')).toBe(0)
  })

  test('moves buffers instead of copying them', async () => {
    const { buffer } = new Uint8Array(8)
    await ask(start(), buffer, { ...call, moved: [buffer] })
    expect(buffer.byteLength).toBe(0)
  })

  test.each([
    ['exit', 'It ended.'],
    ['throw', 'thrown there'],
    ['fill', 'It is too large.'],
  ])('rejects if it ends the thread: %s', async (request, message) => {
    await expect(ask(start(), request, call)).rejects.toThrow(message)
  })

  test('rejects if the thread needs more CPU time than permitted', async () => {
    const cpu = { maxMs: 20, over: () => new Error('It takes too long.') }
    await expect(ask(start(), 'loop', { ...call, cpu })).rejects.toThrow('It takes too long.')
  })

  test('rejects with the reason of its signal, whether the signal aborts after or before the call', async () => {
    const gone = new AbortController()
    const running = ask(start(), 'loop', { ...call, signal: gone.signal })
    gone.abort(new Error('The caller left.'))
    await expect(running).rejects.toThrow('The caller left.')
    await expect(ask(start(), 'one', { ...call, signal: gone.signal })).rejects.toThrow('The caller left.')
  })
})

test('a thread gets no variable of our environment except the folder of compiled code', async () => {
  const environment = await ask<object>(start(), 'environment', call)
  expect(Object.keys(environment).filter((name) => name !== 'NODE_COMPILE_CACHE')).toEqual([])
})

function crewOf(idleMs = 60_000) {
  return forTest(createCrew({ start: () => start(), idleMs }))
}

describe('a pool', () => {
  test('wakes the thread that has been idle for the shortest time', async () => {
    const crew = crewOf()
    const [one, two] = [crew.start(), crew.start()]
    expect(crew.wake()).toBeUndefined()
    crew.rest(one)
    crew.rest(two)
    expect([crew.wake(), crew.wake(), crew.wake()]).toEqual([two, one, undefined])
    expect(crew.count()).toBe(2)
  })

  test.each(['exit', 'throw'])('forgets a thread that ended: %s', async (request) => {
    const crew = crewOf()
    const member = crew.start()
    await ask(member, request, call).catch(() => {})
    crew.rest(member)
    expect([crew.count(), crew.wake()]).toEqual([0, undefined])
  })

  test('ends a thread that is idle for too long, and the others on close', async () => {
    const crew = crewOf(1)
    const [idle, busy] = [crew.start(), crew.start()]
    const ended = Promise.withResolvers<void>()
    busy.on('exit', () => ended.resolve())
    crew.rest(idle)
    await expect.poll(() => crew.count()).toBe(1)
    await crew.close()
    await ended.promise
    expect(crew.count()).toBe(0)
  })
})
