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

const fails: ModelScript = () => refuses(500, 'oops')
const busy =
  (retryAfter?: string): ModelScript =>
  () =>
    refuses(429, 'slow down', retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } })
/** Refuses some ways to request JSON. */
const without =
  (refusal: (call: ModelCall) => ReturnType<typeof refuses> | false): ModelScript =>
  (call) =>
    refusal(call) || gives(right)

type Understood = [what: string, script: ModelScript, calls: number, expected?: { value?: unknown; isTruncated?: true }]

const understood: Understood[] = [
  ['obeys', () => gives(right), 1],
  [
    'refuses json_schema',
    without(
      ({ jsonMode }) => jsonMode === 'json_schema' && refuses(400, 'response_format json_schema is not supported'),
    ),
    3,
  ],
  [
    'supports no structured output',
    without(({ jsonMode }) => jsonMode !== undefined && refuses(422, 'extra fields')),
    4,
  ],
  [
    'has no provider that accepts a schema',
    without(
      ({ jsonMode }) =>
        jsonMode === 'json_schema' && refuses(404, 'No endpoints found that support the requested parameters.'),
    ),
    3,
  ],
  ['puts a fence around the JSON', () => says(`Sure!\n\`\`\`json\n${text}\n\`\`\``), 1],
  [
    'is cut in the middle',
    () => says('{"title":"Tea","price":9.5,"note":"Best bef', { end: 'cut' }),
    1,
    { value: { ...right, note: 'Best bef' }, isTruncated: true },
  ],
  ['breaks the schema first', first(() => gives({ title: { a: 1, b: 2 } })), 2],
  ['returns a list first', first(() => gives([right, right])), 2],
  ['returns an empty answer first', first(() => says('')), 2],
  ['answers in prose first', first(() => says('Tea costs nine fifty.')), 2],
  ['includes its thoughts', () => says(`<think>\nMaybe {"title":"Coffee"}?\n</think>\n\n${text}`), 1],
  ['closes thoughts that it did not open', () => says(`Is it {"title":"Coffee"}?\n</think>\n${text}`), 1],
  ['writes JavaScript instead of JSON', () => says(`{title: 'Tea', price: 9.5, /* euros */}`), 1],
  ['writes null for a missing field', () => gives({ ...right, note: null }), 1],
  ['is busy once, for a stated time', first(busy('0.05')), 2],
  ['is busy once, for an unknown time', first(busy()), 2],
  ['is overloaded once', first(() => refuses(529, 'overloaded')), 2],
  ['fails once', first(() => ({ status: 502, body: '<h1>Bad gateway</h1>' })), 2],
  ['reports an error with status 200 once', first(() => ({ body: '{"error":{"code":502,"message":"upstream"}}' })), 2],
  ['breaks off once', first(() => ({ trouble: 'breaks off', with: gives(right) })), 2],
  ['sends half a document once', first(() => ({ body: '{"choices": [{"mess' })), 2],
]

const failing: [what: string, script: ModelScript, reason: string, calls: number, status?: number][] = [
  ['always fails', fails, 'broken', 3, 500],
  ['is always busy', busy(), 'busy', 3, 429],
  ['is busy for longer than the time limit', busy('3600'), 'busy', 1],
  ['refuses every request', () => refuses(400, 'no'), 'refused', 4, 400],
  ['does not know the key', () => refuses(401, 'no'), 'bad key', 1],
  ['does not know the model', () => refuses(404, 'no'), 'not found', 1],
  [
    'has no credit left',
    () => refuses(429, 'You exceeded your current quota', { code: 'insufficient_quota' }),
    'no credit',
    1,
  ],
  [
    'receives more text than fits',
    () => refuses(400, "This model's maximum context length is 4096 tokens"),
    'input too long',
    1,
  ],
  ['always breaks the schema', () => gives({ price: 1 }), 'off schema', 2],
  ['always returns an empty answer', () => says(''), 'off schema', 2],
  ['returns thoughts only', () => says('<think>Well,', { end: 'cut' }), 'off schema', 2],
  ['declines', () => says('', { end: 'declined' }), 'declined', 1],
  ['answers with a list', () => ({ body: '[1, 2]' }), 'unreadable', 3],
  ['answers with a page', () => ({ body: '<!doctype html>' }), 'unreadable', 3],
  ['has fields of the wrong type', () => ({ body: '{"choices": [{"message": 5}], "content": 5}' }), 'unreadable', 3],
  ['sends no bytes', () => ({ body: '' }), 'unreadable', 3],
  ['sends too many bytes', () => ({ body: 'x'.repeat(9_000_000) }), 'too large', 1],
  ['always breaks off', () => ({ trouble: 'breaks off' }), 'cut off', 3],
  ['redirects', () => ({ status: 307, headers: { location: '/elsewhere' } }), 'redirect', 1],
]

describe.each(dialects)('a model over %s', (dialect) => {
  test.each(understood)(
    'that %s is understood',
    async (_, script, count, { value = right, isTruncated = false } = {}) => {
      const { model, calls } = start(dialect, script)
      const answer = await model.object({ ...request(), schema })
      expect([answer.value, answer.isTruncated]).toEqual([value, isTruncated])
      expect(calls.length).toBe(count)
    },
  )

  test.each(failing)('that %s ends in a failure with a reason', async (_, script, reason, count, status) => {
    const { model, calls } = start(dialect, script)
    const failure = await failureOf(model.object({ ...request(), schema }))
    const details = { reason, ...(status !== undefined && { status }) }
    expect(failure).toMatchObject({ code: 'MODEL_FAILED', status: 502, details })
    expect(calls.length).toBe(count)
    expect(JSON.stringify(failure)).not.toContain('secret-key')
  })

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

  test('that refused one schema receives that schema by a looser method', async () => {
    const odd = { ...schema, properties: { ...schema.properties, odd: { type: 'string' } } }
    const { model, calls } = start(dialect, (call) =>
      JSON.stringify(call.schema ?? '').includes('odd') && call.jsonMode === 'json_schema'
        ? refuses(400, 'invalid schema')
        : gives(right),
    )
    for (const each of [schema, odd, schema, odd]) await model.object({ ...request(), schema: each })
    const loose = looser(calls[0]!)
    const modes = ['json_schema', 'json_schema', 'json_schema', loose, 'json_schema', loose]
    expect(calls.map(({ jsonMode }) => jsonMode)).toEqual(modes)
  })

  test('receives its fault and the schema with the second request, as turns of a conversation', async () => {
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
