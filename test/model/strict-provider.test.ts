import { describe, expect, test } from 'vitest'
import { gives, type ModelScript, refuses } from '../helpers/model-server.ts'
import { dialects, modelAt, request } from './kit.ts'

const start = modelAt()

/** Reasons for which a provider that enforces schemas refuses one. */
function objection(part: unknown): string | undefined {
  if (Array.isArray(part)) return part.map(objection).find(Boolean)
  if (typeof part !== 'object' || part === null) return undefined
  const { type, properties, required, additionalProperties, ...rest } = part as Record<string, unknown>
  for (const keyword of ['$schema', 'minimum', 'minLength', 'oneOf', 'allOf', 'default', 'const'])
    if (keyword in rest) return `'${keyword}' is not permitted`
  if (type === 'object' && additionalProperties !== false) return "'additionalProperties' must be false"
  const names = Object.keys((properties as object | undefined) ?? {})
  if (names.some((name) => !(required as string[] | undefined)?.includes(name))) return "'required' must hold every key"
  return [...Object.values(rest), ...Object.values((properties as object | undefined) ?? {})]
    .map(objection)
    .find(Boolean)
}

/** Refuses a schema that is not in the required form, like OpenAI and Anthropic. */
const strictly =
  (value: unknown): ModelScript =>
  ({ jsonMode, schema }) => {
    const why = jsonMode === 'json_schema' ? objection(schema) : undefined
    return why === undefined ? gives(value) : refuses(400, `Invalid schema for response_format: ${why}`)
  }

const product = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1 },
    price: { type: 'number', minimum: 0, default: 0 },
    maker: { $ref: '#/$defs/maker' },
    note: { type: ['string', 'null'] },
    kinds: { type: 'array', items: { oneOf: [{ const: 'tea' }, { const: 'pot' }] } },
  },
  required: ['title'],
  $defs: { maker: { type: 'object', properties: { name: { type: 'string' }, url: { type: 'string' } } } },
}

describe.each(dialects)('a provider over %s that enforces schemas', (dialect) => {
  test('receives them in its form, and nulls for missing fields are left out', async () => {
    const reply = { title: 'Tea', price: null, maker: { name: 'Ann', url: null }, note: null, kinds: null }
    const { model, calls } = start(dialect, strictly(reply))
    const answer = await model.object({ ...request(), schema: product })
    expect(answer.value).toEqual({ title: 'Tea', maker: { name: 'Ann' }, note: null })
    expect(answer.jsonMode).toBe('strict_schema')
    expect(calls.length).toBe(2)
    await model.object({ ...request(), schema: product })
    expect(calls.length).toBe(3)
  })

  test('is validated for the keywords that its form leaves out', async () => {
    const { model, calls } = start(dialect, (call, nth) =>
      strictly({ title: nth === 2 ? '' : 'Tea', price: null, maker: null, note: null, kinds: null })(call, nth),
    )
    expect(await model.object({ ...request(), schema: product })).toMatchObject({ value: { title: 'Tea' } })
    expect(calls.at(-1)?.prompt).toContain('/title: must NOT have fewer than 1 characters')
  })

  test.each([
    ['a list', { type: 'array', items: { type: 'string' } }, ['a', 'b']],
    ['a union', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 5],
    ['a reference', { $ref: '#/definitions/a', definitions: { a: { type: 'boolean' } } }, true],
  ])('returns %s within an object', async (_, schema, value) => {
    const { model, calls } = start(dialect, strictly({ value }))
    expect((await model.object({ ...request(), schema })).value).toEqual(value)
    expect(calls.length).toBe(1)
  })
})

test('an invalid schema is an error of the caller, and no model is called', async () => {
  const { model, calls } = start('openai', strictly({}))
  const pending = model.object({ ...request(), schema: { type: 'thing' } })
  await expect(pending).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('JSON Schema cannot be used'),
  })
  expect(calls).toEqual([])
})
