import { describe, expect, test } from 'vitest'
import { fillSchema } from '../../src/engine/understand/json/fill.ts'

const object = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const string = { type: 'string' }
const facts = [{ name: 'price', value: '1.299,50', weight: 1, source: 'json-ld' as const }]
const fill = (schema: Record<string, unknown>) => fillSchema(schema, { facts, tables: [] })

describe('a schema is filled through', () => {
  test.each([
    [
      'draft 4',
      { type: 'object', definitions: { p: { type: 'number' } }, properties: { price: { $ref: '#/definitions/p' } } },
    ],
    [
      'an escaped reference',
      { $defs: { 'a/b c': { type: 'number' } }, properties: { price: { $ref: '#/$defs/a~1b%20c' } } },
    ],
    [
      'a description beside a reference',
      object({ price: { allOf: [{ $ref: '#/$defs/p' }], description: 'in euros' } }),
    ],
    ['several types', object({ price: { type: ['null', 'number', 'string'] } })],
    ['nullable of OpenAPI', object({ price: { type: 'number', nullable: true } })],
    [
      'a union whose first member the page does not say',
      object({ price: { oneOf: [object({ net: string }), { type: 'number' }] } }),
    ],
    ['merged parts', { allOf: [object({ price: { type: 'number' } }), object({ weight: string })] }],
    ['a union of objects', { anyOf: [object({ isbn: string }), object({ price: { type: 'number' } })] }],
  ])('%s', (_, schema) => {
    const { value } = fill({ $defs: { p: { type: 'number' } }, ...schema })
    expect(value).toEqual({ price: 1299.5 })
  })

  test.each([
    ['a reference to itself', { $ref: '#' }],
    ['a circle', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
    [
      'a circle that branches',
      {
        $defs: { a: { anyOf: Array.from({ length: 50 }, () => ({ $ref: '#/properties/price/$defs/a' })) } },
        $ref: '#/properties/price/$defs/a',
      },
    ],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
    ['a reference elsewhere', { $ref: 'https://example.com/schema.json' }],
    [
      'a wide union of unions',
      { anyOf: Array.from({ length: 9 }, () => ({ anyOf: [{ $ref: '#' }, { type: 'null' }] })) },
    ],
  ])('%s, and ends', (_, schema) => {
    expect(fill(object({ price: schema })).missing).toEqual(expect.any(Array))
  })
})
