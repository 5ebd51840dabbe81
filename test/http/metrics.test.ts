import { expect, test } from 'vitest'
import { key, team, toyApp } from './toys.ts'

const token = 'a token of 16 characters or more'
const metrics = { exposition: async () => 'toys_total 3\n', token }
const app = toyApp({
  metrics,
  authenticate: async (authorization) =>
    authorization === 'Bearer admin' ? { ...team, permissions: ['admin'] } : authorization === key ? team : undefined,
})
const ask = (authorization?: string, method = 'GET', of = app) =>
  of.request('http://127.0.0.1/metrics', {
    method,
    headers: { host: '127.0.0.1', ...(authorization && { authorization }) },
  })

test.each([
  ['the token of metrics', `Bearer ${token}`],
  ['the admin key', 'Bearer admin'],
])('metrics are open to a caller with %s', async (_, authorization) => {
  const response = await ask(authorization)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await response.text()).toBe('toys_total 3\n')
})

test.each([
  ['a caller without a key', undefined, 401, 'UNAUTHORIZED'],
  ['a caller with an unknown key', 'Bearer bad', 401, 'UNAUTHORIZED'],
  ['a caller with the start of the token', `Bearer ${token.slice(0, -1)}`, 401, 'UNAUTHORIZED'],
  ['a caller with the key of a team', key, 403, 'PERMISSION_REQUIRED'],
])('metrics are closed to %s', async (_, authorization, status, code) => {
  const response = await ask(authorization)
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code])
})

test('without a configured token, no token opens the metrics', async () => {
  const closed = toyApp({ metrics: { ...metrics, token: undefined } })
  expect((await ask('Bearer undefined', 'GET', closed)).status).toBe(401)
  expect((await ask('Bearer ', 'GET', closed)).status).toBe(401)
})
