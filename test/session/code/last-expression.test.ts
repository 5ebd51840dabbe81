import { expect, test } from 'vitest'
import { returningLast } from '../../../src/engine/code/child/last-expression.ts'

const valueOf = (code: string): Promise<unknown> =>
  // oxlint-disable-next-line no-implied-eval, no-new-func -- code of the test
  (new Function(`return (async () => {${returningLast(code)}\n})()`) as () => Promise<unknown>)()

test.each([
  ['1 + 1', 2],
  ['const a = 2\na * 3 // six', 6],
  ['[3, 1, 2]\n  .sort()\n  .at(0)', 1],
  ['await Promise.resolve(5)', 5],
  ['function f() { return 6 }\nf()', 6],
  ['`a${1 + 1}b`', 'a2b'],
  ['const r = /[;"/]/; r.test(";")', true],
  ['(async () => {\n  return 7\n})()', 7],
  ['const x = 1\n\n/* done */\n', undefined],
  ['if (true) { 5 }', undefined],
  ['return 9', 9],
  ['class A {}', undefined],
  ['', undefined],
  ['// nothing', undefined],
])('the value of %j is %j', async (code, value) => expect(await valueOf(code)).toEqual(value))

test('code that cannot be parsed stays unchanged', () => {
  for (const code of ['const = 1', '1); f(2', 'a b']) expect(returningLast(code)).toBe(code)
})

test('line numbers stay unchanged', () => expect(returningLast('const a = 1\n\na').split('\n')[2]).toContain('a'))
