import { describe, expect, test } from 'vitest'
import { type AnyOperation, hasBody, partsOf, takesIdempotencyKey } from '../../src/kernel/operation.ts'
import { toRequest } from '../../src/kernel/route.ts'
import { operations } from '../../src/operations/index.ts'
import { openProgram } from '../helpers/open-program.ts'
import { forAll, folderForAll } from '../helpers/for-all.ts'

/**
 * Operations that start nothing, so they are safe to send twice: they read, act in an existing session, or set a value.
 */
const repeatable = [
  'admin_key_add',
  'admin_team_set',
  'browser_act',
  'browser_execute',
  'browser_snapshot',
  'crawl_params_preview',
  'docs_search',
  'support_ask',
]

/** Other valid values, for at least one field of each call. */
const others: Record<string, unknown> = {
  url: 'https://example.com/another',
  urls: ['https://example.com/another'],
  query: 'another',
  prompt: 'another',
  ttl: 77,
  code: '1',
  name: 'another',
  rating: 'bad',
  id: '0190c2a0-0000-7000-8000-000000000099',
  file: { filename: 'another.txt', base64: 'aGk=' },
  schedule: { text: 'every 2 hours' },
}
const varied = (example: object) => {
  const field = Object.keys(others).find((name) => name in example) ?? ''
  return { ...example, [field]: others[field] }
}

const folder = folderForAll()
const ran: string[] = []
/** The program, with operations that only return the id of their job. */
function openCounting() {
  const env = { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_API_KEYS: 'one:1,two:2' }
  const { app, post } = openProgram(env, (all) =>
    all.map((operation): AnyOperation => ({
      ...operation,
      permissions: () => [],
      run: async (_, ctx) => {
        ran.push(ctx.jobId)
        ctx.warn('A note.')
        return { id: ctx.jobId, url: 'u', data: { id: ctx.jobId, metadata: { creditsUsed: 1 } }, creditsUsed: 1 }
      },
    })),
  )
  return {
    app,
    post: async (operation: AnyOperation, input: object, key: string, team = '1') => {
      const { path, body } = toRequest(operation, input)
      const response = await post(path, body ?? {}, { authorization: `Bearer ${team}`, 'x-idempotency-key': key })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
  }
}
const program = forAll(openCounting, ({ app }) => app.close())
/** A second start of the program with the same folder. */
const again = forAll(openCounting, ({ app }) => app.close())

const begins = operations.filter((operation) => takesIdempotencyKey(operation))

test('every POST accepts an idempotency key, or starts nothing', () => {
  const posts = operations.filter(({ route }) => hasBody(partsOf(route).method) && partsOf(route).method === 'POST')
  expect(
    posts
      .filter((each) => !begins.includes(each))
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(repeatable)
  expect(begins.every((each) => posts.includes(each))).toBe(true)
})

describe.each(begins.map((operation) => [operation.name, operation] as const))(
  '%s with an idempotency key',
  (_, operation) => {
    const input = (({ wait: _wait, ...rest }: Record<string, unknown>) => rest)(
      operation.example as Record<string, unknown>,
    )

    test('runs once for one body, is refused for another, and each team has its own keys', async () => {
      const key = crypto.randomUUID()
      ran.length = 0
      const [first, second] = await Promise.all([
        program.post(operation, input, key),
        program.post(operation, input, key),
      ])
      expect(first.status).toBe(200)
      expect(second).toEqual(first)
      expect(JSON.stringify(first.body)).toContain('A note.')
      expect(await program.post(operation, input, key)).toEqual(first)
      expect(ran).toHaveLength(1)
      expect(await program.post(operation, varied(input), key)).toMatchObject({
        status: 409,
        body: {
          code: 'IDEMPOTENCY_KEY_REUSED',
          error: expect.any(String),
          hint: expect.stringContaining('idempotency'),
        },
      })
      expect(ran).toHaveLength(1)
      expect((await program.post(operation, input, key, '2')).status).toBe(200)
      expect((await program.post(operation, input, crypto.randomUUID())).status).toBe(200)
      expect(ran).toHaveLength(3)
    })

    test('gets the same answer after a restart of the program', async () => {
      const key = crypto.randomUUID()
      const first = await program.post(operation, input, key)
      ran.length = 0
      expect(await again.post(operation, input, key)).toEqual(first)
      expect(ran).toEqual([])
    })
  },
)

test('a key of one operation is not accepted by another', async () => {
  const [scrape, map] = ['scrape', 'map'].map((name) => begins.find((each) => each.name === name)) as AnyOperation[]
  const key = crypto.randomUUID()
  const input = { url: 'https://example.com/' }
  expect((await program.post(scrape!, input, key)).status).toBe(200)
  expect((await program.post(map!, input, key)).status).toBe(409)
})

test('a repeated call is charged and listed once', async () => {
  const { usage, jobs } = await program.app.store()
  const scrape = begins.find(({ name }) => name === 'scrape')!
  const before = await usage.since('one', 0)
  const rows = async () => (await jobs.activity({ teamId: 'one', since: 0, limit: 1000 })).length
  const listed = await rows()
  const key = crypto.randomUUID()
  for (let nth = 0; nth < 3; nth += 1) await program.post(scrape, { url: 'https://example.com/charged' }, key)
  expect((await usage.since('one', 0)) - before).toBe(1)
  expect((await rows()) - listed).toBe(1)
})

test.each([
  ['scrape', { url: 'https://canary-page.example/', zeroDataRetention: true }, 409],
  ['parse', { file: { filename: 'canary-page.txt', base64: 'aGk=' }, zeroDataRetention: true }, 409],
  ['search', { query: 'canary-page', enterprise: ['zdr'] }, 409],
  ['crawl', { url: 'https://canary-page.example/', zeroDataRetention: true }, 200],
  ['batch_scrape', { urls: ['https://canary-page.example/'], zeroDataRetention: true }, 200],
])('%s with zero retention runs once, and a repeated call returns at most the job id', async (name, input, status) => {
  const operation = begins.find((each) => each.name === name)!
  const key = crypto.randomUUID()
  const first = await program.post(operation, input, key)
  expect(first.status).toBe(200)
  ran.length = 0
  const second = await program.post(operation, input, key)
  expect([second.status, ran]).toEqual([status, []])
  if (status === 200) expect(second.body).toEqual({ success: true, id: first.body['id'], url: first.body['url'] })
  else
    expect(second.body).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      error: expect.stringContaining('was not stored'),
    })
})
