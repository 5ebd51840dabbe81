import { createHash } from 'node:crypto'
import { isRecord } from '../../../util/json.ts'
import { candidates } from './candidates.ts'
import { type Breach, createValidator, type Validate } from './validator.ts'
import type { Schema } from './walk.ts'
import { type WireSchema, wireSchema } from './wire.ts'

/** A schema that is ready for use: what is sent, and what an answer is checked against. */
export type AnswerSchema = { key: string; wire: WireSchema; validate: Validate }

/** A crawl asks thousands of times with one schema, and compiling it takes longer than checking by it. */
const maxKept = 50

/** Fails with BAD_REQUEST for what is no schema. */
export function createAnswerSchemas(): (schema: object) => AnswerSchema {
  const kept = new Map<string, AnswerSchema>()
  return (schema) => {
    const key = createHash('sha256').update(JSON.stringify(schema)).digest('base64')
    const known = kept.get(key)
    if (known) return known
    const parts: Schema = { ...schema }
    const made = { key, wire: wireSchema(parts), validate: createValidator(parts) }
    if (kept.size >= maxKept) kept.clear()
    kept.set(key, made)
    return made
  }
}

/** The first value in a text that obeys the schema; else what the likeliest one breaks, nothing where the text holds no JSON. */
export function answerIn(text: string, { wire, validate }: AnswerSchema): { value: unknown } | { breaches: Breach[] } {
  let first: Breach[] | undefined
  for (const candidate of candidates(text)) {
    const value = wire.unwrap(candidate)
    const breaches = withoutNulls(value, validate)
    if (breaches.length === 0) return { value }
    first ??= breaches
  }
  return { breaches: first ?? [] }
}

/**
 * Checks a value; an optional field for which the model wrote null, as strict providers have it do, is removed from it where
 * null breaks a rule.
 */
function withoutNulls(value: unknown, validate: Validate): Breach[] {
  const breaches = validate(value)
  const nulls = breaches.filter(({ isOfNull }) => isOfNull)
  if (nulls.length === 0) return breaches
  for (const { place } of nulls) remove(value, place)
  return validate(value)
}

function remove(value: unknown, pointer: string): void {
  const keys = pointer.split('/').slice(1).map(unescaped)
  const last = keys.pop()
  const parent = keys.reduce<unknown>(
    (part, key) => (Array.isArray(part) || isRecord(part) ? Reflect.get(part, key) : undefined),
    value,
  )
  if (last !== undefined && isRecord(parent)) delete parent[last]
}

const unescaped = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~')
