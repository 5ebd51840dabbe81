import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { droppedKeys } from '../../src/kernel/issues.ts'
import { writtenIssues } from '../helpers/issues.ts'

function issuesOf(schema: z.ZodType, value: unknown) {
  const { error } = schema.safeParse(value)
  if (!error) throw new Error('The value is valid, so there is nothing to read.')
  return writtenIssues(error)
}

describe('an issue', () => {
  test('has its path in dots and brackets, and the expected value', () => {
    const schema = z.object({ list: z.array(z.object({ size: z.int() })) })
    expect(issuesOf(schema, { list: [{ size: 1 }, { size: 'x' }] })).toEqual([
      { path: 'list[1].size', message: expect.stringMatching(/^Expected/), code: 'invalid_type' },
    ])
  })

  test('lists the choices of an enum', () => {
    const [issue] = issuesOf(z.object({ proxy: z.enum(['basic', 'auto']) }), { proxy: 'x' })
    expect(issue).toEqual({ path: 'proxy', message: 'Expected one of "basic", "auto"', code: 'invalid_value' })
  })

  test('names each unknown key separately', () => {
    const schema = z.object({ in: z.strictObject({ a: z.int() }) })
    expect(issuesOf(schema, { in: { a: 1, b: 2, c: 3 } }).map(({ path }) => path)).toEqual(['in.b', 'in.c'])
  })
})

describe('a union', () => {
  const item = z.object({ type: z.literal('json'), depth: z.int().max(3) })
  const other = z.object({ type: z.literal('shot'), quality: z.int().max(100) })
  const schema = z.object({
    formats: z.array(z.union([z.enum(['markdown', 'json']), z.discriminatedUnion('type', [item, other])])),
  })

  test('reports the fault inside the branch that was meant', () => {
    expect(issuesOf(schema, { formats: ['markdown', { type: 'shot', quality: 101 }] })).toEqual([
      { path: 'formats[1].quality', message: expect.stringContaining('100'), code: 'too_big' },
    ])
  })

  test('with an unknown kind points at the kind and lists the known ones', () => {
    const [issue, ...more] = issuesOf(schema, { formats: [{ type: 'x' }] })
    expect(more).toEqual([])
    expect(issue?.path).toBe('formats[0].type')
    expect(issue?.message).toMatch(/json.*shot/)
  })

  test('that matches no branch lists every choice, at the value', () => {
    const [issue, ...more] = issuesOf(schema, { formats: [5] })
    expect(more).toEqual([])
    expect(issue?.path).toBe('formats[0]')
    expect(issue?.message).toMatch(/"markdown", "json".*, or .*object/)
  })
})

describe('droppedKeys', () => {
  const schema = z.object({
    url: z.string(),
    options: z.object({ deep: z.object({ a: z.int() }) }).optional(),
    list: z.array(z.object({ a: z.int() })).optional(),
    free: z.record(z.string(), z.string()).optional(),
    later: z.string().default('x'),
  })
  const dropped = (sent: object) => droppedKeys(sent, schema.parse(sent)).map(({ path }) => path)

  test.each([
    ['no known keys', { url: 'a' }, []],
    ['an unknown key', { url: 'a', new: 1 }, ['new']],
    ['nested keys', { url: 'a', options: { deep: { a: 1, b: 2 }, c: 3 } }, ['options.deep.b', 'options.c']],
    ['a key in a list', { url: 'a', list: [{ a: 1 }, { a: 1, b: 2 }] }, ['list[1].b']],
    ['no keys of a record', { url: 'a', free: { any: 'x' } }, []],
    ['no undefined key', { url: 'a', new: undefined }, []],
    ['a key that is null', { url: 'a', new: null }, ['new']],
    [
      'a key that every object inherits',
      JSON.parse('{"url":"a","constructor":1,"__proto__":{"a":1}}'),
      ['constructor', '__proto__'],
    ],
  ])('returns %s', (_, sent, expected) => expect(dropped(sent as object)).toEqual(expected))

  test('does not search values that are returned unchanged, however deeply nested', () => {
    const free = z.object({ schema: z.record(z.string(), z.unknown()) })
    const sent = JSON.parse(`{"schema":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`) as object
    expect(droppedKeys(sent, free.parse(sent))).toEqual([])
  })

  test('does not search a value that was converted', () => {
    const turned = z.object({ size: z.object({ w: z.int() }).transform(({ w }) => w) })
    const sent = { size: { w: 1 } }
    expect(droppedKeys(sent, turned.parse(sent))).toEqual([])
  })
})
