import { z } from 'zod'
import { isRecord } from '../../util/json.ts'

export type SchemaNode = { readonly [keyword: string]: unknown }
export type ObjectSchema = { type: 'object'; properties: Record<string, SchemaNode>; required?: string[] }

/** The keywords every tool-calling model takes. */
const portable = new Set([
  'type',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
])

/**
 * Keywords left out, because the input is validated by the operation anyway. Patterns go because JSON Schema cannot
 * say that one ignores case, and formats because some models refuse every format but date-time.
 */
const dropped = new Set([
  '$schema',
  'additionalProperties',
  'propertyNames',
  'maxProperties',
  'pattern',
  'format',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'uniqueItems',
  'title',
  'examples',
])

/** The arguments of a tool as JSON Schema, in the part of the language that all clients and models understand. */
export function portableSchema(schema: z.ZodObject): ObjectSchema {
  const { required, properties } = portableNode(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as SchemaNode,
  ) as { required?: string[]; properties?: Record<string, SchemaNode> }
  return { type: 'object', properties: properties ?? {}, ...(required && { required }) }
}

/** What in a schema some client or model would refuse; one sentence each, empty when it is portable. */
export function portabilityFaults(schema: unknown, path = '$'): string[] {
  if (!isRecord(schema)) return [`${path} is not an object schema.`]
  const { type, items, properties } = schema
  return [
    ...Object.keys(schema)
      .filter((keyword) => !portable.has(keyword))
      .map((keyword) => `${path} uses ${keyword}.`),
    ...(path === '$' && type !== 'object' ? ['$ is not of type object.'] : []),
    ...(typeof type === 'string' && type !== 'null' ? [] : [`${path} has no single type.`]),
    ...(type === 'array' && items === undefined ? [`${path} is an array without items.`] : []),
    ...valueFaults(schema, path),
    ...(items === undefined ? [] : portabilityFaults(items, `${path}[]`)),
    ...Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, node]) =>
      portabilityFaults(node, `${path}.${name}`),
    ),
  ]
}

function valueFaults(schema: SchemaNode, path: string): string[] {
  const options = schema['enum']
  const isTextual = Array.isArray(options) && options.every((option) => typeof option === 'string')
  return [
    ...(options === undefined || isTextual ? [] : [`${path} has an enum of other things than strings.`]),
    ...(schema['default'] === null ? [`${path} has null as its default.`] : []),
    ...(['minimum', 'maximum'] as const)
      .filter((bound) => isBeyond(schema[bound]))
      .map((bound) => `${path} has a meaningless ${bound}.`),
  ]
}

function portableNode(node: SchemaNode): SchemaNode {
  const flat = withoutNull(node)
  const { properties, items, const: only, anyOf, ...rest } = flat
  const kept = Object.entries({ ...rest, ...inclusiveBounds(flat) }).filter(
    ([keyword, value]) => !dropped.has(keyword) && !isBeyond(value) && !isPlain([keyword, value]),
  )
  return {
    ...Object.fromEntries(kept),
    ...(typeof only === 'string' ? { type: 'string', enum: [only] } : only !== undefined && { const: only }),
    ...(anyOf !== undefined && mergedEnums(anyOf as SchemaNode[])),
    ...(isRecord(items) && { items: portableNode(items) }),
    ...(isRecord(properties) &&
      Object.keys(properties).length > 0 && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, child]) => [name, portableNode(child as SchemaNode)]),
        ),
      }),
  }
}

/**
 * What goes without saying: that a text or a list is not empty or endless, that a number is not negative or huge, that a switch is
 * off.
 * It is checked all the same.
 */
function isPlain([keyword, value]: [string, unknown]): boolean {
  if (keyword === 'default') return value === false
  if (keyword === 'minLength' || keyword === 'minItems' || keyword === 'minimum') return value === 0 || value === 1
  const enough: Record<string, number> = { maxLength: 100, maxItems: 10, maximum: 1000 }
  return Number(value) >= (enough[keyword] ?? Infinity)
}

/** "X or null" is X: an optional argument is left out, never sent as null. */
function withoutNull(node: SchemaNode): SchemaNode {
  const { anyOf, type, ...rest } = node
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null')
    return { ...rest, type: types.length === 1 ? types[0] : types }
  }
  if (!Array.isArray(anyOf)) return node
  const branches = (anyOf as SchemaNode[]).filter((branch) => branch['type'] !== 'null')
  return branches.length === 1 ? { ...branches[0], ...rest } : { ...rest, anyOf: branches }
}

/** A choice between strings is one enum; any other choice stays, so that it is found as a fault. */
function mergedEnums(branches: SchemaNode[]): SchemaNode {
  const options = branches.map((branch) => (branch['const'] === undefined ? branch['enum'] : [branch['const']]))
  const isTextual = branches.every((branch) => branch['type'] === 'string') && options.every(Array.isArray)
  return isTextual ? { type: 'string', enum: [...new Set(options.flat())] } : { anyOf: branches }
}

function inclusiveBounds({ type, exclusiveMinimum, exclusiveMaximum }: SchemaNode): SchemaNode {
  if (type !== 'integer') return {}
  return {
    ...(typeof exclusiveMinimum === 'number' && { minimum: exclusiveMinimum + 1 }),
    ...(typeof exclusiveMaximum === 'number' && { maximum: exclusiveMaximum - 1 }),
  }
}

const isBeyond = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) >= Number.MAX_SAFE_INTEGER
