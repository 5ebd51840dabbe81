import { describe, expect, test } from 'vitest'
import { strictForm } from '../../src/engine/model/json/schema-forms.ts'
import { createValidator } from '../../src/engine/model/json/validator.ts'
import { wireSchema } from '../../src/engine/model/json/read-answer.ts'

const drafts = {
  4: 'http://json-schema.org/draft-04/schema#',
  6: 'http://json-schema.org/draft-06/schema#',
  7: 'http://json-schema.org/draft-07/schema#',
  2019: 'https://json-schema.org/draft/2019-09/schema',
  2020: 'https://json-schema.org/draft/2020-12/schema',
}
const [string, number] = [{ type: 'string' }, { type: 'number' }]
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const isValid = (schema: object, value: unknown) => createValidator({ ...schema })(value).length === 0

describe('a schema', () => {
  test.each(Object.entries(drafts))('in draft %s is validated', (_, $schema) => {
    const properties = { price: { ...number, minimum: 0 }, when: { ...string, format: 'date' } }
    const schema = { $schema, ...object(properties, ['price']) }
    expect(isValid(schema, { price: 1, when: '2026-11-03' })).toBe(true)
    expect(isValid(schema, { price: -1 })).toBe(false)
    expect(isValid(schema, { price: 1, when: 'Tuesday' })).toBe(false)
    expect(isValid(schema, {})).toBe(false)
  })

  test('in draft 4 has boolean exclusive limits and id for `$id`', () => {
    const properties = { id: { type: 'integer', minimum: 0, exclusiveMinimum: true } }
    const schema = { $schema: drafts[4], id: 'http://example.com/price', properties }
    expect(isValid(schema, { id: 1 })).toBe(true)
    expect(isValid(schema, { id: 0 })).toBe(false)
    expect(isValid(schema, { id: 'a' })).toBe(false)
  })

  test.each([
    ['draft 7', { $schema: drafts[7], items: [string, number], additionalItems: false }],
    ['draft 2020', { $schema: drafts[2020], prefixItems: [string, number], items: false }],
    ['an unnamed draft, with old keywords', { items: [string, number], additionalItems: false }],
    ['an unnamed draft, with new keywords', { prefixItems: [string, number], items: false }],
  ])('of %s may have lists with a schema per position', (_, schema) => {
    expect(isValid(schema, ['a', 1])).toBe(true)
    expect(isValid(schema, ['a', 'b'])).toBe(false)
    expect(isValid(schema, ['a', 1, 2])).toBe(false)
  })

  test('may refer to itself, be nullable and contain unions', () => {
    const node = { $ref: '#/$defs/node' }
    const schema = { $defs: { node: object({ next: orNull(node) }) }, ...node }
    expect(isValid(schema, { next: { next: null } })).toBe(true)
    expect(isValid(schema, { next: { next: 1 } })).toBe(false)
    expect(isValid({ type: 'string', nullable: true }, null)).toBe(true)
  })

  test.each([
    ['of an unknown type', { type: 'thing' }],
    ['that refers to nothing', { $ref: '#/$defs/none' }],
    ['that refers to another place', { $ref: 'https://example.com/schema.json' }],
  ])('%s is refused', (_, schema) => {
    expect(() => createValidator(schema)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })

  test('that takes too long to compile is refused as too complex', () => {
    const names = Array.from({ length: 30_000 }, (_, at) => `p${at}`)
    const schema = object(
      Object.fromEntries(names.map((name) => [name, { anyOf: [string, object({ name: number })] }])),
    )
    const message = 'The JSON Schema cannot be used: it is too complex.'
    expect(() => createValidator(schema)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }))
  })

  test('with a pattern that takes too long rejects the value', () => {
    const validate = createValidator({ type: 'string', pattern: '^(a+)+$' })
    expect(validate(`${'a'.repeat(50)}b`)).toMatchObject([{ message: 'takes too long to check' }])
    expect(validate('aaa')).toEqual([])
  })
})

describe('the strict form', () => {
  test('closes objects, requires every field, and makes optional ones nullable', () => {
    const schema = object(
      {
        title: { ...string, minLength: 1, description: 'As shown.' },
        price: { ...number, minimum: 0, default: 0 },
        kind: { oneOf: [{ const: 'a' }, { const: 'b' }] },
        maker: { type: ['string', 'null'] },
        parts: { type: 'array', items: { type: 'object', properties: { required: string } }, maxItems: 9 },
      },
      ['title', 'kind'],
    )
    const items = { ...object({ required: orNull(string) }, ['required']), additionalProperties: false }
    const properties = {
      title: { type: 'string', description: 'As shown. minLength: 1' },
      price: orNull({ type: 'number', description: 'minimum: 0' }),
      kind: { anyOf: [{ enum: ['a'] }, { enum: ['b'] }] },
      maker: { type: ['string', 'null'] },
      parts: orNull({ type: 'array', description: 'maxItems: 9', items }),
    }
    const closed = { ...object(properties, ['title', 'price', 'kind', 'maker', 'parts']), additionalProperties: false }
    expect(strictForm(schema)).toEqual(closed)
  })

  test('keeps definitions, and the single schema of allOf', () => {
    const schema = {
      ...object({ a: { allOf: [{ $ref: '#/$defs/a' }], description: 'The first.' } }, ['a']),
      $defs: { a: object({ b: string }, ['b']) },
    }
    expect(strictForm(schema)).toMatchObject({
      properties: { a: { $ref: '#/$defs/a', description: 'The first.' } },
      $defs: { a: { additionalProperties: false, required: ['b'] } },
    })
  })

  test.each([
    ['arbitrary names', { type: 'object', additionalProperties: number }],
    ['names by a pattern', { type: 'object', patternProperties: { '^x': {} }, properties: {} }],
    ['any object', { type: 'object' }],
    ['any object in a list', object({ a: { type: 'array', items: { type: 'object' } } })],
  ])('does not exist for %s', (_, schema) => expect(strictForm(schema)).toBeUndefined())
})

describe('the schema sent to a model', () => {
  test('is the schema itself, without the name of its draft', () => {
    const schema = object({ value: string })
    const { own, unwrap } = wireSchema({ $schema: drafts[2020], ...schema })
    expect(own).toEqual(schema)
    expect(unwrap({ value: 'a' })).toEqual({ value: 'a' })
  })

  test('is an object around a schema of another type, with adjusted references', () => {
    const schema = {
      type: 'array',
      items: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#' }, { $ref: '#/items/anyOf/0' }] },
      $defs: { a: { type: 'string' } },
    }
    const { own, unwrap } = wireSchema(schema)
    expect(own).toMatchObject({ type: 'object', required: ['value'], $defs: { a: string } })
    expect(own).toHaveProperty('properties.value.items.anyOf', [
      { $ref: '#/$defs/a' },
      { $ref: '#/properties/value' },
      { $ref: '#/properties/value/items/anyOf/0' },
    ])
    expect(isValid(own, { value: ['a', [['b']]] })).toBe(true)
    expect(isValid(own, { value: ['a', [[1]]] })).toBe(false)
    expect(unwrap({ value: ['a'] })).toEqual(['a'])
    expect(unwrap(['a'])).toEqual(['a'])
  })
})
