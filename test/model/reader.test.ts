import { describe, expect, test } from 'vitest'
import { fitted } from '../../src/engine/model/json/fit-answer.ts'
import { candidates } from '../../src/engine/model/json/read-answer.ts'
import { isFull } from '../attack/hostile.ts'
import { gives, says } from '../helpers/model-server.ts'
import { dialects, modelAt, request } from './kit.ts'

const start = modelAt()

const firstIn = (text: string) => candidates(text).next().value

test.each([
  ['JSON alone', '{"a": [1, {"b": "}"}]}', { a: [1, { b: '}' }] }],
  ['a list', ' [1, 2] ', [1, 2]],
  ['a fence', 'Here:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
  ['a fence that never closes', '```\n{"a": 1}', { a: 1 }],
  ['prose around it', 'The {thing} is {"a": "\\"}"} and [so on].', { a: '"}' }],
  ['an opening bracket in prose', 'a [ b {"a": 1}', { a: 1 }],
  ['an answer that was cut', '{"a": 1, "b": {"c": ["x", "y', { a: 1, b: { c: ['x', 'y'] } }],
  ['single quotes, bare names and commas too many', "{a: 'x', b: [1, 2,],}", { a: 'x', b: [1, 2] }],
  ['a fence inside a text', '{"code": "```js\\n{x}\\n```"}', { code: '```js\n{x}\n```' }],
])('JSON is found in %s', (_, text, value) => {
  expect(firstIn(text)).toEqual(value)
})

test.each([
  ['nothing', ''],
  ['prose', 'Tea costs nine fifty.'],
  ['a number', '42'],
  ['a text', '"Tea"'],
])('no JSON is found in %s', (_, text) => {
  expect([...candidates(text)]).toEqual([])
})

test('a text full of brackets is read in time', () => {
  const text = `${'{"a":['.repeat(2000)} ${'[{"'.repeat(20_000)}`
  expect([...candidates(text)].length).toBeLessThan(10)
})

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    listPrice: { type: 'number' },
    rating: { type: 'number' },
    inStock: { type: 'boolean' },
    kind: { enum: ['tea pot', 'kettle'] },
    released: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string' } },
    maker: {
      anyOf: [
        {
          type: 'object',
          properties: { name: { type: 'string' }, foundedIn: { type: 'integer' } },
          additionalProperties: false,
        },
        { type: 'null' },
      ],
    },
    offers: {
      type: 'array',
      items: {
        type: 'object',
        properties: { shopName: { type: 'string' }, price: { type: 'number' } },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}
const right = {
  title: 'Whistler',
  listPrice: 815.8,
  rating: 4.5,
  inStock: true,
  kind: 'kettle',
  released: '2026-03-01',
  tags: ['steel'],
  maker: { name: 'Acme', foundedIn: 1901 },
  offers: [
    { shopName: 'North', price: 799 },
    { shopName: 'South', price: 805.5 },
  ],
}
type Fields = Record<string, unknown>
type Deviation = {
  what: string
  value?(fields: Fields): unknown
  text?(text: string): string
  lost?: keyof typeof right
}

const keysBy =
  (rename: (name: string) => string) =>
  (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(keysBy(rename))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), keysBy(rename)(each)]))
  }
const set = (name: keyof typeof right, to: unknown) => (fields: Fields) => ({ ...fields, [name]: to })

const deviations: Deviation[] = [
  {
    what: 'surplus keys',
    value: (fields) => ({ ...fields, note: 'As seen.', offers: right.offers.map((each) => ({ ...each, seen: 1 })) }),
  },
  { what: 'a number as text', value: set('listPrice', '815.80 EUR') },
  { what: 'an ambiguous number', value: set('rating', '1,299'), lost: 'rating' },
  { what: 'a single value for a list', value: set('tags', 'steel') },
  { what: 'a list around a single value', value: set('title', ['Whistler']) },
  { what: 'a choice in other letters', value: set('kind', 'Kettle') },
  { what: 'a truth as text', value: set('inStock', 'true') },
  { what: 'text in place of a date', value: set('released', 'soon'), lost: 'released' },
  { what: 'an object for a text', value: set('title', { first: 'a', second: 'b' }), lost: 'title' },
  { what: 'keys in other case', value: (fields) => keysBy((name) => name.toUpperCase())(fields) },
  { what: 'an object around it', value: (fields) => ({ product: fields }) },
  { what: 'a list around it', value: (fields) => [fields] },
  {
    what: 'a fence and prose around it',
    text: (text) => `Here is what {the page} says:\n\`\`\`json\n${text}\n\`\`\`\nDone.`,
  },
  { what: 'commas too many', text: (text) => text.replaceAll(/(?<=[\w"\]}])(?=[\]}])/g, ',') },
]
const separated = (name: string) => name.replace(/(?=[A-Z])/g, '_').toLowerCase()
const alone = deviations.map((each) => [each])
const pairs = deviations.flatMap((one, at) => deviations.slice(at + 1).map((other) => [one, other]))

describe.each(dialects)('an answer over %s', (dialect) => {
  test.each(
    (isFull ? [...alone, ...pairs] : alone).map((each) => [each.map(({ what }) => what).join(' and '), each] as const),
  )('with %s keeps each field that is valid, and gains none', async (_, chosen) => {
    const value = chosen.reduce<unknown>((fields, { value: change }) => change?.(fields as Fields) ?? fields, right)
    const text = chosen.reduce(
      (whole, { text: change }) => change?.(whole) ?? whole,
      JSON.stringify(keysBy(separated)(value)),
    )
    const lost = new Set<string>(chosen.flatMap(({ lost: field }) => field ?? []))
    const { model, calls } = start(dialect, () => says(text))
    const answer = await model.object({ ...request(), schema })
    expect(answer.value).toEqual(Object.fromEntries(Object.entries(right).filter(([name]) => !lost.has(name))))
    expect(answer.unreadable?.toSorted()).toEqual([...lost].toSorted())
    expect(calls.length).toBe(1)
  })
})

test('an answer without a valid field is requested again, once, with the reason', async () => {
  const { model, calls } = start('openai', (_, nth) => gives(nth === 1 ? { title: { a: 1, b: 2 } } : right))
  expect((await model.object({ ...request(), schema })).value).toEqual(right)
  expect(calls[1]?.prompt).toContain('/title: must be string')
})

test.each([
  ['815.80 EUR', 815.8],
  ['€ 1.299,00', 1299],
  ['1 299', 1299],
  ['-3', -3],
  ['0,125', 0.125],
  ['1,299', undefined],
  ['1.299 €', undefined],
  ['3 million', undefined],
  ['10-12', undefined],
])('the text %s is the number %s', (text, number) => {
  expect(fitted({ rating: text }, schema)).toEqual({ rating: number ?? text })
})
