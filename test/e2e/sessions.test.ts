import { expect, it } from 'vitest'
import { forAll, siteForAll } from '../helpers/for-all.ts'
import { loginRoutes, startSessionServer } from './sessions-kit.ts'

const site = siteForAll({ routes: loginRoutes })
const server = forAll(() =>
  startSessionServer({
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_MONTHLY_CREDITS: '1000',
    GOSSAMER_MAX_SESSIONS: '2',
  }),
)

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const address = (scheme: string, kind: string) =>
  expect.stringMatching(`^${scheme}://127.0.0.1:\\d+/${kind}/[\\w-]{43}$`)
const addresses = {
  cdpUrl: address('ws', 'cdp'),
  liveViewUrl: address('http', 'live'),
  interactiveLiveViewUrl: address('http', 'live'),
}

it('a session is opened, driven in every way, watched, listed and closed', async () => {
  const session = await server.open({ ttl: 60, activityTtl: 30, origin: 'test' })
  expect(session.created).toEqual({ success: true, id: session.id, ...addresses, expiresAt: instant })
  const lifeMs = Date.parse(String(session.created['expiresAt'])) - Date.now()
  expect(lifeMs).toBeGreaterThan(30_000)
  expect(lifeMs).toBeLessThanOrEqual(60_000)

  const page = site.url('/sessions/plain')
  expect(await session.go(page)).toMatchObject({ status: 200, body: { ok: true, done: 1, title: 'Plain', url: page } })
  // A weak sandbox is reported.
  const ran = { success: true, stderr: expect.stringMatching(/^(?:\[warning\].*\n)?$/), exitCode: 0, killed: false }
  expect(await session.run('await page.title()')).toEqual({
    status: 200,
    body: { ...ran, stdout: '', result: 'Plain' },
  })
  expect(await session.run('print(await page.title())', { language: 'python', timeout: 20 })).toEqual({
    status: 200,
    body: { ...ran, stdout: 'Plain\n', result: 'Plain\n' },
  })
  expect(await session.run('agent-browser get title', { language: 'bash', origin: 'test' })).toEqual({
    status: 200,
    body: { ...ran, stdout: 'Plain\n', result: 'Plain\n' },
  })
  expect(await session.run('throw new Error("mine")')).toMatchObject({
    status: 200,
    body: { success: true, exitCode: 1, error: expect.stringContaining('mine') },
  })
  expect(await session.look({ screenshot: true })).toMatchObject({
    status: 200,
    body: {
      url: page,
      title: 'Plain',
      snapshot: expect.stringContaining('Plain page'),
      screenshot: expect.stringMatching(/^data:image\/jpeg;base64,\/9j/),
    },
  })
  expect(await session.picture()).toMatchObject({
    status: 200,
    body: { mimeType: 'image/jpeg', base64: expect.stringMatching(/^\/9j/), url: page, title: 'Plain' },
  })

  const { interactiveLiveViewUrl: view, liveViewUrl, cdpUrl } = session.created
  const listed = {
    id: session.id,
    status: 'active',
    cdpUrl,
    liveViewUrl,
    interactiveLiveViewUrl: view,
    streamWebView: true,
    createdAt: instant,
    lastActivity: instant,
    expiresAt: session.created['expiresAt'],
  }
  const tabs = [{ id: 't1', url: page, title: 'Plain', isCurrent: true }]
  expect(await session.state()).toEqual({ status: 200, body: { success: true, ...listed, tabs } })
  expect((await server.call('GET /v2/browser?status=active')).body['sessions']).toEqual([
    { ...listed, lastActivity: instant },
  ])
  expect((await fetch(String(view))).status).toBe(200)

  const closed = await session.close()
  expect(closed).toEqual({
    status: 200,
    body: { success: true, sessionDurationMs: expect.any(Number), creditsBilled: expect.any(Number) },
  })
  expect(server.processes()).toEqual([])
  expect(server.leftFiles()).toEqual([])
  expect(await session.close()).toEqual(closed)
  const over = { status: 410, body: { success: false, code: 'SESSION_GONE', details: { id: session.id } } }
  for (const answer of [session.run('1'), session.act([{ type: 'back' }]), session.look(), session.state()])
    expect(await answer).toMatchObject(over)
  expect(await session.picture()).toMatchObject(over)
  expect((await fetch(String(view))).status).toBe(404)
  expect((await server.call('GET /v2/browser?status=active')).body['sessions']).toEqual([])
  const { cdpUrl: _, liveViewUrl: __, interactiveLiveViewUrl: ___, ...left } = listed
  expect((await server.call('GET /v2/browser?status=destroyed')).body['sessions']).toEqual([
    { ...left, status: 'destroyed' },
  ])
})

it('sessions are limited by the setting, and the error lists the open ones', async () => {
  const both = await Promise.all([server.open(), server.open()])
  const refused = await server.call('POST /v2/browser', {})
  expect(refused).toMatchObject({ status: 429, body: { code: 'SESSION_LIMIT', details: { maxSessions: 2 } } })
  const { sessions } = refused.body['details'] as { sessions: string[] }
  expect(sessions.toSorted()).toEqual(both.map(({ id }) => id).toSorted())
  await both[0].close()
  const third = await server.open()
  await Promise.all([both[1].close(), third.close()])
  expect(server.processes()).toEqual([])
})
