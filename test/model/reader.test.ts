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
  ['prose with an opening bracket', 'a [ b {"a": 1}', { a: 1 }],
  ['a cut answer', '{"a": 1, "b": {"c": ["x", "y', { a: 1, b: { c: ['x', 'y'] } }],
  ['single quotes, bare names and surplus commas', "{a: 'x', b: [1, 2,],}", { a: 'x', b: [1, 2] }],
  ['a fence inside a text', '{"code": "```js\\n{x}\\n```"}', { code: '```js\n{x}\n```' }],
])('JSON is found in %s', (_, text, value) => expect(firstIn(text)).toEqual(value))

test.each([
  ['nothing', ''],
  ['prose', 'Tea costs nine fifty.'],
  ['a number', '42'],
  ['a text', '"Tea"'],
])('no JSON is found in %s', (_, text) => expect([...candidates(text)]).toEqual([]))

test('a text full of brackets is read in time', () => {
  const text = `${'{"a":['.repeat(2000)} ${'[{"'.repeat(20_000)}`
  expect([...candidates(text)].length).toBeLessThan(10)
})

const closed = (properties: object) => ({ type: 'object', properties, additionalProperties: false })
const [string, number] = [{ type: 'string' }, { type: 'number' }]
const schema = closed({
  title: string,
  listPrice: number,
  rating: number,
  inStock: { type: 'boolean' },
  kind: { enum: ['tea pot', 'kettle'] },
  released: { ...string, format: 'date' },
  tags: { type: 'array', items: string },
  maker: { anyOf: [closed({ name: string, foundedIn: { type: 'integer' } }), { type: 'null' }] },
  offers: { type: 'array', items: closed({ shopName: string, price: number }) },
})
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
type Deviation = [
  what: string,
  change: { value?(fields: Fields): unknown; text?(text: string): string; lost?: keyof typeof right },
]

const keysBy =
  (rename: (name: string) => string) =>
  (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(keysBy(rename))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), keysBy(rename)(each)]))
  }
const set = (name: keyof typeof right, to: unknown) => (fields: Fields) => ({ ...fields, [name]: to })

const seen = (list: readonly object[]) => list.map((each) => ({ ...each, seen: 1 }))

const deviations: Deviation[] = [
  ['surplus keys', { value: (fields) => ({ ...fields, note: 'As seen.', offers: seen(right.offers) }) }],
  ['a number as text', { value: set('listPrice', '815.80 EUR') }],
  ['an ambiguous number', { value: set('rating', '1,299'), lost: 'rating' }],
  ['a single value for a list', { value: set('tags', 'steel') }],
  ['a list around a single value', { value: set('title', ['Whistler']) }],
  ['a choice in other case', { value: set('kind', 'Kettle') }],
  ['a boolean as text', { value: set('inStock', 'true') }],
  ['text instead of a date', { value: set('released', 'soon'), lost: 'released' }],
  ['an object instead of text', { value: set('title', { first: 'a', second: 'b' }), lost: 'title' }],
  ['keys in other case', { value: (fields) => keysBy((name) => name.toUpperCase())(fields) }],
  ['an object around it', { value: (fields) => ({ product: fields }) }],
  ['a list around it', { value: (fields) => [fields] }],
  ['a fence and prose around it', { text: (text) => `Here {it} is:\n\`\`\`json\n${text}\n\`\`\`\nDone.` }],
  ['surplus commas', { text: (text) => text.replaceAll(/(?<=[\w"\]}])(?=[\]}])/g, ',') }],
]
const separated = (name: string) => name.replace(/(?=[A-Z])/g, '_').toLowerCase()
const alone = deviations.map((each) => [each])
const pairs = deviations.flatMap((one, at) => deviations.slice(at + 1).map((other) => [one, other]))

describe.each(dialects)('an answer over %s', (dialect) => {
  const cases = (isFull ? [...alone, ...pairs] : alone).map((chosen) => {
    return [chosen.map(([what]) => what).join(' and '), chosen.map(([, change]) => change)] as const
  })

  test.each(cases)('with %s keeps each field that is valid, and gains none', async (_, changes) => {
    const value = changes.reduce<unknown>((fields, { value: change }) => change?.(fields as Fields) ?? fields, right)
    const json = JSON.stringify(keysBy(separated)(value))
    const text = changes.reduce((whole, { text: change }) => change?.(whole) ?? whole, json)
    const lost = new Set<string>(changes.flatMap(({ lost: field }) => field ?? []))
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
])('the text %s is the number %s', (text, value) => {
  expect(fitted({ rating: text }, schema)).toEqual({ rating: value ?? text })
})
