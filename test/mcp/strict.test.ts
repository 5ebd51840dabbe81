import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { fromStrict, strictTool } from '../../src/surfaces/mcp/tool-schema.ts'
import { mcpTools } from '../../src/surfaces/mcp/tools.ts'
import { tools } from '../../src/operations/index.ts'
import { isRecord } from '../../src/util/json.ts'
import { strictFaults } from '../helpers/strict-schema.ts'
import { connect, kinds, outputOf } from './clients.ts'
import { startToy } from './http-toy.ts'

const strict = { 'x-gossamer-schemas': 'strict' }
const listed = [...mcpTools(tools).values()].map((tool) => tool.listed)

const object = (more: object) => ({
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
  ...more,
})

it.each<[string, object]>([
  ['a field that is not required', object({ properties: { a: { type: 'string' } } })],
  ['an object that allows other fields', object({ additionalProperties: true })],
  ['an object without additionalProperties', { type: 'object', properties: {} }],
  ['an object without properties', object({ properties: { a: { type: 'object' } }, required: ['a'] })],
  ['an unsupported keyword', object({ properties: { a: { type: 'string', minLength: 1 } }, required: ['a'] })],
  ['a default', object({ properties: { a: { type: 'string', default: 'x' } }, required: ['a'] })],
  ['a root that is not an object', { type: 'array', items: { type: 'string' } }],
  [
    'a nullable enum without null',
    object({ properties: { a: { type: ['string', 'null'], enum: ['x'] } }, required: ['a'] }),
  ],
])('the rules of strict schemas refuse %s', (_, schema) => expect(strictFaults(schema)).not.toEqual([]))

/** A valid value of a strict schema. */
function anyOf(schema: unknown): unknown {
  const { type, enum: values, items, properties, minimum = 3 } = schema as Record<string, unknown>
  const [kind] = [type].flat()
  if (Array.isArray(values)) return values[0]
  if (kind === 'array') return [anyOf(items)]
  if (kind === 'object' && isRecord(properties))
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, anyOf(each)]))
  return kind === 'string' ? '{}' : kind === 'boolean' ? true : minimum
}

describe.each(listed.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  const form = strictTool(tool)

  it('is accepted by a model with a grammar', () => {
    expect(strictFaults(form.inputSchema)).toEqual([])
    const fields = (schema: typeof form) => Object.keys(schema.inputSchema.properties ?? {})
    expect(fields(form)).toEqual(fields(tool))
  })

  it('accepts strict input that is valid in the plain form', () => {
    const ajv = new Ajv({ strict: false })
    const plain = ajv.compile(tool.inputSchema)
    const needed = new Set(tool.inputSchema.required)
    const all = anyOf(form.inputSchema) as Record<string, unknown>
    const bare = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, needed.has(name) ? value : null]))
    for (const sent of [all, bare]) {
      expect(ajv.validate(form.inputSchema, sent), ajv.errorsText()).toBe(true)
      expect(plain(fromStrict(tool, sent)), ajv.errorsText(plain.errors)).toBe(true)
    }
    expect(Object.keys(fromStrict(tool, bare)).toSorted()).toEqual([...needed].toSorted())
  })
})

describe.each(kinds)('over HTTP the client %s', (kind) => {
  it('gets strict schemas on request, and its strict calls succeed', async () => {
    const { url } = await startToy()
    const client = await connect(kind, { url, headers: strict })
    const offered = await client.tools()
    for (const { inputSchema, name } of offered) expect(strictFaults(inputSchema), name).toEqual([])
    const add = offered.find(({ name }) => name === 'toy_add')
    expect(add?.['inputSchema']).toMatchObject({
      required: ['a', 'b', 'unit', 'tags'],
      properties: {
        unit: { type: ['string', 'null'], enum: ['kg', 'm', null] },
        tags: { type: ['string', 'null'], description: 'Labels. JSON text of an object.' },
      },
    })
    const nothing = { a: 1, b: 2, unit: null, tags: null }
    for (const sent of [nothing, { ...nothing, tags: '{"x":"y"}' }, { a: 1, b: 2, tags: { x: 'y' } }]) {
      const result = await client.call('toy_add', sent)
      expect(outputOf(result)).toEqual({ sum: 3 })
      expect(JSON.stringify(result)).not.toContain('Read ')
    }
    expect(await client.call('toy_add', { ...nothing, tags: 'no JSON' })).toMatchObject({ isError: true })
    await client.close()
  })
})

it('an unknown form of schemas gets 400', async () => {
  const toy = await startToy()
  const response = await toy.post({ body: { method: 'tools/list' }, headers: { 'x-gossamer-schemas': 'exact' } })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('x-gossamer-schemas: Expected plain or strict') },
  })
})
