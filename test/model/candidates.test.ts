import { expect, test } from 'vitest'
import { candidates } from '../../src/engine/model/json/read-answer.ts'

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
