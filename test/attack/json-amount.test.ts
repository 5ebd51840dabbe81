import { expect, test } from 'vitest'
import { jsonExcess } from '../../src/util/json.ts'

const excess = (text: string) =>
  jsonExcess(Buffer.from(text), { depth: 3, containers: 4, keys: 2, values: 2 })?.split(' ').slice(-3).join(' ')

test.each([
  ['{"a":[{"b":1}]}', undefined],
  ['[[[1]]]', undefined],
  ['[[[[1]]]]', '3 levels deep'],
  ['[[],[],[]]', undefined],
  ['[[[]],[[]]]', 'objects and lists'],
  ['{"a":1,"b":2,"c":3}', 'than 2 fields'],
  ['[1,2,3,4]', 'than 2 values'],
  ['["[[[[[[", "}}}}::,,,"]', undefined],
  [String.raw`["\"[[[[[,,,", "\\"]`, undefined],
  [String.raw`["\\",[[[[]]]]]`, '3 levels deep'],
  // Text that is not JSON.
  ['"[[[[[[', undefined],
  [String.raw`"\u`, undefined],
  ['"\\', undefined],
  [']]]][[[[', undefined],
  ['', undefined],
])('%s exceeds the limit: %s', (text, limit) => expect(excess(text)).toBe(limit))
