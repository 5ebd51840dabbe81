import { describe, expect, test } from 'vitest'
import { inputSchema, type JsonSchema } from '../../src/kernel/json-schema.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { compose } from '../../src/kernel/invoke.ts'
import { readLeniently, validate } from '../../src/middleware/check-input.ts'
import { operations } from '../../src/operations/index.ts'
import { fakeCtx } from '../helpers/fakes.ts'

/** Of each type, what is surely not it. */
const wrong: Readonly<Record<string, readonly unknown[]>> = {
  boolean: ['yes', 'true', 1, 0, {}, [], null],
  integer: ['7', 'NaN', 1.5, 1e308, true, {}, [], null],
  number: ['7', 'NaN', true, {}, [], null],
  string: [1, true, {}, [], [['a']], null],
  array: ['a', 1, {}, true],
  object: ['a', 1, [], true],
}
/** By the names of fields: what their type allows and their meaning does not. */
const meaningless: Readonly<Record<string, readonly unknown[]>> = {
  url: ['http://[::1', 'javascript:alert(1)', 'file:///etc/passwd', 'not a url', 'https://'],
  country: ['ZZ', 'XA', 'QQ', '??', 'USA', '12'],
  languages: [['not a language!'], [''], ['e'], ['-']],
  location: [{ country: 'ZZ' }, { languages: ['??'] }],
  // Whether a pattern is valid is told where it is used, test/crawl/scope/patterns.test.ts.
  includePaths: [['  ']],
  includeTags: [['  ']],
  profile: [{ name: ' \t' }, { name: '' }, {}],
  webhook: ['nowhere', 'ftp://a.example/', { url: 'https://a.example/', events: ['surely not'] }],
  formats: [['surely not'], [{ type: 'surely not' }], [{}], [['markdown']], [{ type: 'screenshot', quality: 900 }]],
  includeDomains: [['no spaces allowed'], ['https://a.example/path'], ['.']],
  startDate: ['2025-13-45', 'yesterday'],
}

const resolve = (schema: JsonSchema, root: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : root.$defs![schema.$ref.replace('#/$defs/', '')]!

/** What no field of that schema takes; where several types are taken, only what its name says. */
function invalidFor(name: string, { type, enum: options, minimum, maximum, minLength }: JsonSchema): unknown[] {
  return [
    ...(typeof type === 'string' ? (wrong[type] ?? []) : []),
    ...(meaningless[name] ?? []),
    ...(options === undefined ? [] : ['surely not', '']),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...((minLength ?? 0) > 0 ? ['', '  \t\n'] : []),
  ]
}

function casesOf(operation: AnyOperation): [field: string, value: unknown][] {
  const root = inputSchema(operation)
  return Object.entries(root.properties ?? {}).flatMap(([name, field]) =>
    invalidFor(name, resolve(field, root)).map((value): [string, unknown] => [name, value]),
  )
}

const takes = (operation: AnyOperation, field: string, value: unknown) =>
  operation.input.safeParse({ ...operation.example, [field]: value }).success

describe.each(operations.map((operation): [string, AnyOperation] => [operation.name, operation]))(
  '%s',
  (_name, operation) => {
    test('takes its example', () => expect(operation.input.safeParse(operation.example).success).toBe(true))

    test('takes nothing that is surely invalid', () => {
      const taken = casesOf(operation).filter(([field, value]) => takes(operation, field, value))
      expect(taken).toEqual([])
    })
  },
)

test('what many write otherwise is read as it is meant', () => {
  const { input } = operations.find(({ name }) => name === 'scrape')!
  const location = { country: 'de', languages: ['de_AT', 'en', '*'] }
  expect(input.parse({ url: 'example.com', location })).toMatchObject({
    url: 'http://example.com',
    location: { country: 'DE', languages: ['de-AT', 'en', '*'] },
  })
})

test('an object that only looks like a list is refused, though its length can be compared with nothing', async () => {
  const batch = operations.find(({ name }) => name === 'batch_scrape')!
  const input = { ...batch.example, excludeTags: [{ length: { toString: null } }] }
  const ctx = fakeCtx()
  await expect(compose([readLeniently, validate])(batch, input, ctx)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
