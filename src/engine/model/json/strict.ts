import { isRecord } from '../../../util/json.ts'
import { mapInside, type Schema, without } from './walk.ts'

/** What providers that enforce a schema refuse. The value is checked against the caller's own schema all the same. */
const dropped = new Set(
  '$id $comment $anchor title default examples deprecated readOnly writeOnly minProperties maxProperties unevaluatedItems unevaluatedProperties dependencies dependentRequired dependentSchemas propertyNames if then else not contains minContains maxContains uniqueItems additionalItems contentEncoding contentMediaType nullable'.split(
    ' ',
  ),
)
/** Of those, the model should know of these, and is told in words. */
const told =
  'format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems'.split(
    ' ',
  )
const untyped = new Set([...dropped, ...told, 'required', 'additionalProperties', 'oneOf', 'const'])

/**
 * The schema as providers take it that enforce one: objects are closed, all their fields are required, and optional ones may
 * be null. Undefined where it allows names that nobody listed, which cannot be said so.
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
  // Generators wrap a reference in `allOf` to put a description beside it.
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
