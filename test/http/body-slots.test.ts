import { afterAll, describe, expect, test } from 'vitest'
import { createBodyThread } from '../../src/app/bodies/body-thread.ts'
import type { Ctx } from '../../src/kernel/ctx.ts'
import { waitForJob } from '../../src/middleware/answers.ts'
import { compose } from '../../src/middleware/pipeline.ts'
import { operations } from '../../src/operations/index.ts'
import { createHttpApp, type HttpAppOptions } from '../../src/surfaces/http/app.ts'
import { createBodySlots } from '../../src/surfaces/http/body/read-input.ts'
import { key, memoryLog, newCtx, team } from './toys.ts'

const { signal } = new AbortController()
const list = { kind: 'list', teamId: 'a', signal } as const
const large = { ...list, bytes: 2 ** 21 }

/** Returns the settled result of a promise, or `waits`. */
const soFar = <T>(promise: Promise<T>) =>
  Promise.race([promise, new Promise((resolve) => setTimeout(() => resolve('waits'), 0))])

describe('slots for large bodies', () => {
  test('allow one long list at a time, of any team', async () => {
    const slots = createBodySlots()
    const release = await slots.work(large)
    const next = slots.work({ ...large, teamId: 'b' })
    expect(await soFar(next)).toBe('waits')
    release()
    expect(await next).toBeTypeOf('function')
  })

  test('let a slow list delay no other team, unless both are long', async () => {
    const slots = createBodySlots(3000)
    const short = { ...list, announced: 2 ** 20 }
    await slots.read({ ...list, announced: 2 ** 26 })
    await slots.read(short)
    expect(await slots.read({ ...short, teamId: 'b' })).toBeTypeOf('function')
    await expect(slots.read({ ...list, teamId: 'b' })).rejects.toMatchObject({ code: 'QUEUE_FULL' })
  })

  test('refuse with Retry-After after too long a wait', async () => {
    const slots = createBodySlots(20)
    await slots.read(list)
    await expect(slots.read(list)).rejects.toMatchObject({ code: 'QUEUE_FULL', status: 429 })
    await expect(slots.read({ ...list, signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
  })
})

const thread = createBodyThread('lenient')
afterAll(() => thread.close())

test('a body that arrives while the thread ends is read by the next thread', async () => {
  const own = createBodyThread('lenient')
  const read = () => {
    const bytes = new TextEncoder().encode(body())
    return own.read({ method: 'POST', url: 'http://here/v2/batch/scrape', bytes }, 'a', signal)
  }
  await read()
  const ended = own.close()
  expect((await read()).input).toMatchObject({ urls: { length: 40_000 } })
  await ended
  await own.close()
})

type Called = (input: object, ctx: Ctx) => Promise<object>
function appOf(called: Called, options: Partial<HttpAppOptions> = {}) {
  return createHttpApp({
    operations,
    invoke: compose([waitForJob], ({ follow }) =>
      follow ? called : async () => ({ status: 'scraping', completed: 0 }),
    ),
    newCtx,
    authenticate: async (authorization) => (authorization === key ? team : undefined),
    maxRequestBytes: 1_048_576,
    allowedHosts: ['here'],
    allowedOrigins: [],
    openApi: () => ({}),
    version: '1',
    log: memoryLog(),
    readElsewhere: thread.read,
    ...options,
  })
}
type App = ReturnType<typeof appOf>

const body = (more: object = {}) =>
  JSON.stringify({ urls: Array.from({ length: 40_000 }, (_, at) => `https://a.example/some/long/path/${at}`), ...more })
const send = (app: App, content: string | ReadableStream, signalOfCaller?: AbortSignal) =>
  app.request('http://here/v2/batch/scrape', {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: content,
    duplex: 'half',
    ...(signalOfCaller && { signal: signalOfCaller }),
  } as RequestInit)

describe('a long list', () => {
  test('is read once the job of the previous one has started, even if its caller waits for that job', async () => {
    const running: string[] = []
    const app = appOf(async (input) => {
      running.push(`${String((input as { origin?: string }).origin)} with ${running.length}`)
      return { id: 'the-job', url: 'http://here' }
    })
    const gone = new AbortController()
    const waiting = send(app, body({ origin: 'first', wait: 300 }), gone.signal)
    expect((await send(app, body({ origin: 'second' }))).status).toBe(200)
    expect(running.toSorted()).toEqual(['first with 0', 'second with 1'])
    gone.abort()
    expect((await waiting).status).toBe(499)
  })

  test('is processed after the previous one, and each is answered', async () => {
    let [now, most] = [0, 0]
    const app = appOf(async () => {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      now -= 1
      return { id: 'the-job', url: 'http://here' }
    })
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(app, body())))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(most).toBe(1)
  })
})
