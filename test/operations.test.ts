import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from '../src/app/config.ts'
import { envNameOf } from '../src/app/read-config.ts'
import { errors } from '../src/kernel/error-table.ts'
import type { ErrorCode } from '../src/kernel/error.ts'
import { droppedKeys } from '../src/kernel/issues.ts'
import {
  type AnyOperation,
  defineOperations,
  errorsOf,
  partsOf,
  takesIdempotencyKey,
  type Operation,
  type Route,
} from '../src/kernel/operation.ts'
import { permissions, endpoints } from '../src/schema/team.ts'
import { functionName } from '../src/kernel/offer.ts'
import { createRouter, slotsOf } from '../src/kernel/route.ts'
import { activity } from '../src/operations/account.ts'
import { batchCancel } from '../src/operations/crawl.ts'
import { operations, tools } from '../src/operations/index.ts'

const root = resolve(import.meta.dirname, '..')
const source = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => ({
    file: file.replaceAll('\\', '/'),
    text: readFileSync(join(root, file), 'utf8'),
  }))
const named = operations.map((operation): [string, AnyOperation] => [operation.name, operation])
const twice = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index)
const routesOf = ({ route, aliases = [] }: AnyOperation): Route[] => [route, ...aliases]

describe('the registry', () => {
  test('contains each operation of the folder, exported under its own name', () => {
    const exported = source('src/operations/*.ts').flatMap(({ text }) =>
      [...text.matchAll(/^export const (\w+) = defineOperation\(\{[^]*?^  name: '(\w+)'/gm)].map(([, as, name]) => [
        as,
        name,
      ]),
    )
    expect(exported.length).toBeGreaterThan(5)
    expect(operations.map(({ name }) => [functionName(name), name])).toEqual(
      exported.toSorted(([, one = ''], [, other = '']) => (one < other ? -1 : 1)),
    )
  })

  test('has no name and no route twice, whatever the names of the slots', () => {
    expect(twice(operations.map(({ name }) => name))).toEqual([])
    expect(twice(operations.map(({ title }) => title))).toEqual([])
    expect(twice(operations.flatMap(routesOf).map((route) => route.replace(/:\w+/g, ':')))).toEqual([])
  })

  test('does not compile if no operation uses one of the errors, permissions or endpoints', () => {
    // @ts-expect-error -- these two use few of the errors
    expect(defineOperations([activity, batchCancel])).toEqual([activity, batchCancel])
  })

  test('has at most 22 tools, so that agents choose well', () => {
    expect(tools.length).toBeGreaterThan(0)
    expect(tools.length).toBeLessThanOrEqual(22)
  })
})

describe.each(named)('%s', (name, operation) => {
  const { input, output, about, example, title } = operation

  test('has a name that every client accepts', () => expect(name).toMatch(/^[a-z][a-z0-9_]{2,39}$/))

  test('has a title, and a short description with a short first sentence', () => {
    expect(title).toMatch(/^[A-Z].{2,59}[^.]$/)
    expect(about.length).toBeLessThanOrEqual(600)
    const [first] = about.split(/(?<=\.) /)
    expect(first).toMatch(/^[A-Z].*\.$/)
    expect(first?.length).toBeLessThanOrEqual(120)
  })

  test('describes every field of its input, over REST and as agents see it', () => {
    const shapes = [input.shape, operation.mcp ? (operation.mcp.arguments?.shape ?? {}) : {}]
    const silent = shapes.flatMap((shape) =>
      Object.entries(shape).flatMap(([field, schema]) =>
        (schema as { description?: string }).description ? [] : field,
      ),
    )
    expect(silent).toEqual([])
  })

  test('has a valid example without unknown fields', () => {
    const { data, error } = input.safeParse(example)
    expect(error?.issues ?? []).toEqual([])
    expect(droppedKeys(example, data)).toEqual([])
  })

  test('is found by its routes, whose slots are fields of its input', () => {
    const router = createRouter(operations)
    for (const route of routesOf(operation)) {
      expect(slotsOf(route).filter((slot) => !(slot in input.shape))).toEqual([])
      const { method, template } = partsOf(route)
      const path = template.replace(/:(\w+)/g, (_, slot: string) => String((example as Record<string, unknown>)[slot]))
      expect(router(method, new URL(path, 'http://127.0.0.1'))).toMatchObject({ operation: { name } })
    }
  })

  test('lists errors of the table, each once', () => {
    expect(operation.errors.filter((code) => !Object.hasOwn(errors, code))).toEqual([])
    expect(twice(operation.errors)).toEqual([])
  })

  test('lists the errors of the middleware that it needs, and no others', () => {
    const ofMiddleware: [ErrorCode, keyof Operation<object, object>][] = [
      ['PERMISSION_REQUIRED', 'permissions'],
      ['INSUFFICIENT_CREDITS', 'price'],
      ['RATE_LIMITED', 'job'],
      ['QUEUE_FULL', 'limitMs'],
      ['SCRAPE_TIMEOUT', 'limitMs'],
      ['REQUEST_CANCELLED', 'limitMs'],
    ]
    for (const [code, field] of ofMiddleware)
      expect([code, errorsOf(operation).includes(code)]).toEqual([code, field in operation])
    expect(errorsOf(operation).includes('IDEMPOTENCY_KEY_REUSED')).toBe(takesIdempotencyKey(operation))
  })

  test('does not return a field that the surface adds', () => {
    expect(Object.keys(output.shape)).not.toContain('success')
  })

  test('declares its job if it is one, and only then costs something or takes a slot', () => {
    if (operation.job) expect(endpoints).toContain(operation.job.endpoint)
    else expect([operation.price, operation.limitMs]).toEqual([undefined, undefined])
  })

  test('requires existing permissions only', () => {
    const required = operation.permissions?.(input.parse(example)) ?? []
    expect(required.filter((permission) => ![...permissions, 'admin'].includes(permission))).toEqual([])
  })

  test('has a resource whose slots are fields of its input', () => {
    const template = (operation.mcp && operation.mcp.resource?.template) || ''
    expect([...template.matchAll(/\{(\w+)\}/g)].filter(([, slot]) => !Object.hasOwn(input.shape, slot ?? ''))).toEqual(
      [],
    )
  })

  test('accepts its REST input over MCP too', () => {
    const toInput = (operation.mcp && operation.mcp.toInput) || ((args: Record<string, unknown>) => args)
    expect(toInput({ ...example })).toEqual(example)
  })
})

describe('an error of the table', () => {
  const thrown = source('src/**/*.ts').flatMap(({ text }) => [...text.matchAll(/\bfail(?:ure)?\(\s*'([A-Z_]+)'/g)])
  const inEngine = source('src/engine/**/*.ts').flatMap(({ text }) => [...text.matchAll(/'(SCRAPE_[A-Z_]+)'/g)])
  const raised = new Set([...thrown, ...inEngine].map(([, code]) => code))

  test.each(Object.keys(errors) as ErrorCode[])('%s is raised', (code) => expect([...raised]).toContain(code))

  test('is named by every failure in the source', () => {
    expect([...raised].filter((code) => !Object.hasOwn(errors, code!))).toEqual([])
  })

  test('is listed by scrape if the engine raises it for a scrape', () => {
    const ofScrape: readonly ErrorCode[] = operations.find(({ name }) => name === 'scrape')!.errors
    const codes = [...new Set(inEngine.map(([, code]) => code as ErrorCode))]
    expect(codes.length).toBeGreaterThan(8)
    expect(codes.filter((code) => !ofScrape.includes(code))).toEqual([])
  })
})

describe('a tool', () => {
  test('has a description without URLs', () => {
    expect(tools.every(({ about, title }) => !/https?:\/\//.test(about + title))).toBe(true)
  })

  test('named in its text exists', () => {
    const names = new Set(tools.map(({ name }) => name))
    const called = [...tools.map(({ about }) => about), ...Object.values(errors).map(({ hint }) => hint)]
      .flatMap((text) => [...text.matchAll(/\b[a-z]+_[a-z_]+\b/g)])
      .map(([word]) => word)
    expect(called.filter((word) => !names.has(word))).toEqual([])
  })
})

test('a hint names existing settings and fields only', () => {
  const fields = operations.flatMap(({ input }) => Object.keys(input.shape))
  const known = new Set([...Object.keys(settings), ...Object.keys(settings).map(envNameOf), ...fields])
  const words = Object.values(errors).flatMap(
    ({ hint }) => hint.match(/\b[a-z]+[A-Z]\w+|\bGOSSAMER_\w+|\b\w+(?= setting)/g) ?? [],
  )
  expect(words.length).toBeGreaterThan(5)
  expect(words.filter((word) => !known.has(word))).toEqual([])
})
