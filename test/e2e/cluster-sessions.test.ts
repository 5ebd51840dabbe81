import { WebSocket } from 'ws'
import { expect, test } from 'vitest'
import { nodeCredential } from '../../src/engine/node/forward.ts'
import { call as callApi } from '../helpers/api.ts'
import { describePostgres, startPostgres } from '../helpers/postgres.ts'
import { processesBelow } from '../helpers/processes.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'
import { sql, startTree } from './cluster-kit.ts'
import { forTest, leftOpen, forAll } from '../helpers/for-all.ts'
import { type Member as Server, secret, startMember } from './cluster-members.ts'

type Opened = { id: string; cdpUrl: string; liveViewUrl: string; interactiveLiveViewUrl: string }

const call = ({ url }: Server, route: string, body?: object, key = 'key-of-alpha') =>
  callApi(url, route, { key, ...(body && { body }) })

/** Returns the first message of a socket after sending a message, or the status with which the socket was refused. */
async function firstMessage(url: string, send?: object, headers: Record<string, string> = {}): Promise<string> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers })
  try {
    return await new Promise((resolve, reject) => {
      socket.once('open', () => send && socket.send(JSON.stringify(send)))
      socket.once('message', (data: Buffer) => resolve(data.toString()))
      socket.once('unexpected-response', (_, response) => resolve(String(response.statusCode)))
      socket.once('error', reject)
    })
  } finally {
    socket.on('error', () => {})
    socket.terminate()
  }
}

const browsersOf = ({ program }: Server) => processesBelow(program.child.pid ?? 0).length

describePostgres('live browsers of other servers', () => {
  const database = forAll(startPostgres)
  const schema = forAll(() => madeSchema(database.url), leftOpen)
  const holder = forAll(() => startMember(schema.url, 'browser'))
  const one = forAll(() => startMember(schema.url, 'api'))
  const two = forAll(() => startMember(schema.url, 'api'))
  const opened = forAll(async () => (await call(one, 'POST /v2/browser', { ttl: 120 })).body as unknown as Opened)

  test('are opened on a server with room for them', async () => {
    expect([browsersOf(one), browsersOf(two)]).toEqual([0, 0])
    expect(browsersOf(holder)).toBeGreaterThan(0)
    expect(new URL(opened.cdpUrl).host).toBe(new URL(one.url).host)
  })

  test('are driven through any server, which returns its own URLs', async () => {
    const ran = await call(two, `POST /v2/browser/${opened.id}/execute`, { code: 'return 6 * 7', language: 'node' })
    expect(ran).toMatchObject({ status: 200, body: { success: true } })
    const listed = (await call(two, 'GET /v2/browser')).body['sessions'] as Opened[]
    expect(listed).toMatchObject([{ id: opened.id }])
    expect(new URL(listed[0]?.liveViewUrl ?? '').host).toBe(new URL(two.url).host)
  })

  test('are seen and debugged through any server', async () => {
    const path = new URL(opened.liveViewUrl).pathname
    const page = await fetch(two.url + path)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await firstMessage(`${two.url}${path}/ws`)).toContain('"')
    const answer = await firstMessage(opened.cdpUrl, { id: 7, method: 'Browser.getVersion' })
    expect(JSON.parse(answer)).toMatchObject({ id: 7, result: { product: expect.stringContaining('Chrom') } })
  })

  test('run prompts that another server limits', async () => {
    const tree = forTest(await startTree(5))
    const scraped = await call(one, 'POST /v2/scrape', { url: `${tree.origin}/p/0` })
    const { scrapeId } = (scraped.body['data'] as { metadata: { scrapeId: string } }).metadata
    const interact = (server: Server, prompt: string) =>
      call(server, `POST /v2/scrape/${scrapeId}/interact`, { prompt })
    const clicked = await interact(one, 'Click "Page 1"')
    expect([clicked.status, JSON.stringify(clicked.body)]).toEqual([200, expect.stringContaining('/p/1')])
    expect([...tree.visits.keys()]).toContain(`127.0.0.1:${tree.port} /p/1`)
    expect((await call(two, `DELETE /v2/scrape/${scrapeId}/interact`)).status).toBe(200)
  })

  test('are hidden from other teams on every server', async () => {
    const code = { code: '1', language: 'node' }
    const foreign = await call(two, `POST /v2/browser/${opened.id}/execute`, code, 'key-of-beta')
    expect([foreign.status, foreign.body['code']]).toEqual([403, 'JOB_OF_OTHER_TEAM'])
    expect((await call(two, 'GET /v2/browser', undefined, 'key-of-beta')).body['sessions']).toEqual([])
  })

  test('cannot be reached without the secret of the servers', async () => {
    const { rows } = await sql(schema.url, "SELECT id FROM node WHERE role = 'browser'")
    const nodeId = String(rows[0]?.['id'])
    const own = { secret, nodeId, now: Date.now() }
    const path = `/internal${new URL(opened.liveViewUrl).pathname}/ws`
    const request = { method: 'GET', path, caller: '', body: new Uint8Array() }
    const credential = (changes: Partial<typeof own> = {}) => nodeCredential(request, { ...own, ...changes })
    const refused = [
      {},
      { authorization: 'Bearer key-of-alpha' },
      { authorization: credential({ secret: 'another secret of that length' }) },
      { authorization: credential({ nodeId: 'another' }) },
      { authorization: credential({ now: Date.now() - 120_000 }) },
    ]
    const answers = await Promise.all(refused.map((headers) => firstMessage(holder.url + path, undefined, headers)))
    expect(answers).toEqual(refused.map(() => '401'))
    const page = { authorization: credential(), origin: 'https://evil.example' }
    expect(await firstMessage(holder.url + path, undefined, page)).toBe('403')
  })

  test('end with their server, which calls report', async () => {
    holder.program.kill('SIGKILL')
    await holder.program.exited
    const call410 = async () => call(two, `POST /v2/browser/${opened.id}/execute`, { code: '1', language: 'node' })
    expect((await call410()).body['code']).toBe('REMOTE_UNAVAILABLE')
    await sql(schema.url, "UPDATE node SET lease_until = 0 WHERE role = 'browser'")
    await expect.poll(async () => (await call410()).status).toBe(410)
    expect((await call410()).body).toMatchObject({ code: 'SESSION_GONE', error: expect.stringContaining('has ended') })
    expect((await call(one, 'GET /v2/browser?status=active')).body['sessions']).toEqual([])
  })
})
