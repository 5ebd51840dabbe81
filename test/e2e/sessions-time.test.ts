import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { until } from '../helpers/processes.ts'
import { forAll, folderForAll, siteForAll } from '../helpers/for-all.ts'
import { loginRoutes, startSessionServer } from './sessions-kit.ts'

const folder = folderForAll()
const site = siteForAll({ routes: loginRoutes })
const env = { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: '127.0.0.1', GOSSAMER_MONTHLY_CREDITS: '1000' }
const server = forAll(() => startSessionServer(env))
const other = forAll(() => startSessionServer(env))

const logIn = [
  { type: 'navigate', url: 'about' },
  { type: 'click', target: 'button "Log in"' },
]
const remaining = async () => {
  const { data } = (await server.call('GET /v2/team/credit-usage')).body as { data: { remainingCredits: number } }
  return data.remainingCredits
}

/** Connects a viewer, and records its messages. */
async function watch(liveViewUrl: string) {
  const socket = new WebSocket(`${liveViewUrl.replace(/^http/, 'ws')}/ws`)
  const received: { type?: string; why?: string }[] = []
  const left = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) received.push(JSON.parse(data.toString()) as { type?: string })
  })
  await until(() => received.some(({ type }) => type === 'hello'))
  return { received, left }
}

it('an unused session ends after its time limit: viewers are disconnected, it is billed once, and its profile is saved', async () => {
  const before = await remaining()
  const session = await server.open({ activityTtl: 10, ttl: 600, profile: { name: 'quiet' } })
  const acts = logIn.map((act) => ('url' in act ? { ...act, url: site.url('/sessions/account') } : act))
  expect(await session.act(acts)).toMatchObject({ body: { ok: true } })
  const viewer = await watch(String(session.created['liveViewUrl']))
  const browsers = server.processes()
  // A viewer does not keep the session open.
  const looking = setInterval(() => void session.state().catch(() => undefined), 1000)
  expect(await viewer.left).toBe(1000)
  clearInterval(looking)
  expect(viewer.received.at(-1)).toEqual({ type: 'end', why: 'activityTtl' })
  await until(() => server.processes().length === 0)
  expect(browsers.length).toBeGreaterThan(0)

  expect(await session.run('1')).toMatchObject({ status: 410, body: { code: 'SESSION_GONE' } })
  expect((await fetch(String(session.created['liveViewUrl']))).status).toBe(404)
  const { body } = await session.close()
  const { sessionDurationMs: ms, creditsBilled } = body as { sessionDurationMs: number; creditsBilled: number }
  expect(ms).toBeGreaterThanOrEqual(10_000)
  expect(before - (await remaining())).toBeCloseTo(creditsBilled, 5)
  const again = await server.open({ profile: { name: 'quiet', saveChanges: false } })
  expect((await again.go(site.url('/sessions/account'))).body['text']).toContain('Hello Ada')
  await again.close()
})

it('two processes on one data folder list the sessions of both, but each drives only its own', async () => {
  const mine = await server.open()
  const { sessions } = (await other.call('GET /v2/browser?status=active')).body as { sessions: object[] }
  expect(sessions).toMatchObject([{ id: mine.id, status: 'active' }])
  expect(sessions[0]).not.toHaveProperty('cdpUrl')
  const elsewhere = { status: 404, body: { error: expect.stringContaining('another process') } }
  const at = `/v2/browser/${mine.id}`
  expect(await other.call(`POST ${at}/execute`, { code: '1' })).toMatchObject(elsewhere)
  expect(await other.call(`DELETE ${at}`)).toMatchObject(elsewhere)
  expect(await mine.run('1 + 1')).toMatchObject({ body: { result: '2' } })
  const closed = await mine.close()
  expect(await other.call(`DELETE ${at}`)).toEqual(closed)
  expect(await other.call(`POST ${at}/execute`, { code: '1' })).toMatchObject({ status: 410 })
})
