import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mkdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inputSchema, type JsonSchema } from '../../src/kernel/json-schema.ts'
import { operations } from '../../src/operations/index.ts'
import { startEngine } from '../e2e/search-engine.ts'
import { processesBelow, until } from '../helpers/processes.ts'
import { forAll, folderForAll } from '../helpers/for-all.ts'
import { startServer } from '../helpers/program.ts'
import { heldIn, rawBelow } from './held.ts'
import { canary, canaryHost, type Case, casesFor, tracesIn } from './zero-retention-jobs.ts'

type Server = Awaited<ReturnType<typeof startServer>>

const folder = folderForAll()
const rich = readFileSync(new URL('../document/fixtures/office/rich.docx', import.meta.url))
const page = `<title>${canary}</title><h1>${canary}</h1><input autofocus name="${canary}">
  <p>A page with a fair number of words that say nothing in particular, but for ${canary}.</p>
  <script>document.cookie = '${canary}=${canary}; max-age=9999'; localStorage.setItem('${canary}', '${canary}')</script>
  <a href="/next/${canary}">next</a>`

/** Paths that were requested. The answer to a path with `/slow` never ends. */
const requested: string[] = []
const site = await listening(({ url = '', headers }, response) => {
  requested.push(url)
  if (url.includes('/slow')) return void response.writeHead(200, { 'content-type': 'text/html' }).write(page)
  if (url.startsWith('/robots.txt') || url.startsWith('/sitemap') || url.includes('/missing'))
    return void response.writeHead(404, { 'content-type': 'text/html' }).end(page)
  if (url.endsWith('.docx')) return void response.writeHead(200).end(rich)
  response
    .writeHead(200, { 'content-type': 'text/html', 'set-cookie': `${canary}=${headers.host}; max-age=999` })
    .end(page)
})
/** Path of the only search result. */
const found = { path: '/page' }

async function listening(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, canaryHost, resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `${canaryHost}:${port}`,
    url: (path: string) =>
      `http://${canaryHost}:${port}${path}/${canary}?${canary}=1`.replace(/(\.docx)(\/.*)$/, `/${canary}$1`),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A server with separate folders for data and temporary files. */
function home(name: string) {
  const [dataDir, tmp] = [join(folder.path, name, 'data'), join(folder.path, name, 'tmp')]
  mkdirSync(tmp, { recursive: true })
  const start = () =>
    startServer({
      GOSSAMER_DATA_DIR: dataDir,
      TMPDIR: tmp,
      GOSSAMER_ALLOW_HOSTS: site.host,
      GOSSAMER_PERMISSIONS: 'zeroDataRetention,searchEnterprise',
      GOSSAMER_SEARXNG_URL: engine.url,
      GOSSAMER_SEARCH_PROVIDERS: 'searxng',
      GOSSAMER_PICTURE_LINKS: 'true',
      GOSSAMER_LOG_LEVEL: 'debug',
    })
  return { dataDir, start, held: () => heldIn(dataDir) + rawBelow(tmp) }
}

const engine = forAll(() =>
  startEngine(() => ({ general: [{ url: site.url(found.path), title: canary, content: canary }] })),
)
afterAll(() => site.close())

type Answer = { success?: boolean; id?: string; code?: string; status?: string }

/** Every request has an idempotency key, because stored keys must reveal nothing either. */
const newKey = () => crypto.randomUUID()

async function send(server: Server, { path, body }: Pick<Case, 'path' | 'body'>, key: string): Promise<Answer> {
  const isForm = body instanceof FormData
  const headers = { 'x-idempotency-key': key, ...(!isForm && { 'content-type': 'application/json' }) }
  const sent = isForm ? body : JSON.stringify(body)
  const response = await fetch(`${server.url}/v2/${path}`, { method: 'POST', headers, body: sent })
  return (await response.json()) as Answer
}

const read = async (server: Server, path: string) => (await (await fetch(`${server.url}/v2/${path}`)).json()) as Answer

async function ended(server: Server, path: string): Promise<Answer> {
  for (;;) {
    const state = await read(server, path)
    if (state.status !== 'scraping') return state
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const named = Object.entries(casesFor(site)).flatMap(([operation, cases]) =>
  cases.map((each): [string, Case] => [`${operation} ${each.what}`, each]),
)

/** True if a schema has, at any depth, a field that requests zero retention. */
function hasZeroRetention(schema: JsonSchema, root: JsonSchema): boolean {
  const target = schema.$ref === undefined ? schema : root.$defs![schema.$ref.replace('#/$defs/', '')]!
  const { anyOf = [], oneOf = [], items, properties = {} } = target
  const fields = ['zeroDataRetention', 'lockdown', 'enterprise']
  return (
    fields.some((field) => field in properties) ||
    [...anyOf, ...oneOf, ...(items ? [items] : []), ...Object.values(properties)].some((part) =>
      hasZeroRetention(part, root),
    )
  )
}

/** Operations that refuse these fields, as their own tests show. */
const refusing = ['monitor_update']

test('every operation with zeroDataRetention or lockdown is tested here', () => {
  const names = operations
    .filter((operation) => hasZeroRetention(inputSchema(operation), inputSchema(operation)))
    .map(({ name }) => name)
  expect(names.toSorted()).toEqual([...Object.keys(casesFor(site)), ...refusing].toSorted())
})

describe('completed jobs with zero retention leave nothing behind', () => {
  const { start, held, dataDir } = home('ended')
  const server = forAll(start)

  test.each(named)('%s', async (_name, { code, ...request }) => {
    const key = newKey()
    const answer = await send(server, request, key)
    expect(answer).toMatchObject(code === undefined ? { success: true } : { success: false, code })
    const isJob = code === undefined && answer.id !== undefined && request.path !== 'search'
    if (isJob) expect(await ended(server, `${request.path}/${answer.id}`)).toMatchObject({ status: 'completed' })
    if (code === undefined) {
      const again = await send(server, request, key)
      expect(again).toMatchObject(isJob ? { id: answer.id } : { code: 'IDEMPOTENCY_KEY_REUSED' })
    }
    expect(tracesIn(held())).toEqual([])
    expect(held()).not.toContain(key)
    expect(tracesIn(server.program.stderr())).toEqual([])
  })

  test('except the job and its cost: other tables stay empty', async () => {
    const db = new DatabaseSync(join(dataDir, 'gossamer.db'), { readOnly: true })
    const tables = db
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
        AND name NOT LIKE 'page_text%' AND name <> 'quota_worker'`)
      .all()
    const refusals = db
      .prepare('SELECT facts FROM refusal')
      .all()
      .map(({ facts }) => JSON.parse(String(facts)) as object)
    const filled = tables.filter(({ name }) => db.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get())
    db.close()
    expect(filled.map(({ name }) => name).toSorted()).toEqual([
      'activity',
      'job',
      'keyed_call',
      'ledger',
      // Calls for data that was not stored, and bodies refused for their size: the operation and the code.
      'refusal',
      'usage_day',
    ])
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: expect.stringMatching(/NOT_FOUND$|^PAYLOAD_TOO_LARGE$/) })
  })

  test('not even a target in the activity', async () => {
    const { data } = (await read(server, 'team/activity')) as { data: { endpoint: string; target: unknown }[] }
    expect(new Set(data.map(({ target }) => target))).toEqual(new Set([null]))
    expect(new Set(data.map(({ endpoint }) => endpoint))).toContain('crawl')
  })
})

/** Requests that are not completed, because the site does not complete its answers. */
const slow = { url: () => site.url('/slow') }
const running = Object.entries(casesFor(slow)).flatMap(([operation, cases]): [string, Case[]][] => {
  const accepted = cases.filter(({ code }) => code === undefined)
  return accepted.length > 0 ? [[operation, accepted]] : []
})

/** Resolves when a request has reached the site or a child process that converts its file, or has ended. */
async function working(server: Server, { path }: Case, answer: Promise<unknown>): Promise<void> {
  const state = { isOver: false }
  const over = answer.then(() => new Promise((resolve) => setTimeout(resolve, 300))).then(() => (state.isOver = true))
  const converts = () => path === 'parse' && processesBelow(server.program.child.pid ?? 0).length > 0
  await Promise.race([
    over,
    until(() => state.isOver || requested.some((each) => each.includes('/slow')) || converts()),
  ])
}

describe('jobs with zero retention leave nothing behind after kill -9', () => {
  beforeAll(() => void (found.path = '/slow'))

  test.each(running)('%s, with all its requests at the same time', async (operation, requests) => {
    const { start, held } = home(`killed-${operation}`)
    const killed = await start()
    const answers: [Case, Promise<Answer | undefined>][] = []
    for (const request of requests) {
      requested.length = 0
      const answer = send(killed, request, newKey()).catch(() => undefined)
      answers.push([request, answer])
      await working(killed, request, answer)
      expect(tracesIn(held()), request.what).toEqual([])
    }
    killed.program.kill('SIGKILL')
    await killed.program.exited
    expect(tracesIn(held() + killed.program.stderr())).toEqual([])
    const next = await start()
    for (const [{ path }, answer] of answers) {
      const { id } = (await answer) ?? {}
      if (id !== undefined) expect(await read(next, `${path}/${id}`)).toMatchObject({ code: 'JOB_NOT_FOUND' })
    }
    await next.stop()
    expect(tracesIn(held() + next.program.stderr())).toEqual([])
  })
})
