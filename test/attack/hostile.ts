import * as fc from 'fast-check'

/** The seed of this run, which vitest.config.ts draws. */
export const seed = Number(process.env['GOSSAMER_TEST_SEED'])
/** Set by `npm run test:full`: all random inputs are tried, and every operation is called over every transport. */
export const isFull = process.env['GOSSAMER_TEST_FULL'] === '1'
/** Returns every nth case, starting at a random one; all cases in a full run. `turn` shifts the start. */
export const drawn = <T>(all: readonly T[], of = 2, turn = 0): T[] =>
  all.filter((_, at) => isFull || (at + turn + seed) % of === 0)
export const parameters = (draws: number) => ({
  seed,
  numRuns: isFull ? draws : Math.ceil(draws / 8),
  interruptAfterTimeLimit: 40_000,
})

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  '0',
  'then',
  'toJSON',
]

/** Texts with a special meaning for a layer that they pass through, such as a URL, a path, HTML or SQL. */
const texts = [
  '\u0000',
  '\u001b[2J\u0007',
  '\ud800',
  '\u202e\u2066',
  '\u{e0041}\u{e0042}',
  '\ufeff',
  '\u2060',
  '..',
  '../../etc/passwd',
  'http://[::1',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://a.example/%',
  '%00',
  '{{7*7}}',
  "' OR 1=1 --",
  '</untrusted123456>',
  '$&$1',
  '(?:a+)+$',
  'a@b:c',
  '-1',
  '1e309',
  'null',
  'undefined',
  'NaN',
  '[object Object]',
  '\r\nX-A: b',
  'https://example.com/',
  'markdown',
  '0190c2a0-0000-7000-8000-000000000000',
] as const

const text = fc.oneof(
  fc.constantFrom(...texts, ...names),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .tuple(fc.constantFrom('a', '\u0000', '\ud83d', '(', '/', '%', '9', ' '), fc.constantFrom(100, 3000, 60_000))
    .map(([character, count]) => character.repeat(count)),
)
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, -1, 1e308, 2 ** 53, 5e-324),
)
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null))
const key = fc.oneof(fc.constantFrom(...names), text)

/** Objects that may have a field `__proto__`, as JSON.parse creates it. */
const objectOf = (value: fc.Arbitrary<unknown>, maxLength: number) =>
  fc.array(fc.tuple(key, value), { maxLength }).map((entries) => {
    const object: Record<string, unknown> = {}
    for (const [name, entry] of entries)
      Object.defineProperty(object, name, { value: entry, enumerable: true, writable: true, configurable: true })
    return object
  })

const nested = fc.tuple(fc.integer({ min: 2, max: 200 }), fc.boolean(), scalar).map(([levels, isList, inner]) => {
  let value: unknown = inner
  for (let level = 0; level < levels; level += 1) value = isList ? [value] : { a: value }
  return value
})
/** Maximum length of a list of this item, so that no input has many megabytes, which other tests cover. */
const maxOf = (item: unknown) =>
  typeof item === 'string' ? Math.max(2, Math.floor(300_000 / (item.length + 1))) : Infinity
const huge = fc
  .tuple(fc.oneof(scalar, fc.constant({}), fc.constant([])), fc.integer({ min: 20, max: 1500 }))
  .map(([item, count]) => Array.from({ length: Math.min(count, maxOf(item)) }, () => item))

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('tree'), { maxLength: 5 }),
    objectOf(tie('tree'), 5),
  ),
}))

export const anyJson: fc.Arbitrary<unknown> = fc.oneof({ arbitrary: tree, weight: 5 }, nested, huge)

/** Valid inputs in which some fields, present or not, are replaced by any JSON. */
export function spoilt(example: object, fields: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const place = fc.array(fc.oneof(fc.constantFrom(...fields, ...Object.keys(example), 'type', '0'), key), {
    minLength: 1,
    maxLength: 3,
  })
  return fc.array(fc.tuple(place, anyJson), { minLength: 1, maxLength: 3 }).map((changes) => {
    const input = structuredClone(example) as Record<string, unknown>
    for (const [path, value] of changes) put(input, path, value)
    return input
  })
}

function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  const held = Object.hasOwn(target, name) ? target[name] : undefined
  const isDeeper = rest.length > 0 && typeof held === 'object' && held !== null
  // A list in JSON has items only.
  if (Array.isArray(target) && !/^\d+$/.test(name)) return
  if (isDeeper) put(held as Record<string, unknown>, rest, value)
  else Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
}
