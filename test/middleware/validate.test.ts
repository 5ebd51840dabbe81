import { describe, expect, test } from 'vitest'
import { validateOnly } from '../../src/middleware/check-input.ts'
import { validate } from '../../src/middleware/pipeline.ts'
import { failureOf, fakeCtx } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

describe('a validated operation', () => {
  test('receives parsed input with defaults', async () => {
    expect(await under(validate)(toy(), { text: 'a' }, fakeCtx())).toEqual({ got: { text: 'a', times: 1 } })
  })

  test('refuses invalid input with every fault, and does not run', async () => {
    let runs = 0
    const operation = toy({ run: async () => ({ runs: ++runs }) })
    const error = await failureOf(under(validate)(operation, { times: 'x' }, fakeCtx()))
    expect(error).toMatchObject({ code: 'BAD_REQUEST', status: 400 })
    expect((error as { details: { path: string[] }[] }).details.map(({ path }) => path)).toEqual([['text'], ['times']])
    expect(runs).toBe(0)
  })

  const unknown = { text: 'a', extra: 1, deep: { list: [{ a: 1 }, { a: 2, b: 3 }], more: true } }

  test('drops unknown fields at any depth with a warning', async () => {
    const ctx = fakeCtx()
    const { got } = (await under(validate)(toy(), unknown, ctx)) as { got: unknown }
    expect(got).toEqual({ text: 'a', times: 1, deep: { list: [{ a: 1 }, { a: 2 }] } })
    expect(ctx.warnings).toEqual(['Ignored unknown fields: extra, deep.list[1].b, deep.more.'])
  })

  test.each([
    ['in the wrong place', { deep: { list: [], zeroDataRetention: true } }, 'deep.zeroDataRetention'],
    ['in another spelling', { zero_data_retention: true }, 'zero_data_retention'],
    ['in a field that is unknown itself', { options: { inner: { lockdown: 'true' } } }, 'options.inner.lockdown'],
  ])('refuses an unknown option that promises to store or fetch nothing: %s', async (_how, more, path) => {
    const error = await failureOf(under(validate)(toy(), { text: 'a', ...more }, fakeCtx()))
    expect(error).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: [path], code: 'unrecognized_keys' }] })
  })

  test.each([false, null, '', 'false', 'off', 0])('drops an unknown protection with the value %j', async (value) => {
    const ctx = fakeCtx()
    await under(validate)(toy(), { text: 'a', redactPII: value }, ctx)
    expect(ctx.warnings).toEqual(['Ignored unknown field: redactPII.'])
  })

  test('names some of very many unknown fields and counts the rest', async () => {
    const ctx = fakeCtx()
    const extras = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`extra${index}`, 1]))
    await under(validate)(toy(), { text: 'a', ...extras }, ctx)
    expect(ctx.warnings).toEqual([expect.stringMatching(/^Ignored unknown fields: extra0, .*, extra19 and 5 more\.$/)])
  })

  test('refuses unknown fields of a strict call, naming each', async () => {
    const ctx = fakeCtx()
    expect(await failureOf(under(validate)(toy(), unknown, { ...ctx, handling: 'strict' }))).toMatchObject({
      code: 'BAD_REQUEST',
      details: ['extra', 'deep.list[1].b', 'deep.more'].map((path) =>
        expect.objectContaining({ path: [path], code: 'unrecognized_keys' }),
      ),
    })
    expect(ctx.warnings).toEqual([])
  })
})

describe('an operation of a remote service', () => {
  test('receives the input as sent, without defaults', async () => {
    const ctx = fakeCtx()
    const input = { text: 'a', extra: 1 }
    const { got } = (await under(validateOnly)(toy(), input, ctx)) as { got: unknown }
    expect(got).toBe(input)
    expect(ctx.warnings).toEqual([])
  })

  test('receives a protection that is not built here, since the service may have it', async () => {
    const input = { text: 'a', redactPII: true }
    const { got } = (await under(validateOnly)(toy(), input, fakeCtx())) as { got: unknown }
    expect(got).toBe(input)
  })

  test('refuses invalid input', async () => {
    expect(await failureOf(under(validateOnly)(toy(), {}, fakeCtx()))).toMatchObject({ code: 'BAD_REQUEST' })
  })
})
