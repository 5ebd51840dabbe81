import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { jsonIn } from '../../kernel/lenient/field-values.ts'
import { isRecord } from '../../util/json.ts'
import type { SchemaNode } from './schema.ts'

/** How the arguments of tools are described: `plain` leaves fields out that may be left out, `strict` is for models that write by a grammar. */
export const schemaForms = ['plain', 'strict'] as const
export type SchemaForm = (typeof schemaForms)[number]

/** What the grammars of models know of a value; of an object, a list or a choice more is kept below. */
const keptKeywords = new Set(['type', 'description', 'enum', 'minimum', 'maximum', 'minItems', 'maxItems'])

const made = new WeakMap<ListedTool['inputSchema'], ListedTool['inputSchema']>()

/**
 * The same tool in strict form: every field of every object is required and may be null instead of absent, no other field is taken,
 * and an object with names of the caller's own, such as headers or a JSON Schema, comes as JSON text.
 */
export function strictTool(listed: ListedTool): ListedTool {
  const { inputSchema } = listed
  const schema = made.get(inputSchema) ?? (strictNode(inputSchema) as ListedTool['inputSchema'])
  made.set(inputSchema, schema)
  return { ...listed, inputSchema: schema }
}

function strictNode(node: SchemaNode): SchemaNode {
  const { type, properties, items, required, default: byDefault } = node
  const plain = Object.fromEntries(Object.entries(node).filter(([keyword]) => keptKeywords.has(keyword)))
  const about = descriptionOf(node, byDefault)
  const told = { ...plain, ...(about !== '' && { description: about }) }
  if (type === 'array') return { ...told, items: strictNode(isRecord(items) ? items : { type: 'string' }) }
  if (type !== 'object') return told
  // Without fields it is a tool without arguments, and any object elsewhere.
  if (!isRecord(properties)) return { ...told, type: 'string', description: `${about} JSON text of an object.`.trim() }
  const needed = new Set(Array.isArray(required) ? required : [])
  const fields = Object.entries(properties).map(([name, child]): [string, SchemaNode] => {
    const strict = strictNode(child as SchemaNode)
    return [name, needed.has(name) ? strict : nullable(strict)]
  })
  return {
    ...told,
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

/** Arguments in strict form as they are in the plain one. What fits neither stays, for validation to report. */
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
