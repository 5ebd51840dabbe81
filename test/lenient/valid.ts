import * as fc from 'fast-check'
import { droppedKeys } from '../../src/kernel/issues.ts'
import { inputSchema, type JsonSchema } from '../../src/kernel/json-schema.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'

type Any = fc.Arbitrary<unknown>

/** Rules that schemas state only in descriptions, by field name. */
const named: Readonly<Record<string, Any>> = {
  url: fc.constantFrom('https://example.com', 'example.com/a,b', ' http://example.org/?q="5" ', 'localhost:3000'),
  urls: fc.array(fc.constantFrom('https://example.com', 'https://example.org/a, b', 'true'), {
    minLength: 1,
    maxLength: 3,
  }),
  country: fc.constantFrom('de', 'US'),
  languages: fc.array(fc.constantFrom('de', 'en_US'), { maxLength: 2 }),
  includeDomains: fc.constant([' Example.com ']),
  headers: fc.dictionary(fc.constantFrom('X-Max_Pages', 'limit', 'only_main_content'), texts()),
  metadata: fc.dictionary(texts(), fc.jsonValue(), { maxKeys: 3 }),
  schema: fc.constant({ type: 'object', properties: { max_pages: { type: 'number', default: '5' }, ID: null } }),
  requestsPerMinute: fc.constant({ crawl: 5, '*': 9 }),
  events: fc.constant(['page']),
  permissions: fc.constant([]),
  base64: fc.constant('bmFtZQ=='),
  // `@e13` is meant to be read as e13.
  target: fc.constantFrom('e13', ' Save ', 'button "true"'),
  to: fc.constantFrom('e13', 'Basket'),
  scope: fc.constant('e5'),
  code: fc.constantFrom('await page.title()', 'const f = () => 1\nf()', 'print("```")', '5'),
}

/** Texts that a field of another type would coerce. */
function texts(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('5', 'true', ' null', 'a, b', '[1]', '{"max_pages": "5"}', 'MARKDOWN', 'js', '`x`', 'a_b', '@e13'),
    fc.string({ minLength: 1, maxLength: 12 }),
  )
}

/** Valid inputs of an operation with many of its fields, and no unknown ones. */
export function validInputs(operation: AnyOperation): fc.Arbitrary<Record<string, unknown>> {
  const root = inputSchema(operation)
  const { required = [] } = root
  const made = objects(root, root).map((input) => {
    const example = operation.example as Record<string, unknown>
    const missing = required.filter((name) => input[name] === undefined)
    return { ...Object.fromEntries(missing.map((name) => [name, example[name]])), ...input }
  })
  // Few inputs with many fields obey the rules between fields, so the example with one more field is tried too.
  const alone = made.map((input): Record<string, unknown> => {
    const [name = '', value] = Object.entries(input).at(-1) ?? []
    return { ...operation.example, ...(value !== undefined && { [name]: value }) }
  })
  return fc.oneof(made, alone).filter((input) => isValid(operation, input))
}

function isValid({ input: schema }: AnyOperation, input: object): boolean {
  const { success, data } = schema.safeParse(input)
  return success && droppedKeys(input, data).length === 0
}

function objects(schema: JsonSchema, root: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    named[name] && Object.hasOwn(named, name) ? named[name] : valuesOf(field, root),
  ])
  return fc
    .record(Object.fromEntries(fields) as Record<string, Any>, { requiredKeys: required })
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)))
}

function valuesOf(schema: JsonSchema, root: JsonSchema): Any {
  const { $ref, anyOf, oneOf, enum: options, type, items } = schema
  if ($ref !== undefined) return valuesOf(root.$defs?.[$ref.replace('#/$defs/', '')] ?? {}, root)
  const branches = anyOf ?? oneOf
  if (branches) return fc.oneof(...branches.map((branch) => valuesOf(branch, root)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (options) return fc.constantFrom(...options)
  if (type === 'object') return objects(schema, root)
  if (type === 'array') return fc.array(valuesOf(items ?? {}, root), { minLength: schema.minItems ?? 0, maxLength: 3 })
  return scalars(schema)
}

function scalars({ type, format, minimum, exclusiveMinimum, maximum }: JsonSchema): Any {
  const least = Math.ceil(Math.max(minimum ?? 0, exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1))
  if (type === 'integer') return fc.integer({ min: least, max: Math.max(least, Math.min(maximum ?? 1e6, least + 1e6)) })
  if (type === 'number') return fc.integer({ min: least, max: Math.max(least, Math.min(maximum ?? 100, 1000)) })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === undefined) return fc.jsonValue()
  return format === 'uuid' ? fc.uuid() : texts()
}
