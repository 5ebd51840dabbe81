import { isRecord } from '../../src/util/json.ts'

/** Limits in OpenAI's guide to structured outputs for schemas with `strict: true` ("Supported schemas"). */
const limits = {
  properties: 5000,
  levels: 10,
  characters: 120_000,
  enumValues: 1000,
  longEnum: 250,
  longEnumCharacters: 15_000,
}
const types = new Set(['string', 'number', 'boolean', 'integer', 'object', 'array', 'null'])
const keywords: Readonly<Record<string, readonly string[]>> = {
  any: ['type', 'description', 'enum', 'const', 'anyOf', '$ref', '$defs'],
  string: ['pattern', 'format'],
  number: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  integer: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
}

type Sums = { properties: number; characters: number; enumValues: number }

/** Returns why OpenAI's API would reject the schema of a function, one sentence per fault. */
export function strictFaults(schema: unknown): string[] {
  if (!isRecord(schema) || schema['type'] !== 'object' || 'anyOf' in schema) return ['The root is no object.']
  const sums: Sums = { properties: 0, characters: 0, enumValues: 0 }
  const faults = nodeFaults(schema, '$', 1, sums)
  const over = (Object.keys(sums) as (keyof Sums)[]).filter((each) => sums[each] > limits[each])
  return [...faults, ...over.map((each) => `It has ${sums[each]} ${each}; ${limits[each]} are allowed.`)]
}

function nodeFaults(node: unknown, path: string, level: number, sums: Sums): string[] {
  if (!isRecord(node)) return [`${path} is no schema.`]
  const { type, items, anyOf } = node
  const own = (Array.isArray(type) ? type : [type]).map(String)
  const known = new Set(['any', ...own].flatMap((each) => keywords[each] ?? []))
  return [
    ...(anyOf === undefined && own.some((each) => !types.has(each)) ? [`${path} has the type ${own.join()}.`] : []),
    ...Object.keys(node)
      .filter((keyword) => !known.has(keyword))
      .map((keyword) => `${path} uses ${keyword}.`),
    ...(level > limits.levels ? [`${path} is more than ${limits.levels} levels deep.`] : []),
    ...enumFaults(node, path, own, sums),
    ...(own.includes('object') ? objectFaults(node, path, level, sums) : []),
    ...(own.includes('array') ? nodeFaults(items, `${path}[]`, level, sums) : []),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((each) => nodeFaults(each, `${path}|`, level, sums)) : []),
  ]
}

function objectFaults(node: Record<string, unknown>, path: string, level: number, sums: Sums): string[] {
  const { properties, required, additionalProperties } = node
  if (!isRecord(properties)) return [`${path} is an object without properties.`]
  const names = Object.keys(properties)
  sums.properties += names.length
  sums.characters += names.join('').length
  const named = Array.isArray(required) ? required : []
  return [
    ...(additionalProperties === false ? [] : [`${path} takes other properties.`]),
    ...names.filter((name) => !named.includes(name)).map((name) => `${path}.${name} is not required.`),
    ...named
      .filter((name) => !names.includes(String(name)))
      .map((name) => `${path} requires ${name}, which it has not.`),
    ...names.flatMap((name) => nodeFaults(properties[name], `${path}.${name}`, level + 1, sums)),
  ]
}

function enumFaults(node: Record<string, unknown>, path: string, own: readonly string[], sums: Sums): string[] {
  const values = node['enum']
  if (values === undefined) return []
  if (!Array.isArray(values) || values.length === 0) return [`${path} has an enum without values.`]
  const length = values.join('').length
  sums.enumValues += values.length
  sums.characters += length
  const isLong = values.length > limits.longEnum && length > limits.longEnumCharacters
  // A nullable enum must list null.
  const isClosed = own.includes('null') && !values.includes(null)
  return [
    ...(isLong ? [`${path} has an enum of ${length} characters.`] : []),
    ...(isClosed ? [`${path} may be null, but its enum has none.`] : []),
  ]
}
