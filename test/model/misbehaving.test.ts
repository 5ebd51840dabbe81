import { describe, expect, test } from 'vitest'
import { failureOf } from '../helpers/fakes.ts'
import { gives, type ModelCall, type ModelScript, refuses, says } from '../helpers/model-server.ts'
import { dialects, modelAt, request } from './kit.ts'

const schema = {
  type: 'object',
  properties: { title: { type: 'string' }, price: { type: 'number' }, note: { type: 'string' } },
  required: ['title'],
}
const right = { title: 'Tea', price: 9.5 }
const text = JSON.stringify(right)
const start = modelAt()

const looser = (call: ModelCall) => (call.dialect === 'openai' ? 'json_object' : 'tool')
const first =
  (script: ModelScript): ModelScript =>
  (call, nth) =>
    nth === 1 ? script(call, nth) : gives(right)

type Case = { what: string; script: ModelScript; value?: unknown; isTruncated?: true; calls: number }

const goodInTheEnd: Case[] = [
  { what: 'obeys', script: () => gives(right), calls: 1 },
  {
    what: 'refuses json_schema',
    script: (call) =>
      call.jsonMode === 'json_schema' ? refuses(400, 'response_format json_schema is not supported') : gives(right),
    calls: 3,
  },
  {
    what: 'knows no structured output at all',
    script: ({ jsonMode }) => (jsonMode ? refuses(422, 'extra fields not permitted') : gives(right)),
    calls: 4,
  },
  {
    what: 'has no provider behind it that takes a schema',
    script: ({ jsonMode }) =>
      jsonMode === 'json_schema'
        ? refuses(404, 'No endpoints found that support the requested parameters.')
        : gives(right),
    calls: 3,
  },
  { what: 'puts a fence around it', script: () => says(`Sure!\n\`\`\`json\n${text}\n\`\`\``), calls: 1 },
  {
    what: 'is cut in the middle',
    script: () => says('{"title":"Tea","price":9.5,"note":"Best bef', { end: 'cut' }),
    value: { ...right, note: 'Best bef' },
    isTruncated: true,
    calls: 1,
  },
  { what: 'breaks the schema first', script: first(() => gives({ title: { a: 1, b: 2 } })), calls: 2 },
  { what: 'gives a list first', script: first(() => gives([right, right])), calls: 2 },
  { what: 'says nothing first', script: first(() => says('')), calls: 2 },
  { what: 'tells a tale first', script: first(() => says('Tea costs nine fifty.')), calls: 2 },
  { what: 'thinks aloud', script: () => says(`<think>\nMaybe {"title":"Coffee"}?\n</think>\n\n${text}`), calls: 1 },
  {
    what: 'ends thoughts it did not begin',
    script: () => says(`Is it {"title":"Coffee"}?\n</think>\n${text}`),
    calls: 1,
  },
  { what: 'writes like a programmer', script: () => says(`{title: 'Tea', price: 9.5, /* euros */}`), calls: 1 },
  { what: 'writes null for what is not there', script: () => gives({ ...right, note: null }), calls: 1 },
  {
    what: 'is busy, and says for how long',
    script: first(() => refuses(429, 'slow down', { headers: { 'retry-after': '0.05' } })),
    calls: 2,
  },
  { what: 'is busy, and does not say for how long', script: first(() => refuses(429, 'slow down')), calls: 2 },
  { what: 'is overloaded', script: first(() => refuses(529, 'overloaded')), calls: 2 },
  { what: 'fails once', script: first(() => ({ status: 502, body: '<h1>Bad gateway</h1>' })), calls: 2 },
  {
    what: 'puts an error into a success',
    script: first(() => ({ body: '{"error":{"code":502,"message":"upstream"}}' })),
    calls: 2,
  },
  { what: 'breaks off once', script: first(() => ({ trouble: 'breaks off', with: gives(right) })), calls: 2 },
  { what: 'sends half a document', script: first(() => ({ body: '{"choices": [{"mess' })), calls: 2 },
]

const badInTheEnd: { what: string; script: ModelScript; reason: string; calls: number; status?: number }[] = [
  { what: 'fails for ever', script: () => refuses(500, 'oops'), reason: 'broken', calls: 3, status: 500 },
  { what: 'is busy for ever', script: () => refuses(429, 'no'), reason: 'busy', calls: 3, status: 429 },
  {
    what: 'is busy for longer than there is time',
    script: () => refuses(429, 'no', { headers: { 'retry-after': '3600' } }),
    reason: 'busy',
    calls: 1,
  },
  { what: 'refuses everything', script: () => refuses(400, 'no'), reason: 'refused', calls: 4, status: 400 },
  { what: 'does not know the key', script: () => refuses(401, 'no'), reason: 'bad key', calls: 1 },
  { what: 'does not know the model', script: () => refuses(404, 'no'), reason: 'not found', calls: 1 },
  {
    what: 'has been paid for no more',
    script: () => refuses(429, 'You exceeded your current quota', { code: 'insufficient_quota' }),
    reason: 'no credit',
    calls: 1,
  },
  {
    what: 'is told too much',
    script: () => refuses(400, "This model's maximum context length is 4096 tokens"),
    reason: 'input too long',
    calls: 1,
  },
  { what: 'breaks the schema for ever', script: () => gives({ price: 1 }), reason: 'off schema', calls: 2 },
  { what: 'says nothing for ever', script: () => says(''), reason: 'off schema', calls: 2 },
  { what: 'only thinks', script: () => says('<think>Well,', { end: 'cut' }), reason: 'off schema', calls: 2 },
  { what: 'declines', script: () => says('', { end: 'declined' }), reason: 'declined', calls: 1 },
  { what: 'answers with a list', script: () => ({ body: '[1, 2]' }), reason: 'unreadable', calls: 3 },
  { what: 'answers with a page', script: () => ({ body: '<!doctype html>' }), reason: 'unreadable', calls: 3 },
  {
    what: 'has answers of the wrong type',
    script: () => ({ body: '{"choices": [{"message": 5}], "content": 5}' }),
    reason: 'unreadable',
    calls: 3,
  },
  { what: 'sends no bytes', script: () => ({ body: '' }), reason: 'unreadable', calls: 3 },
  { what: 'sends too many', script: () => ({ body: 'x'.repeat(9_000_000) }), reason: 'too large', calls: 1 },
  { what: 'breaks off for ever', script: () => ({ trouble: 'breaks off' }), reason: 'cut off', calls: 3 },
  {
    what: 'is somewhere else',
    script: () => ({ status: 307, headers: { location: '/elsewhere' } }),
    reason: 'redirect',
    calls: 1,
  },
]

describe.each(dialects)('a model over %s', (dialect) => {
  test.each(goodInTheEnd)('that $what is understood', async ({ script, calls: expected, ...wanted }) => {
    const { model, calls } = start(dialect, script)
    const answer = await model.object({ ...request(), schema })
    expect(answer.value).toEqual(wanted.value ?? right)
    expect(answer.isTruncated).toBe(wanted.isTruncated ?? false)
    expect(calls.length).toBe(expected)
  })

  test.each(badInTheEnd)(
    'that $what ends in a failure that describes it',
    async ({ script, calls: expected, ...wanted }) => {
      const { model, calls } = start(dialect, script)
      const failure = await failureOf(model.object({ ...request(), schema }))
      expect(failure).toMatchObject({ code: 'MODEL_FAILED', status: 502, details: { reason: wanted.reason } })
      if (wanted.status !== undefined) expect(failure).toMatchObject({ details: { status: wanted.status } })
      expect(calls.length).toBe(expected)
      expect(JSON.stringify(failure)).not.toContain('secret-key')
    },
  )

  test.each(['hangs', 'dawdles'] as const)('that %s ends in time', async (trouble) => {
    const { model } = start(dialect, () => ({ trouble, with: gives(right) }))
    const object = model.object({ ...request({ timeoutMs: 150 }), schema })
    expect(await failureOf(object)).toMatchObject({ code: 'MODEL_TIMEOUT', status: 504 })
    const streamed = model.text(request({ timeoutMs: 150, onText: () => {} }))
    expect(await failureOf(streamed)).toMatchObject({ code: 'MODEL_TIMEOUT' })
  })

  test('that cannot be reached is reported as such', async () => {
    const { model } = start(dialect, () => says('Hello'), { url: 'http://127.0.0.1:1/v1' })
    expect(await failureOf(model.text(request()))).toMatchObject({ details: { reason: 'unreachable' } })
  })

  test('that refused one schema is asked with the next stricter method', async () => {
    const odd = { ...schema, properties: { ...schema.properties, odd: { type: 'string' } } }
    const { model, calls } = start(dialect, (call) =>
      JSON.stringify(call.schema ?? '').includes('odd') && call.jsonMode === 'json_schema'
        ? refuses(400, 'invalid schema')
        : gives(right),
    )
    for (const each of [schema, odd, schema, odd]) await model.object({ ...request(), schema: each })
    const loose = looser(calls[0]!)
    const asked = ['json_schema', 'json_schema', 'json_schema', loose, 'json_schema', loose]
    expect(calls.map(({ jsonMode }) => jsonMode)).toEqual(asked)
  })

  test('receives its fault and the schema when it is asked again, as turns of the conversation', async () => {
    const { model, calls } = start(
      dialect,
      first(() => gives({ title: { a: 1, b: 2 } })),
    )
    await model.object({ ...request(), schema })
    const [, second] = calls
    expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(second?.prompt).toContain('/title: must be string')
    expect(second?.prompt).toContain(JSON.stringify(schema))
  })
})
