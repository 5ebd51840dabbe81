import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverForTest, startSessionServer, type LiveSession, type SessionServer } from './sessions-kit.ts'

let server: SessionServer
let session: LiveSession
const red = { key: 'red-key-1234' }
const blue = { key: 'blue-key-1234' }
beforeAll(async () => {
  server = await startSessionServer({
    GOSSAMER_API_KEYS: `red:${red.key},blue:${blue.key}`,
    GOSSAMER_MAX_SESSIONS: '3',
  })
  session = await server.open({}, red)
}, 60_000)
afterAll(async () => {
  await session?.close()
  await server?.stop()
})

const execute = (more: object) => ({ code: '1', ...more })
const act = (more: object) => ({ acts: [{ type: 'click', target: 'e1', ...more }] })
const wishes: [route: string, body: object, field: string][] = [
  ['', { ttl: 29 }, 'ttl'],
  ['', { ttl: 3601 }, 'ttl'],
  ['', { ttl: 30.5 }, 'ttl'],
  ['', { ttl: 'long' }, 'ttl'],
  ['', { activityTtl: 9 }, 'activityTtl'],
  ['', { activityTtl: 3601 }, 'activityTtl'],
  ['', { streamWebView: 'perhaps' }, 'streamWebView'],
  ['', { profile: {} }, 'profile.name'],
  ['', { profile: { name: '' } }, 'profile.name'],
  ['', { profile: { name: 'n'.repeat(129) } }, 'profile.name'],
  ['', { profile: { name: 'n', saveChanges: 'perhaps' } }, 'profile.saveChanges'],
  ['', { origin: 'o'.repeat(257) }, 'origin'],
  ['/execute', {}, 'code'],
  ['/execute', execute({ code: '' }), 'code'],
  ['/execute', execute({ code: '1'.repeat(100_001) }), 'code'],
  ['/execute', execute({ language: 'ruby' }), 'language'],
  ['/execute', execute({ timeout: 0 }), 'timeout'],
  ['/execute', execute({ timeout: 301 }), 'timeout'],
  ['/snapshot', { find: {} }, 'find'],
  ['/snapshot', { scope: 'main' }, 'scope'],
  ['/snapshot', { maxCharacters: 199 }, 'maxCharacters'],
  ['/snapshot', { maxCharacters: 100_001 }, 'maxCharacters'],
  ['/act', {}, 'acts'],
  ['/act', { acts: [] }, 'acts'],
  ['/act', { acts: Array.from({ length: 31 }, () => ({ type: 'back' })) }, 'acts'],
  ['/act', act({ type: 'jump' }), 'acts.0.type'],
  ['/act', act({ target: '' }), 'acts.0.target'],
  ['/act', { acts: [{ type: 'back' }, { type: 'navigate' }] }, 'acts.1.url'],
]
const operations = ['GET', 'DELETE', 'GET /screenshot', 'POST /execute', 'POST /snapshot', 'POST /act'] as const
const bodies: Record<string, object> = {
  'POST /execute': { code: '1' },
  'POST /snapshot': {},
  'POST /act': { acts: [{ type: 'back' }] },
}
const routeOf = (operation: string, id: string) => {
  const [method, rest = ''] = operation.split(' ')
  return `${method} /v2/browser/${id}${rest}`
}

describe('what is out of bounds is refused with the field named', () => {
  it.each(wishes)('%s %j', async (path, body, field) => {
    const at = path === '' ? '/v2/browser' : `/v2/browser/${session.id}${path}`
    const { status, body: said } = await server.call(`POST ${at}`, body, red)
    const details = said['details'] as { path: (string | number)[] }[]
    expect({ status, code: said['code'], field: details.map(({ path: way }) => way.join('.')) }).toEqual({
      status: 400,
      code: 'BAD_REQUEST',
      field: [field],
    })
  })

  it('a status that is none', async () => {
    expect(await server.call('GET /v2/browser?status=asleep', undefined, red)).toMatchObject({
      status: 400,
      body: { details: [{ path: ['status'] }] },
    })
  })

  it.each(operations)('an id that is none: %s', async (operation) => {
    expect(await server.call(routeOf(operation, 'mine'), bodies[operation], red)).toMatchObject({
      status: 400,
      body: { details: [{ path: ['sessionId'] }] },
    })
  })
})

describe.each(operations)('%s', (operation) => {
  it('of a session of another team is refused', async () => {
    expect(await server.call(routeOf(operation, session.id), bodies[operation], blue)).toMatchObject({
      status: 403,
      body: { success: false, code: 'JOB_OF_OTHER_TEAM' },
    })
  })

  it('of a session that never was is not found', async () => {
    const nobodys = crypto.randomUUID()
    expect(await server.call(routeOf(operation, nobodys), bodies[operation], red)).toMatchObject({
      status: 404,
      body: { success: false, code: 'SESSION_NOT_FOUND', details: { id: nobodys } },
    })
  })

  it('without a key is refused', async () => {
    expect(await server.call(routeOf(operation, session.id), bodies[operation])).toMatchObject({ status: 401 })
  })
})

it('a team sees its own sessions only, over or not', async () => {
  const { body } = await server.call('GET /v2/browser', undefined, blue)
  expect(body['sessions']).toEqual([])
  expect((await server.call('GET /v2/browser', undefined, red)).body['sessions']).toMatchObject([{ id: session.id }])
})

it(
  'a team leaves a share of the sessions for another, and none of its own ends for that',
  { timeout: 120_000 },
  async () => {
    const more = await server.open({}, red)
    expect(await server.call('POST /v2/browser', {}, red)).toMatchObject({
      status: 429,
      body: { code: 'SESSION_LIMIT', details: { maxSessions: 3, sessions: expect.arrayContaining([more.id]) } },
    })
    const theirs = await server.open({}, blue)
    expect(await session.run('1 + 1')).toMatchObject({ status: 200, body: { result: '2' } })
    await Promise.all([more.close(), theirs.close()])
  },
)

it('the longest code and the bounds themselves are taken', { timeout: 120_000 }, async () => {
  const longest = `${' '.repeat(99_999)}7`
  expect(await session.run(longest, { timeout: 300 })).toMatchObject({ status: 200, body: { result: '7' } })
  const bounds = await server.open({ ttl: 3600, activityTtl: 3600, profile: { name: 'n'.repeat(128) } }, red)
  await bounds.close()
})

it('no session is opened for a team whose credits are spent, but one that is open goes on', async () => {
  const poor = await serverForTest({ GOSSAMER_MONTHLY_CREDITS: '1', GOSSAMER_ALLOW_HOSTS: '127.0.0.1' })
  const live = await poor.open()
  expect(await poor.call('POST /v2/scrape', { url: `${poor.url}/openapi.json` })).toMatchObject({ status: 200 })
  expect(await poor.call('POST /v2/browser', {})).toMatchObject({
    status: 402,
    body: { code: 'INSUFFICIENT_CREDITS', details: { monthlyCredits: 1 } },
  })
  expect(await live.run('1 + 1')).toMatchObject({ status: 200, body: { result: '2' } })
}, 60_000)
