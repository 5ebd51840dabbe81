import { isRecord } from '../util/json.ts'
import { AnyObject } from './common-fields.ts'

/** A JSON Schema of any draft from 4 to 2020-12. Fails with the path of the first part that no draft allows. */
export const JsonSchema = AnyObject.superRefine((schema, check) => {
  const [fault] = faultsIn(schema, schema, [])
  if (fault) check.addIssue({ code: 'custom', path: fault.path, message: `Not a JSON Schema: ${fault.message}.` })
})

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const isNames = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string')

const rules: Record<string, { holds(value: unknown, root: object): boolean; message: string }> = {
  type: {
    holds: (value) => [value].flat().every((each) => types.has(String(each))),
    message: `a type is one of ${[...types].join(', ')}`,
  },
  required: { holds: isNames, message: 'required is a list of names' },
  enum: { holds: Array.isArray, message: 'enum is a list' },
  pattern: { holds: isPattern, message: 'the pattern is not a valid regular expression' },
  $ref: { holds: isReference, message: 'the reference points to nothing in this schema' },
}
/** Keywords that contain one schema, or several in a list or by name. */
const nested = {
  one: ['additionalProperties', 'not', 'items'],
  many: ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'properties', 'patternProperties', '$defs', 'definitions'],
}

function* faultsIn(schema: unknown, root: object, path: string[]): Generator<{ path: string[]; message: string }> {
  if (typeof schema === 'boolean') return
  if (!isRecord(schema)) return yield { path, message: 'a schema is an object' }
  const given = (keyword: string) => Object.hasOwn(schema, keyword)
  for (const [keyword, { holds, message }] of Object.entries(rules))
    if (given(keyword) && !holds(schema[keyword], root)) yield { path: [...path, keyword], message }
  for (const keyword of [...nested.one, ...nested.many].filter(given)) {
    const value = schema[keyword]
    const isMany = Array.isArray(value) || nested.many.includes(keyword)
    if (!isMany) yield* faultsIn(value, root, [...path, keyword])
    else if (typeof value !== 'object' || value === null)
      yield { path: [...path, keyword], message: 'it must contain schemas' }
    else for (const [name, inner] of Object.entries(value)) yield* faultsIn(inner, root, [...path, keyword, name])
  }
}

/** True for a regular expression with or without the flag `u`. */
function isPattern(pattern: unknown): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern as string, flags) instanceof RegExp && typeof pattern === 'string'
    } catch {
      return false
    }
  })
}

/** True for a reference that leads to a part of the schema. Those to an anchor or an `$id` are left to the validator. */
function isReference(reference: unknown, root: object): boolean {
  if (typeof reference !== 'string') return false
  if (!reference.startsWith('#/')) return true
  try {
    const keys = decodeURIComponent(reference).split('/').slice(1)
    return keys.map(unescaped).reduce<unknown>(inside, root) !== undefined
  } catch {
    return false
  }
}

const unescaped = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~')

const inside = (part: unknown, key: string): unknown =>
  typeof part === 'object' && part !== null && Object.hasOwn(part, key) ? Reflect.get(part, key) : undefined
