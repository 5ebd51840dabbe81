import { fail } from './error.ts'
import { type AnyOperation, type Method, partsOf, type Route } from './operation.ts'
import { type Call, requestOf } from './written-call.ts'
import { lazily } from '../util/async.ts'
import { parseJson } from '../util/json.ts'
import { inputSchema, type JsonSchema } from './json-schema.ts'

export type RouteMatch = {
  operation: AnyOperation
  slots: Record<string, unknown>
  query: Record<string, unknown>
}
/** Finds the operation of a request, or the methods that its path supports. Undefined for an unknown path. */
export type Router = (method: string, url: URL) => RouteMatch | { allowed: Method[] } | undefined

/** Names of the path slots, in order. */
export function slotsOf(route: Route): string[] {
  return [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

/** Like `requestOf`, but fails with BAD_REQUEST for a slot value that a path cannot contain. */
export function toRequest({ route }: AnyOperation, input: object): Call {
  const values = new Map(Object.entries(input))
  for (const name of slotsOf(route)) checkSegment(name, values.get(name))
  return requestOf(partsOf(route), { ...input })
}

/** "." and ".." are removed when a URL is parsed, even escaped, so they would reach another route. */
function checkSegment(name: string, value: unknown): void {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (['', '.', '..'].includes(text) || !text.isWellFormed())
    fail('BAD_REQUEST', { details: [{ path: name, message: 'This cannot be part of a path.', code: 'invalid_slot' }] })
}

/**
 * Matches paths with or without a trailing slash. If several routes match, a fixed segment takes precedence over a
 * slot. Fails with BAD_REQUEST on an invalid escape.
 */
export function createRouter(operations: readonly AnyOperation[]): Router {
  const entries = operations.flatMap(entriesOf).toSorted(byRank)
  return (method, url) => {
    const path = url.pathname
      .replace(/^\/+/, '/')
      .replace(/(?<=.)\/$/, '')
      .split('/')
    const fitting = entries.filter((entry) => fits(entry.segments, path))
    const entry = fitting.find((candidate) => candidate.method === method)
    if (!entry) return fitting.length > 0 ? { allowed: [...new Set(fitting.map((other) => other.method))] } : undefined
    return { operation: entry.operation, slots: slotValues(entry, path), query: queryValues(entry, url.searchParams) }
  }
}

/** Compares without `localeCompare`, which would load the collation rules of a language. */
const byRank = (one: RouteEntry, other: RouteEntry) => (one.rank < other.rank ? -1 : Number(one.rank > other.rank))

type RouteEntry = {
  operation: AnyOperation
  method: Method
  segments: readonly string[]
  rank: string
  reading(): Reading
}

function entriesOf(operation: AnyOperation): RouteEntry[] {
  // The first request converts the schema, so a start over stdio does not.
  const reading = lazily(() => readingOf(operation))
  return [operation.route, ...(operation.aliases ?? [])].map((route) => {
    const { method, template } = partsOf(route)
    const segments = template.split('/')
    return { operation, method, segments, rank: segments.map((part) => (isSlot(part) ? '1' : '0')).join(''), reading }
  })
}

function isSlot(segment: string): boolean {
  return segment.startsWith(':')
}

function fits(segments: readonly string[], path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, at) => (isSlot(segment) ? path[at] !== '' : segment === path[at]))
  )
}

function slotValues(entry: RouteEntry, path: readonly string[]): Record<string, unknown> {
  const slots = entry.segments.flatMap((segment, at) =>
    isSlot(segment) ? [[segment.slice(1), decoded(path[at] ?? '')] as const] : [],
  )
  return Object.fromEntries(slots.map(([name, text]) => [name, entry.reading()(name, [text])]))
}

function queryValues(entry: RouteEntry, query: URLSearchParams): Record<string, unknown> {
  const names = [...new Set(query.keys())]
  return Object.fromEntries(names.map((name) => [name, entry.reading()(name, query.getAll(name))]))
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (cause) {
    return fail('BAD_REQUEST', {
      message: 'The path contains a percent sign that does not start a valid escape.',
      cause,
    })
  }
}

/**
 * Converts the texts of one parameter to the type of the schema; values that do not convert stay text, so that
 * validation reports them.
 */
type Reading = (name: string, texts: readonly string[]) => unknown

function readingOf(operation: AnyOperation): Reading {
  const root = inputSchema(operation)
  const choices = (schema: JsonSchema = {}): JsonSchema[] => {
    const target = schema.$ref === undefined ? schema : root.$defs?.[schema.$ref.replace('#/$defs/', '')]
    const nested = target?.anyOf ?? target?.oneOf
    return nested ? nested.flatMap(choices) : singled(target ?? {})
  }
  return (name, texts) => {
    const all = choices(root.properties?.[name])
    const single = all.filter((choice) => choice.type !== 'array')
    const list = all.find((choice) => choice.type === 'array')
    if (list && (texts.length > 1 || single.every((choice) => choice.type === 'null')))
      return texts.map((text) => typed(text, choices(list.items)))
    return texts.length === 1 ? typed(texts[0] ?? '', single) : texts
  }
}

/** Splits a schema of several types into one schema per type. */
function singled(schema: JsonSchema): JsonSchema[] {
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema]
}

function typed(text: string, choices: readonly JsonSchema[]): unknown {
  const types = choices.map((choice) => choice.type ?? 'string')
  if (types.includes('string')) return text
  const isNumber = types.includes('number') || types.includes('integer')
  if (isNumber && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.includes('null') && text === 'null') return null
  return types.includes('object') && text.startsWith('{') ? (parseJson(text) ?? text) : text
}
