import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../../src/kernel/operation.ts'
import { createDashboardSessions } from '../../src/surfaces/dashboard/dashboard-login.ts'
import { toyDashboard } from './dashboard-toys.ts'
import { key, team, toyApp, toyFacts, toys } from './toys.ts'

const home = 'http://127.0.0.1:3002'

/** Returns a page as a crawl does. */
const pages = defineOperation({
  ...toyFacts,
  name: 'crawl_status',
  route: 'GET /v2/crawl/:id',
  example: { id: 'a' },
  input: z.object({ id: z.string(), skip: z.int().min(0), limit: z.int() }),
  watch: 'documents',
  run: async ({ id, skip }) => ({
    data: [
      {
        markdown: 'long',
        metadata: { url: `https://x.example/${id}`, title: `No. ${skip}`, statusCode: 200, scrapeId: 's' },
      },
    ],
  }),
})

function serve(keys: { known: string[]; isOpen?: boolean }, over: Parameters<typeof toyApp>[0] = {}) {
  const authenticate = async (authorization: string | undefined) => {
    if (authorization !== undefined && keys.known.includes(authorization)) return team
    return keys.isOpen ? { ...team, key: null } : undefined
  }
  const operations = [...toys, pages]
  const dashboard = toyDashboard({ operations, authenticate })
  const app = toyApp({ operations, authenticate, dashboard, ...over })
  return (path: string, init: RequestInit = {}) => app.request(home + path, init)
}
type Ask = ReturnType<typeof serve>

const html = { accept: 'text/html,application/xhtml+xml' }
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''
const tokenOf = async (response: Response) => /data-token="([^"]+)"/.exec(await response.text())?.[1] ?? ''

const send = (ask: Ask, form: string, headers: Record<string, string> = { origin: home }) =>
  ask('/', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body: form })

async function loggedIn(ask: Ask) {
  const cookie = cookieOf(await send(ask, 'key=good'))
  const token = await tokenOf(await ask('/', { headers: { ...html, cookie } }))
  return { cookie, 'x-gossamer-token': token, origin: home }
}

const act = (ask: Ask, headers: Record<string, string>) =>
  ask('/v2/toy/a/echo', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ text: 'hello' }),
  })

afterEach(() => vi.useRealTimers())

test('an unknown address returns a page to browsers and JSON to programs', async () => {
  const ask = serve({ known: [key] })
  const page = await ask('/nowhere', { headers: html })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await (await ask('/nowhere')).json()).toMatchObject({ code: 'NOT_FOUND' })
})

test('a browser without a session gets the login page, without scripts', async () => {
  const response = await serve({ known: [key] })('/', { headers: html })
  const text = await response.text()
  expect(text).toContain('<form method="post">')
  expect(text).not.toContain('data-token')
  expect(response.headers.get('set-cookie')).toBeNull()
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'sha256-[^']+'; style-src 'self';/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:/)
})

test('a key logs in and sets a cookie that no script reads and no other site sends', async () => {
  const ask = serve({ known: [key] })
  const response = await send(ask, 'key=+good+')
  expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
  const cookie = response.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^gossamer-dashboard-3002=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(cookie).not.toContain('good')
  const page = await (await ask('/', { headers: { ...html, cookie: cookieOf(response) } })).text()
  expect(page).toContain(`data-user="${team.key}"`)
})

test.each(['key=bad', 'key=', '', 'key=good%0Aother', `key=${'x'.repeat(5000)}`])('%j is refused', async (form) => {
  const response = await send(serve({ known: [key] }), form)
  expect(response.status).toBe(401)
  expect(response.headers.get('set-cookie')).toBeNull()
  expect(await response.text()).toContain('role="alert"')
})

test.each([{}, { origin: 'null' }, { origin: 'https://evil.example' }, { origin: 'http://127.0.0.1:3003' }])(
  'a page of %j cannot log in',
  async (headers) => {
    const response = await send(serve({ known: [key] }), 'key=good', headers)
    expect(response.status).toBe(403)
    expect(response.headers.get('set-cookie')).toBeNull()
  },
)

test('the cookie opens the API only to the page itself', async () => {
  const ask = serve({ known: [key] })
  const { cookie, origin, ...token } = await loggedIn(ask)
  expect((await act(ask, { cookie, origin, ...token })).status).toBe(200)
  expect((await ask('/v2/toy', { headers: { cookie, ...token } })).status).toBe(200)
  const refused = await act(ask, { cookie, origin })
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'ORIGIN_REFUSED' }])
  expect((await act(ask, { cookie, origin, 'x-gossamer-token': 'guess' })).status).toBe(403)
  expect((await ask('/v2/toy', { headers: { cookie } })).status).toBe(401)
  expect((await act(ask, { origin, ...token })).status).toBe(401)
})

test('a page of another origin is refused even with cookie and token', async () => {
  const ask = serve({ known: [key] })
  const headers = await loggedIn(ask)
  const response = await act(ask, { ...headers, origin: 'https://evil.example' })
  expect(response.status).toBe(403)
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect((await ask('/', { headers: { ...html, ...headers, host: 'evil.example' } })).status).toBe(403)
})

test('with any host name allowed, a page under an unlisted name cannot act', async () => {
  const ask = serve({ known: [], isOpen: true }, { allowedHosts: ['*'] })
  const rebound = { host: 'evil.example', origin: 'http://evil.example' }
  expect((await act(ask, rebound)).status).toBe(403)
})

test('without keys the dashboard needs no login, but has the same checks', async () => {
  const ask = serve({ known: [], isOpen: true })
  const response = await ask('/', { headers: html })
  const cookie = cookieOf(response)
  const token = await tokenOf(response)
  expect((await act(ask, { cookie, origin: home })).status).toBe(403)
  expect((await act(ask, { cookie, origin: home, 'x-gossamer-token': token })).status).toBe(200)
  expect(cookieOf(await ask('/', { headers: { ...html, cookie } }))).toBe('')
})

test('the dashboard requires a key as soon as one exists', async () => {
  const keys = { known: [] as string[], isOpen: true }
  const ask = serve(keys)
  const cookie = cookieOf(await ask('/', { headers: html }))
  keys.isOpen = false
  expect(await (await ask('/', { headers: { ...html, cookie } })).text()).toContain('<form method="post">')
})

test('a revoked key is logged out', async () => {
  const keys = { known: [key] }
  const ask = serve(keys)
  const headers = await loggedIn(ask)
  keys.known = []
  expect((await act(ask, headers)).status).toBe(401)
  expect(await (await ask('/', { headers: { ...html, ...headers } })).text()).toContain('<form method="post">')
})

test('logging out ends the session', async () => {
  const ask = serve({ known: [key] })
  const { 'x-gossamer-token': token, ...headers } = await loggedIn(ask)
  const leave = (more: object) => ask('/dashboard/logout', { method: 'POST', headers: { ...headers, ...more } })
  expect((await leave({})).status).toBe(403)
  const response = await leave({ 'x-gossamer-token': token })
  expect([response.status, response.headers.get('set-cookie')]).toMatchObject([
    204,
    expect.stringContaining('Max-Age=0'),
  ])
  expect((await act(ask, { ...headers, 'x-gossamer-token': token })).status).toBe(401)
})

test('sessions end after half a day without use, and a new one replaces the one unused longest', () => {
  let now = 0
  const sessions = createDashboardSessions(() => now)
  const first = sessions.open('one', 'Bearer a')
  const second = sessions.open('two', 'Bearer b')
  now = 11 * 3_600_000
  expect(sessions.find(first.id)).toBe(first)
  now = 13 * 3_600_000
  expect(sessions.find(first.id)).toBe(first)
  expect(sessions.find(second.id)).toBeUndefined()
  const others = Array.from({ length: 1000 }, (_, at) => sessions.open(`team ${at % 100}`, undefined))
  expect(sessions.find(first.id)).toBeUndefined()
  expect(others.filter(({ id }) => sessions.find(id)).length).toBe(1000)
})

test('repeated logins of a team end only its own oldest sessions', () => {
  const sessions = createDashboardSessions()
  const other = sessions.open('other', 'Bearer a')
  const own = Array.from({ length: 1000 }, () => sessions.open('busy', 'Bearer b'))
  expect(sessions.find(other.id)).toBe(other)
  expect(own.map(({ id }) => sessions.find(id) !== undefined).lastIndexOf(false)).toBe(899)
})

test('pages of a crawl are listed without their content', async () => {
  const ask = serve({ known: [key] })
  const { cookie, ...headers } = await loggedIn(ask)
  const response = await ask('/dashboard/pages/a?skip=200', { headers: { cookie, ...headers } })
  expect(await response.json()).toEqual({
    refused: 0,
    rows: [{ url: 'https://x.example/a', title: 'No. 200', status: 200, scrapeId: 's', characters: 4 }],
  })
  expect((await ask('/dashboard/pages/a', { headers: { cookie } })).status).toBe(403)
  expect((await ask('/dashboard/pages/a')).status).toBe(401)
  expect((await ask('/dashboard/pages/a?skip=x', { headers: { cookie, ...headers } })).status).toBe(400)
})
