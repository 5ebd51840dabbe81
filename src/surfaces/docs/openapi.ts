import { errors } from '../../kernel/error-table.ts'
import type { ErrorCode } from '../../kernel/error.ts'
import {
  type AnyOperation,
  errorsOf,
  hasBody,
  partsOf,
  type Route,
  takesIdempotencyKey,
} from '../../kernel/operation.ts'
import { slotsOf } from '../../kernel/route.ts'
import { inputSchema, type JsonSchema, outputSchema } from '../../kernel/json-schema.ts'

export type OpenApiFacts = { operations: readonly AnyOperation[]; version: string; title: string }

type Named = readonly [string, JsonSchema]

/** The REST surface as an OpenAPI 3.1 document. The same operations always give the same bytes. */
export function openApi({ operations, version, title }: OpenApiFacts): object {
  const inputNames = new Set(operations.flatMap((operation) => Object.keys(inputSchema(operation).$defs ?? {})))
  const contracts = operations.map((operation) => contractOf(operation, inputNames))
  const entries = contracts.flatMap(pathEntries)
  return {
    openapi: '3.1.1',
    info: { title, version },
    security: [{ bearer: [] }],
    paths: pathsOf(entries),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(merged([['Failure', failureSchema], ...contracts.flatMap((each) => each.schemas)])),
    },
  }
}

const failureSchema: JsonSchema = {
  type: 'object',
  properties: {
    success: { type: 'boolean', const: false },
    error: { type: 'string', description: 'What happened.' },
    code: { type: 'string' },
    hint: { type: 'string', description: 'What to do next.' },
    warning: { type: 'string', description: 'Coerced and ignored fields of the input.' },
    details: { description: 'The invalid parts of the request, or other facts about the error.' },
  },
  required: ['success', 'error', 'code'],
}

/** Codes that the HTTP surface adds to those of the operation. */
export function httpErrorsOf(operation: AnyOperation): ErrorCode[] {
  const ofBody: ErrorCode[] = takesBody(operation) ? ['BAD_REQUEST_INVALID_JSON', 'PAYLOAD_TOO_LARGE'] : []
  return ['BAD_REQUEST', ...ofBody, 'UNAUTHORIZED', 'ORIGIN_REFUSED', 'UNKNOWN_ERROR', 'FEATURE_UNAVAILABLE']
}

type Contract = { operation: AnyOperation; input: JsonSchema; name: string; schemas: readonly Named[] }

/**
 * Each schema moves into the components, with its definitions. A definition keeps its name; `Output` is appended if
 * inputs use that name too, because defaults make the two differ.
 */
function contractOf(operation: AnyOperation, inputNames: ReadonlySet<string>): Contract {
  const name = pascal(operation.name)
  const renamed = (io: 'Input' | 'Output') => (def: string) => {
    if (def.startsWith('__schema')) return `${name}${io}${def.slice('__schema'.length)}`
    return io === 'Output' && inputNames.has(def) ? `${def}Output` : def
  }
  const input = hoisted(inputSchema(operation), `${name}Request`, renamed('Input'))
  const output = hoisted(outputSchema(operation), `${name}Response`, renamed('Output'))
  const body: Named = [`${name}Request`, without(input.root, slotsOf(operation.route))]
  const answer: Named = [`${name}Response`, enveloped(output.root)]
  const schemas = [...(takesBody(operation) ? [body] : []), ...input.defs, answer, ...output.defs]
  return { operation, input: input.root, name, schemas }
}

function takesBody(operation: AnyOperation): boolean {
  return hasBody(partsOf(operation.route).method)
}

function hoisted(schema: JsonSchema, rootName: string, nameOf: (def: string) => string) {
  const { $defs = {}, ...root } = schema
  const pointed = (pointer: string) =>
    `#/components/schemas/${pointer === '#' ? rootName : nameOf(pointer.replace('#/$defs/', ''))}`
  const defs = Object.entries($defs).map(([def, body]): Named => [nameOf(def), repointed(body, pointed)])
  return { root: repointed(root, pointed), defs }
}

function repointed<T>(value: T, pointed: (pointer: string) => string): T {
  if (Array.isArray(value)) return value.map((item: unknown) => repointed(item, pointed)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]: [string, unknown]) => [
    key,
    key === '$ref' && typeof inner === 'string' ? pointed(inner) : repointed(inner, pointed),
  ])
  return Object.fromEntries(entries) as T
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { required = [], ...rest } = schema
  const kept = required.filter((name) => !names.includes(name))
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  return { ...rest, properties: Object.fromEntries(properties), ...(kept.length > 0 && { required: kept }) }
}

function enveloped(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: { success: { type: 'boolean', const: true }, ...schema.properties },
    required: [...new Set(['success', ...(schema.required ?? [])])],
  }
}

/** One id must mean one schema in all operations; anything else is an error in the operations. */
function merged(schemas: readonly Named[]): Named[] {
  const all = new Map<string, JsonSchema>()
  for (const [name, schema] of schemas) {
    const known = all.get(name)
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two schemas are named ${name}.`)
    all.set(name, schema)
  }
  return [...all].toSorted(byKey)
}

type Entry = { path: string; method: string; described: object }

function pathEntries(contract: Contract): Entry[] {
  const { route, aliases = [], name } = contract.operation
  return [route, ...aliases].map((each, at) => {
    const { method, template } = partsOf(each)
    const operationId = at === 0 ? name : `${name}_alias${at > 1 ? at : ''}`
    const path = template.replace(/:(\w+)/g, '{$1}')
    return { path, method: method.toLowerCase(), described: describe(contract, each, operationId) }
  })
}

function describe({ operation, input, name }: Contract, route: Route, operationId: string): object {
  const parameters = [
    ...parametersOf(operation, input, route),
    ...(takesIdempotencyKey(operation) ? [idempotencyHeader] : []),
  ]
  const slots = slotsOf(route)
  const example = Object.fromEntries(Object.entries(operation.example).filter(([key]) => !slots.includes(key)))
  const body = { required: true, content: json(ref(`${name}Request`), { example }) }
  return {
    operationId,
    summary: operation.title,
    description: operation.about,
    tags: [route.split('/')[2] ?? ''],
    ...(parameters.length > 0 && { parameters }),
    ...(takesBody(operation) && { requestBody: body }),
    responses: responsesOf(operation, name),
  }
}

const idempotencyHeader = {
  name: 'x-idempotency-key',
  in: 'header',
  required: false,
  description: 'A request repeated with the same key within 24 hours is not run again, and gets the same response.',
  schema: { type: 'string', format: 'uuid' },
}

function parametersOf(operation: AnyOperation, input: JsonSchema, route: Route): object[] {
  const slots = slotsOf(route)
  const names = takesBody(operation) ? slots : Object.keys(input.properties ?? {})
  const examples = new Map(Object.entries(operation.example))
  return names.map((name) => {
    const { description, ...schema } = input.properties?.[name] ?? {}
    return {
      name,
      in: slots.includes(name) ? 'path' : 'query',
      required: slots.includes(name) || (input.required?.includes(name) ?? false),
      ...(description !== undefined && { description }),
      schema,
      ...(examples.has(name) && { example: examples.get(name) }),
    }
  })
}

function responsesOf(operation: AnyOperation, name: string): object {
  const codes = [...new Set([...httpErrorsOf(operation), ...errorsOf(operation)])]
  const byStatus = Map.groupBy(codes, (code) => errors[code].status)
  const soft = byStatus.get(200)
  const success = ref(`${name}Response`)
  const failures = [...byStatus].filter(([status]) => status !== 200).toSorted(([a], [b]) => a - b)
  const ok = { description: 'Done.', content: json(soft ? { oneOf: [success, failureOf(soft)] } : success) }
  const rows = failures.map(([status, list]) => [
    status,
    { description: list.map((code) => `${code}: ${errors[code].message}`).join(' '), content: json(failureOf(list)) },
  ])
  return Object.fromEntries([[200, ok], ...rows])
}

function failureOf(codes: readonly ErrorCode[]): JsonSchema {
  return { allOf: [ref('Failure'), { type: 'object', properties: { code: { enum: codes.toSorted() } } }] }
}

function pathsOf(entries: readonly Entry[]): object {
  const grouped = [...Map.groupBy(entries, (entry) => entry.path)].toSorted(byKey)
  return Object.fromEntries(
    grouped.map(([path, list]) => [
      path,
      Object.fromEntries(list.map((entry) => [entry.method, entry.described] as const).toSorted(byKey)),
    ]),
  )
}

function json(schema: JsonSchema, more: object = {}): object {
  return { 'application/json': { schema, ...more } }
}

function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b)
}
