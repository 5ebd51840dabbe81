import { describe, expect, test } from 'vitest'
import { limitsOf, sizeFaults } from '../../src/kernel/size-limits.ts'
import { inputSchema, type JsonSchema } from '../../src/kernel/json-schema.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { operations } from '../../src/operations/index.ts'

const named = operations.map((operation): [string, AnyOperation] => [operation.name, operation])

/** Returns the places of a schema that have no limit. */
function boundless(schema: JsonSchema, root: JsonSchema, path = '$'): string[] {
  const target = schema.$ref === undefined ? schema : root.$defs![schema.$ref.replace('#/$defs/', '')]!
  const faults = missing(target).map((what) => `${path}: ${what}`)
  return [...faults, ...partsOf(target, path).flatMap(([place, part]) => boundless(part, root, place))]
}

function missing(schema: JsonSchema): string[] {
  const isMap = typeof schema.additionalProperties === 'object' && schema.properties === undefined
  return [
    ...(schema.type === 'string' && !isShort(schema) ? ['a string without maxLength'] : []),
    ...(schema.type === 'array' && schema.maxItems === undefined ? ['a list without maxItems'] : []),
    ...(isMap && schema.maxProperties === undefined ? ['a map without maxProperties'] : []),
    ...(isMap && !isShort(schema.propertyNames ?? {}) ? ['names without maxLength'] : []),
  ]
}

function partsOf(schema: JsonSchema, path: string): [place: string, part: JsonSchema][] {
  const { anyOf = [], oneOf = [], allOf = [], items, properties = {}, additionalProperties: other } = schema
  return [
    ...[...anyOf, ...oneOf, ...allOf].map((branch): [string, JsonSchema] => [path, branch]),
    ...(items ? [[`${path}[]`, items] as [string, JsonSchema]] : []),
    ...(other ? [[`${path}.*`, other] as [string, JsonSchema]] : []),
    ...Object.entries(properties).map(([name, field]): [string, JsonSchema] => [`${path}.${name}`, field]),
  ]
}

const isShort = ({ maxLength, format, pattern, enum: options, const: only }: JsonSchema) =>
  maxLength !== undefined ||
  format === 'uuid' ||
  options !== undefined ||
  only !== undefined ||
  (pattern !== undefined && !/[*+]|,\}/.test(pattern.replaceAll('\\+', '')))

describe.each(named)('%s', (_name, operation) => {
  const schema = inputSchema(operation)

  test('limits every string, list and map', () => expect(boundless(schema, schema)).toEqual([]))

  test('accepts its own example', () => expect(sizeFaults(limitsOf(operation), operation.example)).toEqual([]))
})

test('fields without a limit are found at any depth', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      text: { type: 'string', pattern: '^a+$' },
      list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      map: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'number' } },
      ref: { $ref: '#/$defs/a' },
      short: { type: 'string', pattern: '^[a-z]{2}$' },
    },
    $defs: { a: { type: 'string' } },
  }
  expect(boundless(schema, schema)).toEqual([
    '$.text: a string without maxLength',
    '$.list: a list without maxItems',
    '$.list[]: a string without maxLength',
    '$.map: a map without maxProperties',
    '$.map: names without maxLength',
    '$.ref: a string without maxLength',
  ])
})
