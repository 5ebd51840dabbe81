import { createHash } from 'node:crypto'
import { isRecord, parseJson } from '../../../util/json.ts'
import { type Breach, createValidator, type Validate } from './validator.ts'
import { type Schema, modernised, strictForm } from './schema-forms.ts'
import { jsonrepair } from 'jsonrepair'

/** Prose may be full of brackets; where none of the first begins JSON, none does. */
const maxStarts = 20
const maxRepairs = 3

/**
 * What JSON a text may hold, the likeliest first: the text itself, fenced blocks, what stands between brackets; then what
 * repair makes of the same, such as of an answer that was cut; last, brackets within what cannot be read. Objects and lists only.
 */
export function* candidates(text: string): Generator<object> {
  const fences = fenced(text)
  const { outer, inner } = bracketed(text)
  yield* each([text, ...fences, ...outer], parsed)
  yield* each([...fences, ...outer].filter((place) => !parsed(place)).slice(0, maxRepairs), repaired)
  yield* each(inner, parsed)
}

function* each(places: readonly string[], read: (place: string) => object | undefined): Generator<object> {
  for (const place of places) {
    const value = read(place)
    if (value) yield value
  }
}

/** The last fence may never close. */
const fenced = (text: string): string[] =>
  [...text.matchAll(/```[a-z0-9]*\s*([\s\S]*?)(?:```|$)/gi)].flatMap(([, inside]) => inside?.trim() || [])

/** What never closes is taken to the end, and others may begin in it. What lies in JSON that can be read is part of it. */
function bracketed(text: string): { outer: string[]; inner: string[] } {
  const outer: string[] = []
  const inner: string[] = []
  let passed = 0
  for (const { index } of [...text.matchAll(/[{[]/g)].slice(0, maxStarts)) {
    const end = endOfValue(text, index)
    const place = text.slice(index, end)
    if (index >= passed) outer.push(place)
    else if (!parsed(outer.at(-1) ?? '')) inner.push(place)
    passed = Math.max(passed, end ?? 0)
  }
  return { outer, inner }
}

/** Where the value closes that begins at a bracket. */
function endOfValue(text: string, start: number): number | undefined {
  const token = /"(?:[^"\\]|\\[\s\S])*"|[{}[\]]/g
  token.lastIndex = start
  let depth = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '{' || found[0] === '[') depth += 1
    else if (found[0] === '}' || found[0] === ']') depth -= 1
    if (depth === 0) return token.lastIndex
  }
  return undefined
}

const objectOnly = (value: unknown): object | undefined =>
  typeof value === 'object' && value !== null ? value : undefined

const parsed = (text: string): object | undefined => objectOnly(parseJson(text))

function repaired(text: string): object | undefined {
  try {
    return parsed(jsonrepair(text))
  } catch {
    return undefined
  }
}

/** A schema as it is sent: its own form, and the form of providers that enforce it where that is another. */
type WireSchema = {
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
