import { z } from 'zod'
import type { Handler, Invoke, Middleware } from '../../src/kernel/invoke.ts'
import { type AnyOperation, defineOperation } from '../../src/kernel/operation.ts'
import { compose } from '../../src/middleware/pipeline.ts'

const plain = defineOperation({
  name: 'toy',
  route: 'POST /v2/toy',
  title: 'Toy',
  about: 'Returns its input.',
  effect: 'read',
  example: { text: 'a' },
  input: z.object({
    text: z.string(),
    times: z.int().default(1),
    deep: z.object({ list: z.array(z.object({ a: z.int() })) }).optional(),
  }),
  output: z.object({ got: z.unknown(), warning: z.string().optional() }),
  errors: [],
  run: async (got) => ({ got }),
})

/** An operation that returns its input, with the changes of a test. */
export const toy = (over: Partial<AnyOperation> = {}): AnyOperation => ({ ...plain, ...over })

/** Runs operations under one middleware; `handler`, if given, replaces the work of the operations. */
export const under = (middleware: Middleware, handler?: Handler): Invoke =>
  compose([middleware], handler && (() => handler))
