import type { Ctx } from '../kernel/ctx.ts'
import { fail } from '../kernel/error.ts'
import type { Policy } from '../kernel/invoke.ts'
import { droppedKeys, readableIssues } from '../kernel/issues.ts'
import type { AnyOperation } from '../kernel/operation.ts'

export type UnknownKeys = 'warn' | 'refuse'

/** Nothing but valid input reaches the operation. Unknown keys are dropped with a warning, or refused. */
export const validated =
  (unknownKeys: UnknownKeys): Policy =>
  (next) =>
  async (operation, input, ctx) =>
    next(operation, parsed(operation, input, ctx, unknownKeys), ctx)

/** The same check for callers that forward: the input goes on as it was sent, since the other side has defaults of its own. */
export const checked: Policy = (next) => async (operation, input, ctx) => {
  parsed(operation, input, { ...ctx, warn: () => {} }, 'warn')
  return next(operation, input, ctx)
}

const maxListed = 20

/** The first names and how many more: a warning must not grow with the request. */
const listed = (names: readonly string[]) =>
  names.slice(0, maxListed).join(', ') + (names.length > maxListed ? ` and ${names.length - maxListed} more` : '')

function parsed(operation: AnyOperation, input: object, ctx: Ctx, unknownKeys: UnknownKeys): object {
  const result = operation.input.safeParse(input)
  if (!result.success) fail('BAD_REQUEST', { details: readableIssues(result.error) })
  const unknown = droppedKeys(input, result.data)
  if (unknown.length > 0 && unknownKeys === 'refuse')
    fail('BAD_REQUEST', {
      details: unknown.map((path) => ({
        path: [path],
        message: 'This field is not known.',
        code: 'unrecognized_keys',
      })),
    })
  if (unknown.length > 0) ctx.warn(`Ignored unknown ${unknown.length === 1 ? 'field' : 'fields'}: ${listed(unknown)}.`)
  return result.data
}
