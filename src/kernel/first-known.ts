import type { Ctx } from './ctx.ts'
import { AppError, toAppError } from './error.ts'
import type { Invoke } from './invoke.ts'
import type { Issue } from './issues.ts'
import type { ToolCall } from './tool.ts'

/** The answer of the first call whose operation knows the id; where none does, the first one says so. */
export async function firstKnown(
  invoke: Invoke,
  [call, ...others]: readonly ToolCall[],
  ctx: Ctx,
): Promise<ToolCall & { output: object }> {
  if (!call) throw new Error('a tool calls at least one operation')
  try {
    return { ...call, output: await invoke(call.operation, call.input, ctx) }
  } catch (thrown) {
    if (others.length === 0 || toAppError(thrown).status !== 404) throw inArguments(thrown, call)
    return firstKnown(invoke, others, ctx).catch((later: unknown) => {
      throw toAppError(later).status === 404 ? thrown : later
    })
  }
}

/** What is wrong with a field, said of the argument that it was sent as. */
function inArguments(thrown: unknown, { names }: ToolCall): unknown {
  if (!(thrown instanceof AppError) || !Array.isArray(thrown.details) || Object.keys(names).length === 0) return thrown
  const details = (thrown.details as Partial<Issue>[]).map((issue) =>
    Array.isArray(issue.path)
      ? { ...issue, path: issue.path.map((key, at) => (at === 0 && names[key]) || key) }
      : issue,
  )
  const { code, status, message, hint, cause } = thrown
  return new AppError(code, { status, message, hint, details, cause })
}
