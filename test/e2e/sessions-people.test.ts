import { once } from 'node:events'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { forAll, leftOpen, siteForAll } from '../helpers/for-all.ts'
import { loginRoutes, sharedSessionServer } from './sessions-kit.ts'

const site = siteForAll({ routes: loginRoutes })
const server = forAll(sharedSessionServer, leftOpen)

type Received = {
  type: string
  held?: string
  request?: { id: number; message: string }
  doing?: { text: string; at?: object }
  leftMs?: number
}

/** Connects to the live view like a person's browser. */
async function join(url: unknown) {
  const socket = new WebSocket(`${String(url).replace('http', 'ws')}/ws`)
  const received: Received[] = []
  socket.on('message', (data, isBinary) => {
    if (!isBinary) received.push(JSON.parse(String(data)) as Received)
  })
  await once(socket, 'open')
  const state = () => received.findLast(({ type }) => type === 'state')
  await expect.poll(state).toBeDefined()
  return { socket, received, state, say: (message: object) => socket.send(JSON.stringify(message)) }
}

it('people watch an agent, take over, help, and end the session', async () => {
  const session = await server.open({ ttl: 300 })
  await session.go(site.url('/sessions/plain'))
  const person = await join(session.created['interactiveLiveViewUrl'])

  expect(await session.act([{ type: 'click', target: 'button "Press"' }])).toMatchObject({ body: { ok: true } })
  const steps = () => person.received.flatMap(({ doing }) => doing ?? [])
  const pressed = { text: 'Clicking “Press”', at: { x: expect.any(Number), y: expect.any(Number) } }
  await expect.poll(steps).toContainEqual(pressed)

  person.say({ type: 'takeOver' })
  await expect.poll(() => person.state()?.held).toBe('you')
  let isDone = false
  const acting = session.act([{ type: 'click', target: 'button "Press"' }]).finally(() => (isDone = true))
  // Calls that only look are not delayed.
  expect(await session.look()).toMatchObject({ status: 200 })
  expect(isDone).toBe(false)
  person.say({ type: 'giveBack' })
  expect(await acting).toMatchObject({ body: { ok: true, done: 1 } })

  const helped = server.call(`POST /v2/browser/${session.id}/act`, {
    askPerson: 'Read this',
    acts: [{ type: 'extract', target: 'heading', as: 'text' }],
  })
  await expect.poll(() => person.state()?.request?.message).toBe('Read this')
  person.say({ type: 'answer', as: 'done', request: person.state()!.request!.id })
  expect(await helped).toMatchObject({ body: { ok: true, needsPerson: { outcome: 'done' } } })
  await expect.poll(() => person.state()?.request).toBeUndefined()

  const { body: before } = await session.state()
  person.say({ type: 'extend' })
  const expiry = async () => Date.parse(String((await session.state()).body['expiresAt']))
  await expect.poll(expiry).toBeGreaterThan(Date.parse(String(before['expiresAt'])) + 200_000)

  const hungUp = once(person.socket, 'close')
  person.say({ type: 'endSession' })
  await hungUp
  expect(person.received.at(-1)).toEqual({ type: 'end', why: 'closed' })
  expect(await session.look()).toMatchObject({ status: 410 })
})

it('an agent call during human control fails after its timeout, without an action', async () => {
  const session = await server.open()
  await session.go(site.url('/sessions/plain'))
  const person = await join(session.created['interactiveLiveViewUrl'])
  person.say({ type: 'takeOver' })
  await expect.poll(() => person.state()?.held).toBe('you')
  const acting = session.act([{ type: 'navigate', url: site.url('/sessions/account') }])
  const running = session.run('1')
  await session.close()
  for (const each of [await acting, await running]) expect(each.status).toBe(410)
})
