import type { Ctx } from '../kernel/ctx.ts'
import { fail } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { droppedKeys, readableIssues } from '../kernel/issues.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { sizeFaults } from '../kernel/size/faults.ts'
import { limitsOf } from '../kernel/size/limits.ts'

export type UnknownKeys = 'warn' | 'refuse'

/** Passes on the parsed input. Unknown keys are dropped with a warning, or refused. Fails with BAD_REQUEST. */
export const validate =
  (unknownKeys: UnknownKeys): Middleware =>
  (operation, next) =>
  async (input, ctx) =>
    next(parsed(operation, input, ctx, unknownKeys), ctx)

/** The same check for calls to a remote service: the input goes on as it was sent, since the service has defaults of its own. */
export const validateOnly: Middleware = (operation, next) => async (input, ctx) => {
  parsed(operation, input, { warn: () => {} }, 'warn')
  return next(input, ctx)
}

const maxListed = 20

/** The first names and how many more: a warning must not grow with the request. */
const listed = (names: readonly string[]) =>
  names.slice(0, maxListed).join(', ') + (names.length > maxListed ? ` and ${names.length - maxListed} more` : '')

function parsed(operation: AnyOperation, input: object, { warn }: Pick<Ctx, 'warn'>, unknownKeys: UnknownKeys): object {
  const tooBig = sizeFaults(limitsOf(operation), input)
  if (tooBig.length > 0) fail('BAD_REQUEST', { details: tooBig })
  const result = operation.input.safeParse(input)
  if (!result.success) fail('BAD_REQUEST', { details: readableIssues(result.error) })
  const unknown = droppedKeys(input, result.data)
  if (unknown.length > 0 && unknownKeys === 'refuse')
    fail('BAD_REQUEST', {
      details: unknown.map((path) => ({
        path: [path],
        message: 'Unknown field.',
        code: 'unrecognized_keys',
      })),
    })
  if (unknown.length > 0) warn(`Ignored unknown ${unknown.length === 1 ? 'field' : 'fields'}: ${listed(unknown)}.`)
  return result.data
}
