import type { FirstAnswer, Idempotency } from '../contracts/account.ts'
import { toAppError } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { type AnyOperation, takesIdempotencyKey } from '../kernel/operation.ts'

/**
 * Calls that carry an idempotency key are done once, and answered again as they were: what is repeated is neither
 * charged nor recorded. Fails with IDEMPOTENCY_KEY_REUSED.
 */
export const answerOnce =
  ({ once }: Idempotency): Middleware =>
  (operation, next) => {
    if (!takesIdempotencyKey(operation)) return next
    return async (input, ctx) => {
      const { idempotencyKey: key, team, signal } = ctx
      if (key === undefined) return next(input, ctx)
      const asks = { operation: operation.name, input }
      const { output, warnings } = await once(
        { teamId: team.id, key, jobId: ctx.jobId, asks, signal },
        {
          async run(jobId) {
            const said: string[] = []
            const result = await next(input, { ...ctx, jobId, warn: (warning) => void said.push(warning) })
            const answer = { output: result, warnings: said }
            return { answer, kept: keptOf(operation, input, answer) }
          },
          isCharged: (thrown) => (operation.price?.({ input, error: toAppError(thrown) }) ?? 0) > 0,
        },
      )
      for (const warning of warnings) ctx.warn(warning)
      return output
    }
  }

/** Of a job of which nothing may be kept it is still known which one was begun. */
function keptOf({ job, follow }: AnyOperation, input: object, answer: FirstAnswer): FirstAnswer | undefined {
  if (!job?.isPrivate?.(input)) return answer
  const { id, url } = answer.output as { id?: unknown; url?: unknown }
  return follow && { output: { id, url }, warnings: [] }
}
