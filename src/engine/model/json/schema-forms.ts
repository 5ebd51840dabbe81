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
const dropped = new Set(
  '$id $comment $anchor title default examples deprecated readOnly writeOnly minProperties maxProperties unevaluatedItems unevaluatedProperties dependencies dependentRequired dependentSchemas propertyNames if then else not contains minContains maxContains uniqueItems additionalItems contentEncoding contentMediaType nullable'.split(
    ' ',
  ),
)
/** Keywords that are moved to the description, because the model should know them. */
const told =
  'format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems'.split(
    ' ',
  )
const untyped = new Set([...dropped, ...told, 'required', 'additionalProperties', 'oneOf', 'const'])

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
  const facts = told.flatMap((keyword) => (keyword in schema ? `${keyword}: ${JSON.stringify(schema[keyword])}` : []))
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

export type Draft = '2020' | '2019' | '7'

/** Returns the draft of a schema. Drafts 4 and 6 use the rules of draft 7 after `modernised`. */
export function draftOf({ $schema: draft }: Schema): Draft | undefined {
  if (typeof draft !== 'string') return undefined
  if (draft.includes('2020-12')) return '2020'
  if (draft.includes('2019-09')) return '2019'
  return /draft-0[3-7]|json-schema\.org\/schema/.test(draft) ? '7' : undefined
}

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
  const kept = without(without(schema, ofDraft4), flags.size > 0 ? flags : none)
  return mapInside(
    {
      ...kept,
      ...(typeof schema['id'] === 'string' && { $id: schema['id'] }),
      ...(exclusiveMinimum === true && { exclusiveMinimum: minimum }),
      ...(exclusiveMaximum === true && { exclusiveMaximum: maximum }),
    },
    fromDraft4,
  )
}
