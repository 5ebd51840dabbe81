import { expect, test } from 'vitest'
import { z } from 'zod'
import { collectWarnings } from '../../src/middleware/answers.ts'
import { fakeCtx } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

const warning = z.string().optional()
const inData = z.object({ data: z.object({ text: z.string(), warning }) })
const flat = z.object({ data: z.array(z.string()) })

/** Output of an operation that warns twice while it runs. */
const answer = (output: object, shape: z.ZodObject) =>
  under(collectWarnings, async (_input, ctx) => {
    for (const text of ['One.', 'Two.']) ctx.warn(text)
    return output
  })(toy({ output: shape }), {}, fakeCtx())

test.each([
  ['in data.warning, if data has it', inData, { data: { text: 'a' } }, { data: { text: 'a', warning: 'One. Two.' } }],
  ['after an earlier one', inData, { data: { warning: 'Zero.' } }, { data: { warning: 'Zero. One. Two.' } }],
  ['at the top otherwise', flat, { data: ['a'] }, { data: ['a'], warning: 'One. Two.' }],
  ['at the top after an earlier one', flat, { data: [], warning: '0.' }, { data: [], warning: '0. One. Two.' }],
])('warnings appear %s', async (_, shape, output, expected) => {
  const before = structuredClone(output)
  expect(await answer(output, shape)).toEqual(expected)
  expect(output).toEqual(before)
})

test('warnings of one call do not reach another, nor the call around it', async () => {
  const ctx = fakeCtx()
  const noting = toy({ run: async (_input, inner) => (inner.warn('Once.'), { data: [] }), output: flat })
  const silent = toy({ run: async () => ({ data: [] }), output: flat })
  const run = under(collectWarnings)
  expect(await run(noting, {}, ctx)).toEqual({ data: [], warning: 'Once.' })
  expect(await run(silent, {}, ctx)).toEqual({ data: [] })
  expect(ctx.warnings).toEqual([])
})
