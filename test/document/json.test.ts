import { expect, test } from 'vitest'
import { readJson, readNdjson } from '../../src/engine/document/text/notebook.ts'
import { converted } from './converting.ts'

const bodyOf = (markdown: string) => markdown.replace(/^```json\n/, '').replace(/\n```\n$/, '')
const written = async (json: string) => bodyOf((await converted(readJson, json)).markdown)

test.each([
  '{"a":1,"b":[true,null,"x"],"c":{}}',
  '[]',
  '[[],[[]],{"a":[]}]',
  String.raw`{"a\"b":"c\\","d":"{,:[","e":"\\\""}`,
  '"text"',
  ' { "spaced" : [ 1 , 2 ] } ',
  '{"ж":"日本"}',
])('indents %s like JSON.stringify', async (json) => {
  expect(await written(json)).toBe(JSON.stringify(JSON.parse(json), null, 2))
})

test('JSON numbers stay unchanged', async () => {
  const numbers = ['12345678901234567890', '1.10', '-0', '1E400', '0.1000000000000000055']
  expect(await written(`[${numbers.join(',')}]`)).toBe(`[\n  ${numbers.join(',\n  ')}\n]`)
})

test.each([
  ['that has lines already', '{"a":\n1}'],
  ['that is broken', '{"a":[1,2'],
  ['that is nested very deeply', '['.repeat(5000) + ']'.repeat(5000)],
  ['that is very long', JSON.stringify(Array.from({ length: 100_000 }, (_, at) => `text ${at}`))],
])('keeps JSON %s unchanged', async (_, json) => {
  expect(await written(json)).toBe(json)
})

test('JSON lines stay lines', async () => {
  const { markdown } = await converted(readNdjson, '{"a":1}\n{"a":2}\n\n')
  expect(markdown).toBe('```json\n{"a":1}\n{"a":2}\n```\n')
})

test('a JSON text sequence loses its separators', async () => {
  expect((await converted(readNdjson, '\u001e{"a":1}\n\u001e{"a":2}\n')).markdown).toBe(
    '```json\n{"a":1}\n{"a":2}\n```\n',
  )
})
