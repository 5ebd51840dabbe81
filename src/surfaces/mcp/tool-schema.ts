import { z } from 'zod'
import { isRecord } from '../../util/json.ts'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { jsonIn } from '../../kernel/lenient/field-values.ts'

export type SchemaNode = { readonly [keyword: string]: unknown }
export type ObjectSchema = { type: 'object'; properties: Record<string, SchemaNode>; required?: string[] }

/** Keywords that every tool-calling model accepts. */
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
 * Omitted keywords; the operation validates the input anyway. Patterns are omitted because JSON Schema cannot make
 * them ignore case, formats because some models reject every format but date-time.
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

/** The arguments of a tool as JSON Schema, in the subset that all clients and models understand. */
export function portableSchema(schema: z.ZodObject): ObjectSchema {
  const { required, properties } = portableNode(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as SchemaNode,
  ) as { required?: string[]; properties?: Record<string, SchemaNode> }
  return { type: 'object', properties: properties ?? {}, ...(required && { required }) }
}

/** Parts of a schema that some client or model would reject, one sentence each; empty if it is portable. */
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
  const listed = Object.entries({ ...rest, ...inclusiveBounds(flat) }).filter(
    ([keyword, value]) => !dropped.has(keyword) && !isBeyond(value) && !isSelfEvident([keyword, value]),
  )
  return {
    ...Object.fromEntries(listed),
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

/** True for constraints that need no mention: "not empty", "off by default", and large limits. They are validated. */
function isSelfEvident([keyword, value]: [string, unknown]): boolean {
  if (keyword === 'default') return value === false
  if (keyword === 'minLength' || keyword === 'minItems' || keyword === 'minimum') return value === 0 || value === 1
  const enough: Record<string, number> = { maxLength: 100, maxItems: 10, maximum: 1000 }
  return Number(value) >= (enough[keyword] ?? Infinity)
}

/** "X or null" becomes X: an optional argument is omitted, never sent as null. */
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

/** Merges a choice between strings into one enum; other choices stay, to be reported as faults. */
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

/**
 * Forms of argument schemas: `plain` lets optional fields be omitted, `strict` is for models that generate by a
 * grammar.
 */
export const schemaForms = ['plain', 'strict'] as const
export type SchemaForm = (typeof schemaForms)[number]

/** Keywords of a value that model grammars support. */
const strictKeywords = new Set(['type', 'description', 'enum', 'minimum', 'maximum', 'minItems', 'maxItems'])

const strictSchemas = new WeakMap<ListedTool['inputSchema'], ListedTool['inputSchema']>()

/**
 * The same tool in strict form: every field is required and nullable instead of optional, no other fields are
 * accepted, and an object with caller-defined names, such as headers or a JSON Schema, is sent as JSON text.
 */
export function strictTool(listed: ListedTool): ListedTool {
  const { inputSchema } = listed
  const schema = strictSchemas.get(inputSchema) ?? (strictNode(inputSchema) as ListedTool['inputSchema'])
  strictSchemas.set(inputSchema, schema)
  return { ...listed, inputSchema: schema }
}

function strictNode(node: SchemaNode): SchemaNode {
  const { type, properties, items, required, default: byDefault } = node
  const plain = Object.fromEntries(Object.entries(node).filter(([keyword]) => strictKeywords.has(keyword)))
  const about = descriptionOf(node, byDefault)
  const described = { ...plain, ...(about !== '' && { description: about }) }
  if (type === 'array') return { ...described, items: strictNode(isRecord(items) ? items : { type: 'string' }) }
  if (type !== 'object') return described
  // An object of any shape is sent as JSON text.
  if (!isRecord(properties))
    return { ...described, type: 'string', description: `${about} JSON text of an object.`.trim() }
  const needed = new Set(Array.isArray(required) ? required : [])
  const fields = Object.entries(properties).map(([name, child]): [string, SchemaNode] => {
    const strict = strictNode(child as SchemaNode)
    return [name, needed.has(name) ? strict : nullable(strict)]
  })
  return {
    ...described,
    properties: Object.fromEntries(fields),
    required: fields.map(([name]) => name),
    additionalProperties: false,
  }
}

function descriptionOf({ description }: SchemaNode, byDefault: unknown): string {
  const text = typeof description === 'string' ? description : ''
  return byDefault === undefined || /\bdefault\b/i.test(text)
    ? text
    : `${text} Default ${JSON.stringify(byDefault)}.`.trim()
}

const nullable = (node: SchemaNode): SchemaNode => ({
  ...node,
  type: [node['type'], 'null'],
  ...(Array.isArray(node['enum']) && { enum: [...node['enum'], null] }),
})

type Sent = Record<string, unknown>

/** Converts arguments from strict to plain form. Values that fit neither stay, for validation to report. */
export const fromStrict = ({ inputSchema }: ListedTool, sent: Sent): Sent => plainValue(inputSchema, sent) as Sent

function plainValue(node: SchemaNode, value: unknown): unknown {
  const { type, properties, items } = node
  if (type === 'array')
    return Array.isArray(value) && isRecord(items) ? value.map((each) => plainValue(items, each)) : value
  if (type !== 'object') return value
  if (!isRecord(properties)) return typeof value === 'string' ? objectIn(value) : value
  if (!isRecord(value)) return value
  const given = Object.entries(value).filter(([, each]) => each !== null)
  return Object.fromEntries(
    given.map(([name, each]) => {
      const child = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, isRecord(child) ? plainValue(child, each) : each]
    }),
  )
}

function objectIn(text: string): unknown {
  const value = jsonIn(text)
  return isRecord(value) ? value : text
}
