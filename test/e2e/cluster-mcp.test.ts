import { request as send } from 'node:http'
import { expect, test } from 'vitest'
import { bodyOf, serve } from '../helpers/listen.ts'
import { describePostgres, startPostgres } from '../helpers/postgres.ts'
import { type Abilities, connect, type Kind } from '../mcp/clients.ts'
import { initialize } from '../mcp/http-toy.ts'
import { sessionIdIn } from '../helpers/tool-call.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'
import { sql, startTree } from './cluster-kit.ts'
import { forTest, leftOpen, forAll } from '../helpers/for-all.ts'
import { type Member, startMember } from './cluster-members.ts'

type Sent = { path: string; headers: Record<string, string>; body: string }

/** A proxy before a server: each request waits until `look` has returned. */
async function startCheckpoint(look: (sent: Sent) => Promise<void>) {
  let target = ''
  const server = forTest(
    await serve(async (request, response) => {
      const body = await bodyOf(request)
      const { url: path = '', headers, method } = request
      const names = ['authorization', 'x-gossamer-caller', 'mcp-session-id', 'accept', 'content-type']
      await look({ path, body, headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])) })
      send(`${target}${path}`, { method, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }).end(body)
    }),
  )
  return { url: server.origin, leadTo: (member: Member) => (target = member.url) }
}

/** Sends requests to the servers in turn, like a load balancer without session affinity. */
async function startBalancer(members: readonly Member[]) {
  const taken = members.map(() => 0)
  let turn = 0
  const server = forTest(
    await serve((request, response) => {
      const at = turn++ % members.length
      taken[at] = (taken[at] ?? 0) + 1
      const { method, headers } = request
      const passed = send(`${members[at]?.url}${request.url}`, { method, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      passed.on('error', () => response.destroy())
      response.on('close', () => passed.destroy())
      request.pipe(passed)
    }),
  )
  return { url: `${server.origin}/mcp`, taken }
}

const alpha = { authorization: 'Bearer key-of-alpha' }
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

async function post({ url }: Member, message: object, headers: Record<string, string>) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers: { ...json, ...alpha, ...headers }, body })
  return { status: response.status, text: await response.text(), id: response.headers.get('mcp-session-id') ?? '' }
}

async function open(member: Member) {
  const { id } = await post(member, initialize, {})
  return { 'mcp-session-id': id }
}

const soon = { interval: 50 }
const eras: Kind[] = ['v1', 'v2 legacy', 'v2 2026-07-28']

describePostgres('MCP behind a balancer', () => {
  const database = forAll(startPostgres)
  const schema = forAll(() => madeSchema(database.url), leftOpen)
  const tree = forAll(() => startTree(3))
  const ofAll = () => forAll(() => startMember(schema.url, 'all'))
  const [one, two, third] = [ofAll(), ofAll(), ofAll()]
  const connected = async (kind: Kind, abilities: Abilities = {}) => {
    const { url, taken } = await startBalancer([one, two])
    const client = forTest(await connect(kind, { url, headers: alpha }, abilities))
    return { client, taken }
  }
  const list = { method: 'tools/list' }

  test.each(eras)('a client of %s is served by all servers in turn', async (kind) => {
    const { client, taken } = await connected(kind)
    for (let turn = 0; turn < 4; turn++) expect((await client.tools()).map(({ name }) => name)).toContain('scrape')
    for (const path of ['/p/0', '/p/1']) {
      const notes: number[] = []
      const onprogress = ({ progress }: { progress: number }) => void notes.push(progress)
      const { content } = await client.call('scrape', { url: tree.origin + path }, { onprogress })
      expect(JSON.stringify(content)).toContain(`Page ${path.at(-1)}`)
      expect(notes.length).toBeGreaterThan(0)
    }
    expect(Math.min(...taken)).toBeGreaterThan(1)
  })

  test.each(eras)('a person answers a client of %s through any server', async (kind) => {
    const requested: string[] = []
    const { client } = await connected(kind, {
      capabilities: { elicitation: { url: {}, form: {} } },
      elicit: async ({ mode = 'form', url: address = '' }) => {
        requested.push(mode === 'url' ? new URL(address).pathname.slice(0, 6) : mode)
        return 'accept'
      },
    })
    const sessionId = sessionIdIn(await client.call('browser_create', { ttl: 60 }))
    const acts = [{ type: 'navigate', url: `${tree.origin}/p/0` }]
    const acted = await client.call('browser_act', { sessionId, acts, askPerson: 'Look at the page.' })
    expect(JSON.stringify(acted.content)).toContain('Page 0')
    expect(requested).toEqual(['/live/', 'form'])
    await client.call('browser_close', { sessionId })
  })

  test('a stream carries events from the server of its session through any server', async () => {
    const updates: string[] = []
    const { client } = await connected('v1', { onUpdate: (what) => updates.push(what) })
    const sessionId = sessionIdIn(await client.call('browser_create', { ttl: 60 }))
    await expect.poll(() => updates).toContain('list')
    await client.call('browser_close', { sessionId })
  })

  test('clients of every protocol version are notified of browsers of another server, and of the end of that server', async () => {
    const driver = forTest(await connect('v1', { url: `${third.url}/mcp`, headers: alpha }))
    const updates = new Map<Kind, string[]>(eras.map((kind) => [kind, []]))
    const clients = await Promise.all(
      eras.map(async (kind) => {
        const abilities = { onUpdate: (what: string) => updates.get(kind)?.push(what) }
        return forTest(await connect(kind, { url: `${two.url}/mcp`, headers: alpha }, abilities))
      }),
    )
    const sessionId = sessionIdIn(await driver.call('browser_create', { ttl: 60 }))
    const uri = `browser-session://${sessionId}`
    await Promise.all(clients.map((client) => client.watch([uri])))
    const allHear = (what: string) =>
      expect.poll(() => eras.filter((kind) => !updates.get(kind)?.includes(what)), soon).toEqual([])
    const listed = async () =>
      (await Promise.all(clients.map((client) => client.resources()))).map((all) =>
        all.some((each) => each.uri === uri),
      )
    await allHear('list')
    expect(await listed()).toEqual([true, true, true])
    const acts = [{ type: 'navigate', url: `${tree.origin}/p/0` }]
    await driver.call('browser_act', { sessionId, acts })
    await allHear(uri)
    const opened = sessionIdIn(await driver.call('browser_create', { ttl: 60 }))
    const forget = () => updates.forEach((all) => (all.length = 0))
    forget()
    await driver.call('browser_close', { sessionId: opened })
    await allHear('list')
    third.program.kill('SIGKILL')
    await third.program.exited
    // The lease of the killed server has not ended; it may be reported immediately after its end.
    forget()
    await sql(schema.url, 'UPDATE node SET lease_until = 0 WHERE url = $1', [third.url])
    await allHear('list')
    await expect.poll(listed, soon).toEqual([false, false, false])
  })

  test('a session that another server ended, or of another team, is not found', async () => {
    const headers = await open(one)
    expect((await post(two, list, headers)).status).toBe(200)
    expect((await post(two, list, { ...headers, authorization: 'Bearer key-of-beta' })).status).toBe(404)
    const ended = await fetch(`${two.url}/mcp`, { method: 'DELETE', headers: { ...alpha, ...headers } })
    expect(ended.status).toBe(200)
    for (const member of [one, two]) expect((await post(member, list, headers)).status).toBe(404)
    const invented = { 'mcp-session-id': `nobody.${crypto.randomUUID()}` }
    expect(await post(two, list, invented)).toMatchObject({ status: 404, text: expect.stringContaining('-32001') })
  })

  test('only servers of the database may forward calls for a caller', async () => {
    const caller = Buffer.from(JSON.stringify({ team: { id: 'alpha' }, baseUrl: '' })).toString('base64url')
    const headers = { ...json, ...alpha, 'x-gossamer-caller': caller }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...list })
    const answer = await fetch(`${two.url}/internal/mcp`, { method: 'POST', headers, body })
    expect(answer.status).toBe(401)
  })

  test('a signed request between servers cannot be replayed', async () => {
    const refused: Record<string, number> = {}
    let sent: Sent | undefined
    const checkpoint = await startCheckpoint(async (request) => {
      sent ??= request
      for (const [name, changed] of Object.entries(changesOf(request))) refused[name] ??= await replay(changed)
    })
    const holder = forTest(await startMember(schema.url, 'all', { GOSSAMER_NODE_URL: checkpoint.url }))
    checkpoint.leadTo(holder)
    const replay = async ({ path, headers, body }: Sent) =>
      (await fetch(holder.url + path, { method: 'POST', headers, body })).status
    const headers = await open(holder)
    expect((await post(one, list, headers)).status).toBe(200)
    if (sent) refused['again'] = await replay(sent)
    expect(refused).toEqual({ caller: 401, body: 401, path: 401, again: 401 })
  })
})

/** Returns changed versions of an intercepted request. */
function changesOf(sent: Sent): Record<string, Sent> {
  const original = JSON.parse(Buffer.from(sent.headers['x-gossamer-caller'] ?? '', 'base64url').toString()) as {
    team: object
  }
  const caller = Buffer.from(JSON.stringify({ ...original, team: { ...original.team, id: 'beta' } })).toString(
    'base64url',
  )
  return {
    caller: { ...sent, headers: { ...sent.headers, 'x-gossamer-caller': caller } },
    body: { ...sent, body: sent.body.replace('tools/list', 'resources/list') },
    path: { ...sent, path: `${sent.path}?other` },
  }
}
