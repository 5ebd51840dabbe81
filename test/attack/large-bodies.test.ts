import { afterAll, expect, test } from 'vitest'
import { createBodyThread } from '../../src/app/bodies/body-thread.ts'
import { collectWarnings, waitForJob } from '../../src/middleware/answers.ts'
import { readLeniently } from '../../src/middleware/check-input.ts'
import { compose, validate } from '../../src/middleware/pipeline.ts'
import { operations } from '../../src/operations/index.ts'
import { createHttpApp } from '../../src/surfaces/http/app.ts'
import type { ReadElsewhere } from '../../src/surfaces/http/body/read-input.ts'
import { key, memoryLog, newCtx, team } from '../http/toys.ts'
import { countTurns } from '../helpers/turns.ts'

const thread = createBodyThread('lenient')
afterAll(() => thread.close())

let readThere = 0
const elsewhere: ReadElsewhere = (...all) => {
  readThere += 1
  return thread.read(...all)
}

/** An HTTP app with the middleware that reads input. Its operations return their input. */
function appWith(readElsewhere?: ReadElsewhere) {
  const middleware = [collectWarnings, readLeniently, waitForJob, validate]
  return createHttpApp({
    operations,
    invoke: compose(middleware, () => async (input) => ({ id: 'the-job', got: input })),
    newCtx,
    authenticate: async (authorization) => (authorization === key ? team : undefined),
    maxRequestBytes: 1_048_576,
    allowedHosts: ['here'],
    allowedOrigins: [],
    openApi: () => ({}),
    version: '1',
    log: memoryLog(),
    readElsewhere,
  })
}
const [inWorker, inProcess] = [appWith(elsewhere), appWith()]

async function sent(app: typeof inProcess, path: string, body: string, headers: Record<string, string> = {}) {
  const all = { authorization: key, 'content-type': 'application/json', ...headers }
  const response = await app.request(`http://here${path}`, { method: 'POST', body, headers: all })
  const text = await response.text()
  return { status: response.status, bytes: text.length, answer: JSON.parse(text) as Record<string, unknown> }
}

const many = (count: number, of: (index: number) => unknown) => Array.from({ length: count }, (_, at) => of(at))
const urls = many(9000, (at) => `https://example.com/${at}`)
const file = { filename: 'a.txt', base64: 'YWJj'.repeat(50_000) }
const [batch, parse] = ['/v2/batch/scrape', '/v2/parse']
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const strict = { prefer: 'handling=strict' }
type Case = { what: string; path: string; value: unknown; headers?: Record<string, string>; status?: number }

const cases: Case[] = [
  { what: 'a list of URLs', path: batch, value: { urls } },
  { what: 'a megabyte of URLs', path: batch, value: { urls: many(60_000, (at) => `https://a.example/${at}`) } },
  { what: 'aliases, and texts for numbers', path: batch, value: { links: urls, max_concurrency: '5' } },
  { what: 'URLs between spaces', path: batch, value: { urls: urls.map((url) => ` ${url} `) } },
  { what: 'an unknown field', path: batch, value: { urls, colour: 'red' } },
  {
    what: 'fields of /v1',
    path: '/v1/batch/scrape',
    value: { urls, extract: { prompt: 'x' }, formats: ['extract'] },
  },
  { what: 'a field in the query', path: `${batch}?maxConcurrency=3`, value: { urls } },
  { what: 'an unknown field, strictly', path: batch, value: { urls, colour: 'red' }, headers: strict, status: 400 },
  { what: 'an alias, strictly', path: batch, value: { links: urls }, headers: strict, status: 400 },
  { what: 'an alias and a fault', path: batch, value: { links: urls, maxConcurrency: 'x' }, status: 400 },
  { what: 'zdr in a field that has none', path: batch, value: { urls, location: { zdr: true } }, status: 400 },
  { what: 'numbers instead of URLs', path: batch, value: { urls: many(90_000, (at) => at) }, status: 400 },
  { what: 'too many URLs', path: batch, value: { urls: many(100_001, () => 'a.example') }, status: 400 },
  { what: 'half a million values', path: batch, value: { urls: many(500_000, () => 1) }, status: 400 },
  {
    what: 'many faults',
    path: batch,
    value: { urls, headers: Object.fromEntries(many(150, (at) => [`h${String(at)}`, at]) as [string, number][]) },
    status: 400,
  },
  { what: 'a list instead of an object', path: batch, value: urls, status: 400 },
  { what: 'invalid JSON', path: batch, value: `${JSON.stringify({ urls })}}`, status: 400 },
  {
    what: 'another content type',
    path: batch,
    value: { urls },
    headers: { 'content-type': 'text/plain' },
    status: 400,
  },
  { what: 'a file in base64', path: parse, value: { file, formats: ['markdown'] } },
  { what: 'a file with options', path: parse, value: { file, options: { formats: ['html'], lang: 'x' } } },
  { what: 'invalid base64', path: parse, value: { file: { ...file, base64: '€'.repeat(60_000) } }, status: 400 },
  { what: 'a file and a path', path: parse, value: { file, path: '/etc/passwd' } },
]

test.each(cases)('a worker thread answers like the main thread: $what', async (each) => {
  const { path, value, headers, status = 200 } = each
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  const before = readThere
  const [one, other] = [await sent(inWorker, path, body, headers), await sent(inProcess, path, body, headers)]
  expect(one).toEqual(other)
  expect(one.status).toBe(status)
  expect(readThere - before).toBe(headers?.['content-type'] ? 0 : 1)
  if (status === 400) expect(one.bytes).toBeLessThanOrEqual(16_000)
})

test('a body over the limit is refused, even without a declared length', async () => {
  const piece = new TextEncoder().encode(' '.repeat(2 ** 20))
  let left = 65
  const body = new ReadableStream({ pull: (to) => (left-- > 0 ? to.enqueue(piece) : to.close()) })
  const headers = { authorization: key, 'content-type': 'application/json' }
  const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit
  const response = await inWorker.request(`http://here${batch}`, init)
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

test('one thread reads all bodies, and returns 100,000 URLs in slices', async () => {
  const body = { urls: many(100_000, (at) => `https://example.com/${at}`) }
  const turns = countTurns()
  const { signal } = new AbortController()
  const call = { method: 'POST', url: `http://here${batch}` }
  const read = await Promise.all(
    ['a', 'b', 'a'].map((teamId) => thread.read({ ...call, bytes: bytesOf(body) }, teamId, signal)),
  )
  turns.stop()
  expect(turns.now()).toBeGreaterThanOrEqual(3 * 50)
  expect(thread.threads()).toBe(1)
  for (const { input, isChecked } of read) {
    expect(isChecked).toBe(true)
    expect(input['urls']).toHaveLength(100_000)
  }
})

test('a body of a caller that aborted is skipped, and the next body is read', async () => {
  const gone = new AbortController()
  const call = { method: 'POST', url: `http://here${batch}` }
  const left = thread.read({ ...call, bytes: bytesOf({ urls }) }, 'a', gone.signal)
  const next = thread.read({ ...call, bytes: bytesOf({ urls }) }, 'a', new AbortController().signal)
  gone.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect((await next).input['urls']).toHaveLength(9000)
})
