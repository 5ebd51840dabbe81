import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSessionServer, type LiveSession, type SessionServer } from './sessions-kit.ts'

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
  ['', { ttl: 'long' }, 'ttl'],
  ['', { activityTtl: 9 }, 'activityTtl'],
  ['', { profile: { name: 'n'.repeat(129) } }, 'profile.name'],
  ['', { profile: { name: 'n', saveChanges: 'perhaps' } }, 'profile.saveChanges'],
  ['/execute', {}, 'code'],
  ['/execute', execute({ code: '1'.repeat(100_001) }), 'code'],
  ['/execute', execute({ language: 'ruby' }), 'language'],
  ['/execute', execute({ timeout: 301 }), 'timeout'],
  ['/snapshot', { find: {} }, 'find'],
  ['/snapshot', { maxCharacters: 100_001 }, 'maxCharacters'],
  ['/act', {}, 'acts'],
  ['/act', { acts: Array.from({ length: 31 }, () => ({ type: 'back' })) }, 'acts'],
  ['/act', act({ type: 'jump' }), 'acts.0.type'],
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

describe('an invalid request is refused with the name of the field', () => {
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

  it('an invalid status is refused', async () => {
    expect(await server.call('GET /v2/browser?status=asleep', undefined, red)).toMatchObject({
      status: 400,
      body: { details: [{ path: ['status'] }] },
    })
  })

  it.each(operations)('an invalid id is refused: %s', async (operation) => {
    expect(await server.call(routeOf(operation, 'mine'), bodies[operation], red)).toMatchObject({
      status: 400,
      body: { details: [{ path: ['sessionId'] }] },
    })
  })
})

it(
  'a team leaves a share of the sessions for others, and none of its own is closed for that',
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
