import type { JsonSchema } from '../../kernel/json-schema.ts'

/** One field of a schema, nested ones included: `location.country`, `formats[].type`, `formats[type=json].schema`. */
export type Field = {
  path: string
  type: string
  isRequired: boolean
  /** As JSON; absent when there is none. */
  fallback?: string
  rules: string
  about: string
}

type Defs = Readonly<Record<string, JsonSchema>>
type Walk = { defs: Defs; /** References on the way here: a schema may hold itself. */ open: readonly string[] }

export function fieldsOf(schema: JsonSchema): Field[] {
  return inside(schema, '', { defs: schema.$defs ?? {}, open: ['#'] })
}

function inside(schema: JsonSchema, prefix: string, walk: Walk): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const isRequired = schema.required?.includes(name) ?? false
    return [fieldOf(property, path, isRequired, walk.defs), ...below(property, path, walk)]
  })
}

function fieldOf(schema: JsonSchema, path: string, isRequired: boolean, defs: Defs): Field {
  const target = schema.$ref === undefined ? schema : { ...defs[defName(schema.$ref)], ...schema }
  return {
    path,
    type: typeText(schema, defs),
    isRequired: isRequired && target.default === undefined,
    ...(target.default !== undefined && { fallback: JSON.stringify(target.default) }),
    rules: rulesText(target),
    about: target.description ?? '',
  }
}

/** Fields of the objects that a field may hold. */
function below(schema: JsonSchema, path: string, walk: Walk): Field[] {
  if (schema.$ref !== undefined) {
    const target = walk.defs[defName(schema.$ref)]
    if (!target || walk.open.includes(schema.$ref)) return []
    return below(target, path, { ...walk, open: [...walk.open, schema.$ref] })
  }
  if (schema.items) return below(schema.items, `${path}[]`, walk)
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices) return choices.flatMap((choice) => below(choice, path, walk))
  const label = variantOf(schema)
  if (label === undefined) return inside(schema, `${path}.`, walk)
  const { [label.name]: _, ...properties } = schema.properties ?? {}
  const variant = `${path.replace(/\[\]$/, '')}[${label.name}=${label.value}]`
  const fields = inside({ ...schema, properties }, `${variant}.`, walk)
  return fields.length > 0 ? fields : [fieldOf({ ...schema, type: 'object' }, variant, false, walk.defs)]
}

/** The constant that tells one variant of a union from the others. */
function variantOf(schema: JsonSchema): { name: string; value: string } | undefined {
  const [name, property] = Object.entries(schema.properties ?? {}).find(([, each]) => each.const !== undefined) ?? []
  return name === undefined ? undefined : { name, value: String(property?.const) }
}

function typeText(schema: JsonSchema, defs: Defs, depth = 0): string {
  const inner = (each: JsonSchema) => typeText(each, defs, depth + 1)
  if (schema.$ref !== undefined) return depth > 4 ? 'object' : inner(defs[defName(schema.$ref)] ?? { type: 'object' })
  const constants = schema.const === undefined ? schema.enum : [schema.const]
  if (constants) return either(constants.map((value) => `\`${JSON.stringify(value)}\``))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return either(choices.map(inner))
  if (schema.allOf) return schema.allOf.map(inner).join(' and ')
  return plainText(schema, inner)
}

function plainText(schema: JsonSchema, inner: (each: JsonSchema) => string): string {
  if (Array.isArray(schema.type)) return either(schema.type.map((type) => inner({ ...schema, type })))
  if (schema.prefixItems) return `list of ${schema.prefixItems.map(inner).join(', ')}`
  if (schema.type === 'array') return `array of ${grouped(inner(schema.items ?? {}))}`
  if (schema.type === 'object' && isMap(schema)) return `map of ${inner(schema.additionalProperties || {})}`
  if (schema.type === 'string' && schema.format) return `string (${schema.format})`
  return schema.type ?? 'any'
}

function isMap(schema: JsonSchema): boolean {
  return schema.properties === undefined && typeof schema.additionalProperties === 'object'
}

function either(texts: readonly string[]): string {
  const all = [...new Set(texts)]
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}

function grouped(text: string): string {
  return text.includes(' or ') ? `(${text})` : text
}

function rulesText(schema: JsonSchema): string {
  const each = schema.items && rulesText(schema.items)
  const choices = (schema.anyOf ?? schema.oneOf ?? []).map(rulesText)
  const own = [
    range(visible(schema.minimum), visible(schema.maximum)),
    schema.exclusiveMinimum === undefined ? '' : `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? '' : `less than ${schema.exclusiveMaximum}`,
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    range(undefined, schema.maxProperties, 'field'),
    schema.pattern === undefined || schema.format ? '' : `matches \`${schema.pattern}\``,
    each ? `each ${each}` : '',
  ]
  return [...new Set([...own, ...choices])].filter((text) => text !== '').join('; ')
}

/** zod writes the bounds of whole numbers that a double can hold; they say nothing. */
function visible(bound: number | undefined): number | undefined {
  return bound !== undefined && Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound
}

function range(from: number | undefined, to: number | undefined, unit?: string): string {
  const units = (count: number) => (unit === undefined ? `${count}` : `${count} ${unit}${count === 1 ? '' : 's'}`)
  if (from !== undefined && to !== undefined) return from === to ? units(from) : `${from} to ${units(to)}`
  if (from !== undefined) return `at least ${units(from)}`
  return to === undefined ? '' : `at most ${units(to)}`
}

function defName(ref: string): string {
  return ref.replace('#/$defs/', '')
}
