import { isRecord } from '../../../util/json.ts'
import { modernised } from './draft.ts'
import { strictForm } from './strict.ts'
import type { Schema } from './walk.ts'

/** A schema as it is sent: its own form, and the form of providers that enforce it where that is another. */
export type WireSchema = {
  own: Schema
  strict: Schema | undefined
  /** The caller's value out of what the model gave. */
  unwrap(value: unknown): unknown
}

/** The only field of an answer whose schema is no object; providers take none but objects. */
const field = 'value'

export function wireSchema(schema: Schema): WireSchema {
  const plain = modernised(schema)
  const isWrapped = plain['type'] !== 'object'
  const own = isWrapped ? wrapped(plain) : plain
  const strict = strictForm(own)
  return {
    own,
    strict: strict && JSON.stringify(strict) !== JSON.stringify(own) ? strict : undefined,
    // A model that was only asked may well give the bare value.
    unwrap: (value) => (isWrapped && isRecord(value) && isOnlyKey(value, field) ? value[field] : value),
  }
}

const isOnlyKey = (value: Record<string, unknown>, key: string): boolean =>
  Object.keys(value).length === 1 && Object.hasOwn(value, key)

/** Definitions stay where references look for them; a reference to the whole leads to the field. */
function wrapped({ $defs, definitions, ...schema }: Schema): Schema {
  return {
    type: 'object',
    properties: { [field]: refToField(schema) },
    required: [field],
    additionalProperties: false,
    ...($defs !== undefined && { $defs: refToField($defs) }),
    ...(definitions !== undefined && { definitions: refToField(definitions) }),
  }
}

function refToField<T>(part: T): T {
  const text = JSON.stringify(part, (key, value: unknown) => {
    const isMoved = key === '$ref' && typeof value === 'string' && /^#(?:$|\/(?!\$defs\/|definitions\/))/.test(value)
    return isMoved ? `#/properties/${field}${value.slice(1)}` : value
  })
  return JSON.parse(text) as T
}
