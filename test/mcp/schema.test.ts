import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../../src/kernel/operation.ts'
import { portabilityFaults, portableSchema } from '../../src/surfaces/mcp/tool-schema.ts'
import { toolsOf } from '../../src/kernel/tool.ts'
import { mcpTools, splitArguments } from '../../src/surfaces/mcp/tools.ts'
import { toyOperations } from './toy.ts'

const field = (type: z.ZodType) => portableSchema(z.object({ field: type })).properties['field']

it.each([
  ['bounds that zod adds to an integer are left out', z.int(), { type: 'integer' }],
  ['an exclusive bound of an integer becomes inclusive', z.int().gt(4), { type: 'integer', minimum: 5 }],
  ['null is left out', z.string().nullable(), { type: 'string' }],
  [
    'names and literals merge',
    z.union([z.enum(['a', 'b']), z.literal('c')]),
    { type: 'string', enum: ['a', 'b', 'c'] },
  ],
  ['formats and patterns are left out', z.uuid(), { type: 'string' }],
  ['the result of a transformation is left out', z.string().transform(Number), { type: 'string' }],
  [
    'descriptions, defaults and limits stay',
    z.string().max(5).default('x').describe('d'),
    { type: 'string', maxLength: 5, default: 'x', description: 'd' },
  ],
  ['self-evident lengths are left out', z.string().min(1).max(5000), { type: 'string' }],
  ['a default of false is left out', z.boolean().default(false), { type: 'boolean' }],
])('a tool schema is made portable: %s', (_sentence, type, expected) => {
  expect(field(type)).toEqual(expected)
  expect(portabilityFaults(portableSchema(z.object({ field: type })))).toEqual([])
})

describe('a schema that cannot be made portable is found', () => {
  it.each([
    ['a choice of kinds', z.union([z.string(), z.object({ a: z.string() })]), /uses anyOf/],
    [
      'a choice by a discriminator',
      z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })]),
      /uses oneOf|uses anyOf/,
    ],
    ['a value of any type', z.unknown(), /no single type/],
    ['an enum of numbers', z.literal([1, 2]), /other things than strings/],
    ['a constant that is not a string', z.literal(true), /uses const/],
    ['a tuple', z.tuple([z.string(), z.string()]), /prefixItems/],
    ['null as a default', z.string().nullable().default(null), /null as its default/],
  ])('%s', (_sentence, type, fault) => {
    expect(portabilityFaults(portableSchema(z.object({ field: type }))).join('\n')).toMatch(fault)
  })

  it.each([
    ['a reference', { type: 'object', $ref: '#/$defs/a', $defs: {} }],
    ['a root that is not an object', { type: 'string' }],
    ['an array without items', { type: 'object', properties: { a: { type: 'array' } } }],
    [
      'a bound that only means "any integer"',
      { type: 'object', properties: { a: { type: 'integer', maximum: 2 ** 53 - 1 } } },
    ],
    ['a boolean schema', { type: 'object', properties: { a: true } }],
  ])('%s', (_sentence, schema) => expect(portabilityFaults(schema)).not.toEqual([]))
})

describe('the tools of operations', () => {
  const tools = mcpTools(toolsOf(toyOperations(), []), { alwaysLoad: ['toy_add'] })

  it('exclude operations that are not for agents', () => {
    expect([...tools.keys()]).toEqual(['toy_page', 'toy_add', 'toy_wait', 'toy_fail'])
    expect([...mcpTools(toolsOf(toyOperations(), []), { only: ['toy_add', 'toy_hidden'] }).keys()]).toEqual(['toy_add'])
  })

  it('are portable', () => {
    for (const { listed } of tools.values()) expect(portabilityFaults(listed.inputSchema)).toEqual([])
  })

  it.each([
    ['toy_page', { readOnlyHint: true, destructiveHint: false, idempotentHint: true }],
    ['toy_add', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
    ['toy_fail', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
  ])('have annotations of their effects: %s', (name, hints) => {
    const { listed } = tools.get(name)!
    expect(listed.annotations).toEqual({ title: tools.get(name)!.tool.title, ...hints, openWorldHint: true })
  })

  it('accept offset and maxCharacters if they answer with text', () => {
    expect(Object.keys(tools.get('toy_page')?.listed.inputSchema.properties ?? {})).toContain('offset')
    expect(Object.keys(tools.get('toy_add')?.listed.inputSchema.properties ?? {})).not.toContain('offset')
  })

  it('accept no offset if reading on would repeat the effect', () => {
    const [page] = toyOperations()
    const again = mcpTools(toolsOf([{ ...page!, effect: 'create' }], [])).get('toy_page')
    expect(Object.keys(again?.listed.inputSchema.properties ?? {})).toEqual(['paragraphs', 'id'])
    expect(splitArguments(again!.tool, { paragraphs: 2, offset: 5, maxCharacters: 2000 }, 60_000)).toMatchObject({
      window: { offset: 0, maxCharacters: 2000 },
      calls: [{ input: { paragraphs: 2, offset: 5 } }],
    })
  })

  it.each([
    [10, 1000],
    [5000, 5000],
    [9_000_000, 200_000],
    [undefined, 60_000],
  ])('read maxCharacters %s as %s', (maxCharacters, clamped) => {
    const tool = tools.get('toy_page')
    expect(splitArguments(tool!.tool, { paragraphs: 2, maxCharacters }, 60_000).window).toEqual({
      offset: 0,
      maxCharacters: clamped,
    })
  })

  it('fail to build if an operation claims an argument of the surface', () => {
    const taken = defineOperation({
      name: 'taken',
      route: 'GET /v2/taken',
      title: 'Taken',
      about: 'Taken.',
      effect: 'read',
      example: {},
      input: z.object({ offset: z.int() }),
      output: z.object({}),
      errors: [],
      mcp: { present: () => ({ parts: [] }) },
      run: async () => ({}),
    })
    expect(() => mcpTools(toolsOf([taken], []))).toThrow(/taken: the argument offset/)
  })
})
