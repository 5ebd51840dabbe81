import { isRecord } from '../../../util/json.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Keywords that contain one schema, a list of schemas, or schemas by name. */
const holders = {
  one: 'additionalProperties additionalItems items contains not if then else propertyNames unevaluatedItems unevaluatedProperties',
  list: 'allOf anyOf oneOf prefixItems items',
  named: 'properties patternProperties $defs definitions dependentSchemas dependencies',
}
const one = new Set(holders.one.split(' '))
const list = new Set(holders.list.split(' '))
const named = new Set(holders.named.split(' '))

/** Replaces each direct subschema. A property with the name of a keyword is not treated as one. */
function mapInside(schema: Schema, map: (inner: Schema) => Schema): Schema {
  const mapped = (value: unknown) => (isRecord(value) ? map(value) : value)
  const inside = ([keyword, value]: [string, unknown]): [string, unknown] => {
    if (list.has(keyword) && Array.isArray(value)) return [keyword, value.map(mapped)]
    if (one.has(keyword)) return [keyword, mapped(value)]
    if (!named.has(keyword) || !isRecord(value)) return [keyword, value]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each)]))]
  }
  return Object.fromEntries(Object.entries(schema).map(inside))
}

const without = (schema: Schema, keywords: ReadonlySet<string>): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.has(keyword)))

/**
 * Keywords that providers with schema enforcement refuse. The value is still validated against the caller's own schema.
 */
const droppedKeywords = new Set(
  '$id $comment $anchor title default examples deprecated readOnly writeOnly minProperties maxProperties unevaluatedItems unevaluatedProperties dependencies dependentRequired dependentSchemas propertyNames if then else not contains minContains maxContains uniqueItems additionalItems contentEncoding contentMediaType nullable'.split(
    ' ',
  ),
)
/** Keywords that are moved to the description, because the model should know them. */
const describedKeywords =
  'format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems'.split(
    ' ',
  )
const untyped = new Set([
  ...droppedKeywords,
  ...describedKeywords,
  'required',
  'additionalProperties',
  'oneOf',
  'const',
])

/**
 * Returns the schema for providers that enforce it: objects are closed, all their fields are required, and optional
 * ones may be null. Undefined if it allows arbitrary property names, which this form cannot express.
 */
export function strictForm(schema: Schema): Schema | undefined {
  return isOpen(schema) ? undefined : strict(schema)
}

function isOpen(schema: Schema): boolean {
  const { properties, additionalProperties, patternProperties } = schema
  const isObject = schema['type'] === 'object' || isRecord(additionalProperties)
  if (isRecord(additionalProperties) || patternProperties !== undefined) return true
  if (isObject && properties === undefined && additionalProperties !== false) return true
  let isAnyOpen = false
  mapInside(schema, (inner) => {
    isAnyOpen ||= isOpen(inner)
    return inner
  })
  return isAnyOpen
}

function strict(schema: Schema): Schema {
  const { properties, required, description, oneOf, allOf, nullable } = schema
  const [only, ...others] = Array.isArray(allOf) ? (allOf as unknown[]) : []
  // Generators wrap a reference in `allOf` to add a description next to it.
  if (isRecord(only) && others.length === 0) return strict({ ...without(schema, new Set(['allOf'])), ...only })
  const inner = mapInside(without(schema, untyped), strict)
  const facts = describedKeywords.flatMap((keyword) =>
    keyword in schema ? `${keyword}: ${JSON.stringify(schema[keyword])}` : [],
  )
  const about = [description, facts.join(', ')].filter((text) => typeof text === 'string' && text !== '').join(' ')
  const whole: Schema = {
    ...inner,
    ...(about !== '' && { description: about }),
    ...('const' in schema && { enum: [schema['const']] }),
    ...(Array.isArray(oneOf) && { anyOf: oneOf.map((each) => (isRecord(each) ? strict(each) : each)) }),
    ...(isRecord(inner['properties']) && {
      properties: nullableUnless(required, inner['properties']),
      required: Object.keys(isRecord(properties) ? properties : {}),
      additionalProperties: false,
    }),
  }
  return nullable === true ? orNull(whole) : whole
}

function nullableUnless(required: unknown, properties: Schema): Schema {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  return Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, isRequired(name) || !isRecord(each) ? each : orNull(each)]),
  )
}

const isNull = (each: unknown) => isRecord(each) && each['type'] === 'null'

function orNull(schema: Schema): Schema {
  const { type, anyOf } = schema
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return schema
  if (!Array.isArray(anyOf)) return { anyOf: [schema, { type: 'null' }] }
  return anyOf.some(isNull) ? schema : { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] }
}

/** Keywords that require content that a page may lack. */
const demands = new Set('required dependentRequired dependencies minProperties if then else oneOf not'.split(' '))

/** Returns the schema without its requirements, because a page or a part of it may lack some content. */
export function relaxed(schema: Schema): Schema {
  const { oneOf, anyOf = oneOf, not } = schema
  const union = anyOf === undefined ? {} : { anyOf }
  return { ...mapInside({ ...without(schema, demands), ...union }, relaxed), ...(not !== undefined && { not }) }
}

export type Draft = '2020' | '2019' | '7'

const ofDraft4 = new Set(['id', 'exclusiveMinimum', 'exclusiveMaximum'])
const none: ReadonlySet<string> = new Set()

/** Converts draft 4 to later drafts, and removes `$schema`, because providers refuse unknown keywords. */
export function modernised(schema: Schema): Schema {
  const isOld = typeof schema['$schema'] === 'string' && schema['$schema'].includes('draft-04')
  const { $schema: _, ...rest } = isOld ? fromDraft4(schema) : schema
  return rest
}

/** In draft 4 a flag made a limit exclusive, and `$id` was `id`. */
function fromDraft4(schema: Schema): Schema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const flags = new Set<string>()
  if (exclusiveMinimum === true) flags.add('minimum')
  if (exclusiveMaximum === true) flags.add('maximum')
  const rest = without(without(schema, ofDraft4), flags.size > 0 ? flags : none)
  return mapInside(
    {
      ...rest,
      ...(typeof schema['id'] === 'string' && { $id: schema['id'] }),
      ...(exclusiveMinimum === true && { exclusiveMinimum: minimum }),
      ...(exclusiveMaximum === true && { exclusiveMaximum: maximum }),
    },
    fromDraft4,
  )
}

const maxShapes = 8
/** Maximum number of subschemas to visit for one value: references may be circular, and nested unions multiply. */
const maxParts = 300

/**
 * Returns the possible shapes of a value: references resolved, members of `allOf` merged, and one shape for each member
 * of `anyOf` and `oneOf` and for each of several types. `null` is not a shape, because missing values are omitted.
 */
export function shapesOf(written: Schema, root: Schema, budget = { parts: maxParts }): Schema[] {
  if (--budget.parts < 0) return []
  const { $ref: reference, allOf, anyOf, oneOf, ...own } = written
  const parts = [...(typeof reference === 'string' ? [referred(reference, root)] : []), ...listed(allOf)]
  const whole = parts.reduce<Schema[]>(
    (shapes, part) => shapes.flatMap((shape) => shapesOf(part, root, budget).map((each) => merged(shape, each))),
    [own],
  )
  const union = [...listed(anyOf), ...listed(oneOf)]
  const members = union.flatMap((member) => shapesOf(member, root, budget))
  const shapes = union.length === 0 ? whole : whole.flatMap((shape) => members.map((each) => merged(shape, each)))
  return shapes.flatMap(byType).slice(0, maxShapes)
}

const listed = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isRecord) : [])

function referred(reference: string, root: Schema): Schema {
  if (!reference.startsWith('#')) return {}
  const keys = reference.slice(1).split('/').filter(Boolean).map(unescaped)
  const found = keys.reduce<unknown>(
    (node, key) => (isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined),
    root,
  )
  return isRecord(found) ? found : {}
}

/** Decodes a JSON Pointer (RFC 6901) in a URL fragment. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return key
  }
}

function merged(first: Schema, other: Schema): Schema {
  const properties = [first['properties'], other['properties']].filter(isRecord)
  const required = [first['required'], other['required']].filter(Array.isArray).flat() as unknown[]
  return {
    ...first,
    ...other,
    required,
    ...(properties.length > 0 && { properties: Object.assign({}, ...properties) as unknown }),
  }
}

function byType(shape: Schema): Schema[] {
  const { type } = shape
  if (!Array.isArray(type)) return type === 'null' ? [] : [shape]
  return type.filter((name) => name !== 'null').map((name: unknown) => ({ ...shape, type: name }))
}

export const isObject = (shape: Schema) => shape['type'] === 'object' || isRecord(shape['properties'])

/** True if a value may be null by its schema. */
export function allowsNull(schema: unknown, root: Schema, depth = 0): boolean {
  if (!isRecord(schema) || depth > maxShapes) return schema === true
  const { $ref: reference, type, enum: choices, anyOf, oneOf, allOf, nullable } = schema
  const inner = (each: unknown) => allowsNull(each, root, depth + 1)
  if (typeof reference === 'string') return inner(referred(reference, root))
  if (nullable === true || schema['const'] === null) return true
  if (Array.isArray(choices)) return choices.includes(null)
  if (type !== undefined) return [type].flat().includes('null')
  return (
    [anyOf, oneOf].some((union) => Array.isArray(union) && union.some(inner)) ||
    (!anyOf && !oneOf && listed(allOf).every(inner) && !('const' in schema) && !isObject(schema))
  )
}
