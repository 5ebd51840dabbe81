import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { LinkedFiles } from '../../src/contracts/fetch.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { externalizeMedia, waitForJob } from '../../src/middleware/answers.ts'
import { compose } from '../../src/middleware/pipeline.ts'
import { fakeCtx } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

type Kept = Parameters<LinkedFiles['keep']>[0]
let kept: Kept[]
let keep: LinkedFiles['keep']
beforeEach(() => {
  kept = []
  keep = async (file) => `id${kept.push(file)}`
})

const png = 'data:image/png;base64,iVBORw=='
const withPicture = toy({
  output: z.object({ picture: z.string(), warning: z.string().optional() }),
  withLinks: async (output, link, input) => ({ ...output, picture: await link(output.picture, input.times) }),
})
const call = async (output: object, operation: AnyOperation = withPicture, ctx = fakeCtx()) =>
  under(externalizeMedia({ keep }), async () => output)(operation, { text: 'a' }, ctx)

describe('pictures in an answer', () => {
  test('become links to the server that was called', async () => {
    expect(await call({ picture: png, warning: 'w' })).toEqual({
      picture: 'http://127.0.0.1:3002/v2/files/id1',
      warning: 'w',
    })
    expect(kept).toEqual([
      { teamId: 'acme', mediaType: 'image/png', bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47]), until: 1 },
    ])
  })

  test('stay in the answer if nothing of it may be stored', async () => {
    const run = under(externalizeMedia({ keep }), async (_input, ctx) => {
      ctx.keepNothing?.()
      return { picture: png }
    })
    expect(await run(withPicture, { text: 'a' }, fakeCtx())).toEqual({ picture: png })
    expect(kept).toEqual([])
  })

  test.each([
    'https://elsewhere.example/a.png',
    'data:text/html;base64,AA==',
    'data:image/svg+xml;base64,AA==',
    'data:image/png,raw',
    '',
  ])('stay unchanged if they are not our own: %s', async (picture) => {
    expect(await call({ picture })).toEqual({ picture })
    expect(kept).toEqual([])
  })

  test('stay in the answer if they cannot be stored, with a line in the log', async () => {
    const ctx = fakeCtx()
    const cause = new Error('disk full')
    keep = () => Promise.reject(cause)
    expect(await call({ picture: png }, withPicture, ctx)).toEqual({ picture: png })
    expect(ctx.logged).toMatchObject([{ facts: { cause } }])
  })

  test('become links in a job with wait', async () => {
    const state = { ...withPicture, run: async () => ({ picture: png, status: 'completed' }) }
    const operation = toy({ follow: { operation: state, answers: 'pages' }, run: async () => ({ id: 'a' }) })
    const invoke = compose([externalizeMedia({ keep }), waitForJob])
    expect(await invoke(operation, { wait: 1 }, fakeCtx())).toMatchObject({
      id: 'a',
      job: { picture: expect.stringMatching(/id\d$/) },
    })
    expect(await invoke(operation, { wait: 0 }, fakeCtx())).toEqual({ id: 'a' })
  })
})
