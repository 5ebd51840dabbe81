import { isRecord, parseJson } from '../../../util/json.ts'
import type { Breach, Validate } from './validator.ts'
import { type Schema, modernised, strictForm } from './schema-forms.ts'
import { fitted } from './fit-answer.ts'
import { jsonrepair } from 'jsonrepair'

/** Maximum number of brackets tried as start of JSON, because prose may contain many. */
const maxStarts = 20
const maxRepairs = 3

/**
 * Yields the JSON that a text may contain, the most likely first: the text itself, fenced blocks, text between
 * brackets; then the same after repair, for example of a truncated answer; finally brackets within unparsable text.
 * Objects and arrays only.
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

/** The last fence may be unclosed. */
const fenced = (text: string): string[] =>
  [...text.matchAll(/```[a-z0-9]*\s*([\s\S]*?)(?:```|$)/gi)].flatMap(([, inside]) => inside?.trim() || [])

/**
 * Returns the bracketed parts. An unclosed part extends to the end of the text, and others may start within it.
 * Brackets within parsable JSON belong to it.
 */
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

/** Returns the end of the value that starts at a bracket; undefined if it is not closed. */
function endOfValue(text: string, start: number): number | undefined {
  const token = /"(?:[^"\\]|\\[\s\S])*"|[{}[\]]/g
  token.lastIndex = start
  let depth = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '{' || match[0] === '[') depth += 1
    else if (match[0] === '}' || match[0] === ']') depth -= 1
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

/** A schema as sent: its own form, and the form for providers that enforce it, if different. */
type WireSchema = {
  own: Schema
  strict: Schema | undefined
  /** Extracts the caller's value from the model's value. */
  unwrap(value: unknown): unknown
}

/** Field that wraps a value whose schema is not an object, because providers accept only objects. */
const field = 'value'

export function wireSchema(schema: Schema): WireSchema {
  const plain = modernised(schema)
  const isWrapped = plain['type'] !== 'object'
  const own = isWrapped ? wrapped(plain) : plain
  const strict = strictForm(own)
  return {
    own,
    strict: strict && JSON.stringify(strict) !== JSON.stringify(own) ? strict : undefined,
    // A model that is only instructed may return the bare value.
    unwrap: (value) => (isWrapped && isRecord(value) && isOnlyKey(value, field) ? value[field] : value),
  }
}

const isOnlyKey = (value: Record<string, unknown>, key: string): boolean =>
  Object.keys(value).length === 1 && Object.hasOwn(value, key)

/**
 * Wraps a schema in an object. Definitions stay at the top, and references to other places are redirected into the
 * field.
 */
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

/** A prepared schema: the form to send, and the validator for answers. */
export type AnswerSchema = { key: string; own: Schema; wire: WireSchema; validate: Validate }

/** `unreadable`: paths of parts omitted because they do not fit the schema. */
export type Read = { value: unknown; unreadable: string[] }

/**
 * Returns the first value in a text that fits the schema, after repairs and without the parts that do not fit;
 * otherwise the violations of the most likely value, or an empty list if the text contains no JSON.
 */
export function answerIn(text: string, { own, wire, validate }: AnswerSchema): Read | { breaches: Breach[] } {
  let first: Breach[] | undefined
  for (const candidate of candidates(text)) {
    const read = onlyValid(fitted(wire.unwrap(candidate), own), validate)
    if ('value' in read) return read
    first ??= read.breaches
  }
  return { breaches: first ?? [] }
}

const maxRounds = 20

/** Removes what violates the schema, part by part; returns the violations if nothing is left. */
function onlyValid(value: unknown, validate: Validate): Read | { breaches: Breach[] } {
  const first = validate(value)
  const unreadable = new Set<string>()
  let breaches = first
  for (let round = 0; round < maxRounds && breaches.length > 0; round++) {
    const places = new Map(faultyParts(breaches).map(({ place, isOfNull }) => [place, isOfNull]))
    if (places.has('')) return { breaches: first }
    // Later items of a list are removed first, so the others keep their positions.
    const ordered = [...places].toSorted(([one], [other]) => other.localeCompare(one, 'en', { numeric: true }))
    for (const [place, isOfNull] of ordered) {
      remove(value, place)
      if (!isOfNull) unreadable.add(pathOf(place))
    }
    breaches = validate(value)
  }
  const isNothing = unreadable.size > 0 && isEmpty(value)
  return breaches.length > 0 || isNothing ? { breaches: first } : { value, unreadable: [...unreadable] }
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

const isBelow = (inner: Breach, { place }: Breach) => inner.place.startsWith(`${place}/`)

/**
 * Returns the violations to remove: the faulty parts of a union if one member fits without them; otherwise all of it.
 */
function faultyParts(breaches: readonly Breach[]): Breach[] {
  const unions = breaches.filter(({ rule }) => /\/(?:anyOf|oneOf)$/.test(rule))
  const isByParts = (union: Breach) =>
    breaches.some((breach) => isBelow(breach, union)) &&
    breaches.every((breach) => breach.place !== union.place || breach === union || breach.rule.endsWith('/type'))
  const byParts = new Set(unions.filter(isByParts).map(({ place }) => place))
  const whole = unions.filter(({ place }) => !byParts.has(place))
  return breaches.filter((breach) => !byParts.has(breach.place) && !whole.some((union) => isBelow(breach, union)))
}

function remove(value: unknown, pointer: string): void {
  const keys = keysOf(pointer)
  const last = keys.pop()
  const parent = keys.reduce<unknown>(
    (part, key) => (Array.isArray(part) || isRecord(part) ? Reflect.get(part, key) : undefined),
    value,
  )
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (last !== undefined && isRecord(parent)) delete parent[last]
}

const keysOf = (pointer: string) => pointer.split('/').slice(1).map(unescaped)
const pathOf = (pointer: string) =>
  keysOf(pointer).reduce(
    (path, key) => (/^\d+$/.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
    '',
  )
const unescaped = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~')
