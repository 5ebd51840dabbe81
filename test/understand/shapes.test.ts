import { describe, expect, test } from 'vitest'
import { fillSchema } from '../../src/engine/understand/json/fill.ts'
import { coerce } from '../../src/engine/understand/json/fit-values.ts'
import { type Fact, factsOf } from '../../src/engine/understand/json/named-facts.ts'

const object = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const string = { type: 'string' }
const number = { type: 'number' }
const price: Fact = { name: 'price', value: '1.299,50', weight: 1, source: 'json-ld' }
const fill = (schema: Record<string, unknown>, facts = [price]) => fillSchema(schema, { facts, tables: [] })
const ref = (place: string) => ({ $ref: `#/$defs/${place}` })

describe('a schema is filled', () => {
  test.each([
    ['of draft 4', { ...object({ price: { $ref: '#/definitions/p' } }), definitions: { p: number } }],
    ['with an escaped reference', { $defs: { 'a/b c': number }, properties: { price: ref('a~1b%20c') } }],
    ['with a description beside a reference', object({ price: { allOf: [ref('p')], description: 'in euros' } })],
    ['with several types', object({ price: { type: ['null', 'number', 'string'] } })],
    ['with `nullable` of OpenAPI', object({ price: { ...number, nullable: true } })],
    [
      'with a union whose first member is not on the page',
      object({ price: { oneOf: [object({ net: string }), number] } }),
    ],
    ['with merged parts', { allOf: [object({ price: number }), object({ weight: string })] }],
    ['with a union of objects', { anyOf: [object({ isbn: string }), object({ price: number })] }],
  ])('%s', (_, schema) => expect(fill({ $defs: { p: number }, ...schema }).value).toEqual({ price: 1299.5 }))

  const branch = { $ref: '#/properties/price/$defs/a' }

  test.each<[string, object]>([
    ['a reference to itself', { $ref: '#' }],
    ['a circle', { $defs: { a: ref('b'), b: ref('a') }, ...ref('a') }],
    ['a circle that branches', { $defs: { a: { anyOf: Array.from({ length: 50 }, () => branch) } }, ...branch }],
    ['a reference to nothing', ref('none')],
    ['a reference to another document', { $ref: 'https://example.com/schema.json' }],
    ['unions of unions', { anyOf: Array.from({ length: 9 }, () => ({ anyOf: [{ $ref: '#' }, { type: 'null' }] })) }],
    ['properties that are not schemas', { type: 'object', properties: { a: true, b: 5, __proto__: string } }],
    ['an empty schema', {}],
  ])('to an end despite %s', (_, schema) => {
    expect(fill(object({ price: schema })).missing).toEqual(expect.any(Array))
    expect(fill({ ...schema }).missing).toEqual(expect.any(Array))
  })
})

const date = { type: 'string', format: 'date' }

test.each([
  ['Currently not available', { type: 'boolean' }, false],
  ['no longer in stock', { type: 'boolean' }, false],
  ['Available now', { type: 'boolean' }, true],
  ['Issue 5', date, undefined],
  ['Chapter 12', { type: 'string', format: 'date-time' }, undefined],
  ['4 March 2026', date, '2026-03-04'],
  ['2026年3月4日 10:00', date, '2026-03-04'],
  ['4 March 2026', { type: 'string', format: 'date-time' }, '2026-03-04T00:00:00.000Z'],
  ['2026-03-04T10:00:00+02:00', { type: 'string', format: 'date-time' }, '2026-03-04T10:00:00+02:00'],
  ['１，２９９円', { type: 'number' }, 1299],
])('the text %j is a value of %j only if it fits', (value, rule, expected) =>
  expect(coerce(value, rule)).toEqual(expected),
)

test.each([
  ['Rope | The Shop', { ogSiteName: 'The Shop' }, 'Rope'],
  ['Rope – THE-SHOP', { ogSiteName: 'The shop' }, 'Rope'],
  ['Rope - B&H Photo', { canonical: 'https://www.bhphoto.example/rope' }, 'Rope'],
  ['Rope|shop.example', { ogUrl: 'https://shop.example/rope' }, 'Rope'],
  ['Rope: 8 mm - 20 m | Shop', { canonical: 'https://shop.example/rope' }, 'Rope: 8 mm - 20 m'],
  ['Rope - 20 m', { ogSiteName: 'The Shop' }, 'Rope - 20 m'],
  ['The Shop', { ogSiteName: 'The Shop' }, 'The Shop'],
  ['Shop-soiled rope', { ogSiteName: 'Shop' }, 'Shop-soiled rope'],
  ['Strap for Shop Watch', { ogSiteName: 'Shop' }, 'Strap for Shop Watch'],
])('the title of a page does not include the name of its site: %s', (title, metadata, name) => {
  for (const field of ['title', 'ogTitle'])
    expect(fill(object({ name: string }), factsOf({ metadata: { [field]: title, ...metadata } })).value).toEqual({
      name,
    })
})
