import type { Ctx } from '../../kernel/ctx.ts'
import { type AppError, failure, toAppError } from '../../kernel/error.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { McpOptions } from './options.ts'
import { asker } from './person.ts'
import { progressTiming, startProgress } from './progress.ts'
import type { Channel, Request } from './transport/channel.ts'

export type CallCtx = Ctx & { stop(): void }

/** Models make larger pictures smaller, and some hosts break the conversation on one of more than 8,000 pixels a side. */
const pictureSide = 1568

/** The Ctx of a call over this channel. `stop` it when the call is over. */
export function callCtx(options: McpOptions, { caller, abilities }: Request, channel: Channel): CallCtx {
  const reports = channel.report && startProgress(channel.report, { ...progressTiming, ...options.progress })
  const askPerson = asker(abilities, channel.elicit)
  const ctx = options.newCtx({
    ...caller,
    signal: channel.signal,
    pictureSide,
    ...(reports && { progress: reports.progress }),
    ...(askPerson && { askPerson }),
  })
  return {
    ...ctx,
    stop: () => {
      reports?.stop()
      channel.end()
    },
  }
}

/** Presenters get what the operation got: input with its defaults. */
export function parsedInput(operation: AnyOperation, input: object): object {
  const parsed = operation.input.safeParse(input)
  return parsed.success ? parsed.data : input
}

/** What is not known is logged with its cause, unless it is only how the work ended when it was cancelled. */
export function known(thrown: unknown, { name }: { name: string }, { signal, log }: Ctx): AppError {
  if (signal.aborted) return failure('REQUEST_CANCELLED', { cause: thrown })
  const error = toAppError(thrown)
  if (error.code === 'UNKNOWN_ERROR') log.error('mcp_call_failed', { tool: name, error })
  return error
}
