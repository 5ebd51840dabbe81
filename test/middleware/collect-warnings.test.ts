import { expect, test } from 'vitest'
import { z } from 'zod'
import { collectWarnings } from '../../src/middleware/answers.ts'
import { fakeCtx } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

const warning = z.string().optional()
const inData = z.object({ data: z.object({ text: z.string(), warning }) })
const flat = z.object({ data: z.array(z.string()) })

/** The answer of an operation that takes the notes while it runs. */
const answer = (output: object, notes: string[], shape: z.ZodObject) =>
  under(collectWarnings, async (_input, ctx) => {
    for (const note of notes) ctx.warn(note)
    return output
  })(toy({ output: shape }), {}, fakeCtx())

test.each([
  [
    'in data where the answer has a warning there',
    { data: { text: 'a' } },
    inData,
    { data: { text: 'a', warning: 'One. Two.' } },
  ],
  [
    'behind an earlier warning',
    { data: { text: 'a', warning: 'Zero.' } },
    inData,
    { data: { text: 'a', warning: 'Zero. One. Two.' } },
  ],
  ['at the top otherwise', { data: ['a'] }, flat, { data: ['a'], warning: 'One. Two.' }],
  [
    'at the top, behind an earlier warning',
    { data: [], warning: 'Zero.' },
    flat,
    { data: [], warning: 'Zero. One. Two.' },
  ],
])('notes appear %s', async (_, output, shape, expected) => {
  const before = structuredClone(output)
  expect(await answer(output, ['One.', 'Two.'], shape)).toEqual(expected)
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
