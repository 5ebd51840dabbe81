import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, tempDir } from '../helpers/program.ts'

const adminKey = 'the-key-of-the-admin'
const folder = tempDir()
let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  server = await startServer({ GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ADMIN_KEY: adminKey })
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

async function call(method: string, path: string, body?: object, key: string | undefined = adminKey) {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('the admin key', () => {
  test('adds a team and a key, whose calls are held to the terms at once, and changes them', async () => {
    const terms = { id: 'acme', requestsPerMinute: { map: 1 }, monthlyCredits: 0, webhookSecret: 'a long secret' }
    const { body } = await call('POST', '/v2/admin/teams', terms)
    expect(body['team']).toMatchObject({ id: 'acme', monthlyCredits: 0, webhookSecret: 'set' })
    const { key } = (await call('POST', '/v2/admin/keys', { name: 'laptop', team: 'acme', expiresInDays: 1 })).body
    const scrape = () => call('POST', '/v2/scrape', { url: 'http://10.0.0.1/' }, String(key))
    expect(await scrape()).toMatchObject({ status: 402, body: { code: 'INSUFFICIENT_CREDITS' } })
    await call('POST', '/v2/admin/teams', { id: 'acme', monthlyCredits: 'default' })
    expect((await scrape()).body).toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
    const { teams } = (await call('GET', '/v2/admin/teams')).body
    expect(teams).toEqual([
      { id: 'acme', createdAt: expect.any(String), requestsPerMinute: { map: 1 }, webhookSecret: 'set' },
    ])
  })

  test('lists keys with their last use, and revokes one', async () => {
    const { key } = (await call('POST', '/v2/admin/keys', { name: 'short' })).body
    const usage = () => call('GET', '/v2/team/credit-usage', undefined, String(key))
    expect((await usage()).status).toBe(200)
    const { keys } = (await call('GET', '/v2/admin/keys')).body
    expect(keys).toContainEqual(
      expect.objectContaining({ name: 'short', teamId: 'short', expiresAt: null, lastUsedAt: expect.any(String) }),
    )
    expect(JSON.stringify(keys)).not.toContain(String(key))
    expect((await call('DELETE', '/v2/admin/keys/short')).body).toEqual({ success: true, name: 'short' })
    expect((await usage()).status).toBe(401)
  })

  test('removes a team with its keys', async () => {
    await call('POST', '/v2/admin/teams', { id: 'gone' })
    const { key } = (await call('POST', '/v2/admin/keys', { name: 'its', team: 'gone' })).body
    expect((await call('DELETE', '/v2/admin/teams/gone')).status).toBe(200)
    expect((await call('GET', '/v2/team/credit-usage', undefined, String(key))).status).toBe(401)
    expect((await call('DELETE', '/v2/admin/teams/gone')).status).toBe(400)
  })
})

test('without it nothing is managed, and a server that has one lets nobody in without a key', async () => {
  const { key } = (await call('POST', '/v2/admin/keys', { name: 'other' })).body
  for (const [method, path] of [
    ['GET', '/v2/admin/teams'],
    ['GET', '/v2/admin/keys'],
    ['DELETE', '/v2/admin/keys/other'],
  ] as const) {
    expect(await call(method, path, undefined, String(key))).toMatchObject({
      status: 403,
      body: { code: 'PERMISSION_REQUIRED', hint: expect.stringContaining('GOSSAMER_ADMIN_KEY') },
    })
    expect((await call(method, path, undefined, '')).status).toBe(401)
  }
})
