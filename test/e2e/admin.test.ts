import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { call as send } from '../helpers/api.ts'
import { serverForAll } from '../helpers/for-all.ts'
import { serve } from '../helpers/listen.ts'
import { startProgram } from '../helpers/program.ts'
import { page, startPages } from '../operations/extract-world.ts'

const adminKey = 'the-key-of-the-admin'
const shared = 'secret of the server'
const server = serverForAll(() => ({ GOSSAMER_ADMIN_KEY: adminKey, GOSSAMER_WEBHOOK_SECRET: shared }))
const call = (method: string, path: string, body?: object, key = adminKey) =>
  send(server.url, `${method} ${path}`, { key, ...(body && { body }) })

describe('the admin key', () => {
  test('adds a team and a key, whose limits apply immediately, and changes them', async () => {
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
    const revoked = { success: true, name: 'short', stoppedTeam: 'short' }
    expect((await call('DELETE', '/v2/admin/keys/short')).body).toEqual(revoked)
    expect((await usage()).status).toBe(401)
  })

  test('shows the webhook secret of a team, unless the operator set it', async () => {
    await call('POST', '/v2/admin/keys', { name: 'blue' })
    await call('POST', '/v2/admin/keys', { name: 'red' })
    const secretOf = async (id: string) => (await call('GET', `/v2/admin/teams/${id}/webhook-secret`)).body
    const webhookSecret = createHmac('sha256', shared).update('blue').digest('hex')
    expect(await secretOf('blue')).toEqual({ success: true, id: 'blue', source: 'derived', webhookSecret })
    await call('POST', '/v2/admin/teams', { id: 'blue', webhookSecret: 'a long secret' })
    expect(await secretOf('blue')).toEqual({ success: true, id: 'blue', source: 'team' })
  })

  test('removes a team with its keys', async () => {
    await call('POST', '/v2/admin/teams', { id: 'gone' })
    const { key } = (await call('POST', '/v2/admin/keys', { name: 'its', team: 'gone' })).body
    expect((await call('DELETE', '/v2/admin/teams/gone')).status).toBe(200)
    expect((await call('GET', '/v2/team/credit-usage', undefined, String(key))).status).toBe(401)
    expect((await call('DELETE', '/v2/admin/teams/gone')).status).toBe(400)
  })
})

const kindsOf = (jobs: { kind: string }[]) => jobs.map(({ kind }) => kind).toSorted()

describe('a team with running jobs', () => {
  const count = 12
  const patience = { interval: 100 }

  /**
   * Starts a crawl, a batch, an extraction and a check of a monitor for a team with one key. `prepare` runs before
   * these jobs, because opening a browser may take longer than the jobs.
   */
  async function atWork<T>(id: string, prepare?: (ask: typeof call) => Promise<T>) {
    const paths = Array.from({ length: count }, (_, at): [string, string] => [`/${id}/${at}`, page(`Page ${at}`, {})])
    const links = paths.map(([path]) => `<a href="${path}">${path}</a>`).join(' ')
    const site = await startPages(Object.fromEntries([...paths, [`/${id}/`, page('Home', {}, links)]]), 300)
    await call('POST', '/v2/admin/teams', { id, maxConcurrency: 2 })
    const newKey = async (name: string) =>
      String((await call('POST', '/v2/admin/keys', { name, team: id })).body['key'])
    const key = await newKey(id)
    const ask = (method: string, path: string, body?: object, by = key) => call(method, path, body, by)
    const prepared = (await prepare?.(ask)) as T
    const urls = paths.map(([path]) => site.url(path))
    const monitor = await ask('POST', '/v2/monitor', {
      schedule: { cron: '0 0 1 1 *' },
      targets: [{ type: 'scrape', urls }],
    })
    const { id: monitorId } = monitor.body['data'] as { id: string }
    const crawl = String((await ask('POST', '/v2/crawl', { url: site.url(`/${id}/`), maxAge: 0 })).body['id'])
    await ask('POST', '/v2/batch/scrape', { urls, maxAge: 0 })
    await ask('POST', '/v2/extract', { urls, prompt: 'The title' })
    await ask('POST', `/v2/monitor/${monitorId}/run`)
    const jobs = async () =>
      (await call('GET', `/v2/admin/jobs?team=${id}`)).body['jobs'] as { id: string; kind: string }[]
    return {
      ask,
      prepared,
      crawl,
      jobs,
      newKey,
      site,
      stateOf: async (by?: string) => (await ask('GET', `/v2/crawl/${crawl}`, undefined, by)).body,
    }
  }
  const kinds = ['batch_scrape', 'crawl', 'extract', 'monitor']

  test('can be watched and cancelled by the operator; its removal stops the jobs and closes the live view', async () => {
    const openBrowser = async (ask: typeof call) => {
      const browser = (await ask('POST', '/v2/browser', {})).body as { id: string; liveViewUrl: string }
      expect((await fetch(browser.liveViewUrl)).status).toBe(200)
      return browser
    }
    const { ask, prepared: browser, crawl, jobs, newKey, site, stateOf } = await atWork('leaving', openBrowser)
    const all = await jobs()
    expect(kindsOf(all)).toEqual(kinds)
    const batch = all.find(({ kind }) => kind === 'batch_scrape')?.id
    expect((await call('DELETE', `/v2/admin/jobs/${batch}`)).body).toMatchObject({ status: 'cancelled' })
    expect((await call('DELETE', `/v2/admin/jobs/${batch}`)).status).toBe(409)

    expect((await call('DELETE', '/v2/admin/teams/leaving')).status).toBe(200)
    await expect.poll(async () => kindsOf(await jobs()), patience).toEqual([])
    await expect.poll(async () => (await fetch(browser.liveViewUrl)).status, patience).toBe(404)
    const requests = site.requests.length
    const key = await newKey('successor')
    expect(await stateOf(key)).toMatchObject({ status: 'cancelled' })
    expect((await ask('GET', '/v2/monitor', undefined, key)).body['data']).toEqual([])
    // A page in progress may still have been requested.
    expect(site.requests.length).toBeLessThanOrEqual(requests + 2)
    expect(crawl).toBeTruthy()
  })

  test('ends its running calls within five seconds when it is removed', async () => {
    const requests = Promise.withResolvers<void>()
    const silent = await serve(() => requests.resolve())
    await call('POST', '/v2/admin/teams', { id: 'calling' })
    const { key } = (await call('POST', '/v2/admin/keys', { name: 'caller', team: 'calling' })).body
    const answered = call('POST', '/v2/scrape', { url: silent.origin, timeout: 60_000 }, String(key))
    await requests.promise
    await call('DELETE', '/v2/admin/teams/calling')
    const late = new Promise((resolve) => setTimeout(resolve, 5000, 'late'))
    expect(await Promise.race([answered, late])).toMatchObject({
      status: 403,
      body: { code: 'TEAM_DISABLED', hint: 'Ask the operator for another key.' },
    })
    silent.close()
  })

  test('stops when another program revokes its last key, and its monitors are paused', async () => {
    const { jobs, ask, newKey } = await atWork('keyless')
    expect(kindsOf(await jobs())).toEqual(kinds)
    const program = startProgram(['keys', 'revoke', 'keyless'], server.env)
    expect((await program.exited).code).toBe(0)
    expect(program.stderr()).toContain('last key of team "keyless"')
    await expect.poll(async () => kindsOf(await jobs()), patience).toEqual([])
    const { data } = (await ask('GET', '/v2/monitor', undefined, await newKey('late'))).body
    expect(data).toMatchObject([{ status: 'paused' }])
  })

  test('pauses its jobs while it is disabled, and completes them when it is enabled', async () => {
    const { ask, site, stateOf } = await atWork('resting')
    await call('POST', '/v2/admin/teams', { id: 'resting', disabled: true })
    expect(await ask('GET', '/v2/team/credit-usage')).toMatchObject({ status: 403, body: { code: 'TEAM_DISABLED' } })
    const settled = async () => {
      const before = site.requests.length
      await new Promise((resolve) => setTimeout(resolve, 2500))
      return site.requests.length - before
    }
    await expect.poll(settled).toBe(0)
    expect(site.requests.length).toBeLessThan(3 * count)
    await call('POST', '/v2/admin/teams', { id: 'resting', disabled: false })
    await expect
      .poll(() => stateOf(), patience)
      .toMatchObject({ status: 'completed', completed: count + 1, creditsUsed: count + 1 })
  })
})

test('management needs the admin key, and a server with an admin key refuses calls without a key', async () => {
  const { key } = (await call('POST', '/v2/admin/keys', { name: 'other' })).body
  for (const [method, path] of [
    ['GET', '/v2/admin/teams'],
    ['GET', '/v2/admin/keys'],
    ['DELETE', '/v2/admin/keys/other'],
    ['GET', '/v2/admin/jobs'],
  ] as const) {
    expect(await call(method, path, undefined, String(key))).toMatchObject({
      status: 403,
      body: { code: 'PERMISSION_REQUIRED', hint: expect.stringContaining('GOSSAMER_ADMIN_KEY') },
    })
    expect((await call(method, path, undefined, '')).status).toBe(401)
  }
})
