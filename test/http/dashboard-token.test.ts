import { expect, test } from 'vitest'
import { failure } from '../../src/kernel/error.ts'
import { team, toyApp, toys } from './toys.ts'
import { toyDashboard } from './dashboard-toys.ts'

const home = 'http://127.0.0.1:3002'

/** A dashboard with one access token, which a test can let expire; other tokens cannot be verified. */
function serve() {
  const state = { isOver: false }
  const authenticate = async (authorization: string | undefined) => {
    if (authorization === undefined) return undefined
    if (authorization !== 'Bearer a.b.c') throw failure('AUTHORIZATION_UNAVAILABLE')
    if (state.isOver) throw failure('UNAUTHORIZED', { message: 'The access token has expired.' })
    return team
  }
  const dashboard = toyDashboard({ operations: toys, authenticate })
  const app = toyApp({ authenticate, dashboard })
  const logIn = (key: string) =>
    app.request(`${home}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: home },
      body: `key=${key}`,
    })
  const open = (cookie: string) => app.request(home, { headers: { accept: 'text/html', cookie } })
  return { state, logIn, open }
}

test('an expired access token logs its owner out, and cannot log in', async () => {
  const { state, logIn, open } = serve()
  const entered = await logIn('a.b.c')
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await (await open(cookie)).text()).toContain('data-token')
  state.isOver = true
  for (const page of [await open(cookie), await logIn('a.b.c')]) {
    expect(page.headers.get('content-type')).toContain('text/html')
    const text = await page.text()
    expect(text).not.toContain('data-token')
    expect(text).toContain('name="key"')
  }
})

test('a login that cannot be verified is reported as such', async () => {
  const { status, headers } = await serve().logIn('x.y.z')
  expect([status, headers.get('set-cookie')]).toEqual([503, null])
})
