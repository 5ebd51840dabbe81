import type { Ctx } from '../../kernel/ctx.ts'
import type { CreateInput } from '../../schema/session-schema.ts'
import { createBrowserSession } from './create.ts'
import { type CodeRequest, runCode } from './interact.ts'
import { type ActionsRequest, runActions } from './run-actions.ts'

/** `keep` false: the session ends with the call. */
type OpenedCall = CreateInput & { keep: boolean }
type ActsCall = OpenedCall & Omit<ActionsRequest, 'sessionId'>
type CodeCall = OpenedCall & Omit<CodeRequest, 'sessionId'>

/** Opens a session and acts in it. */
export const actInNewSession = (request: ActsCall, ctx: Ctx) =>
  inNewSession(request, ctx, (sessionId) => runActions({ ...request, sessionId, keep: true }, ctx))

/** Opens a session and runs code in it. */
export const runInNewSession = (request: CodeCall, ctx: Ctx) =>
  inNewSession(request, ctx, (sessionId) => runCode({ ...request, sessionId, keep: true }, ctx))

/** A session that is not to be kept ends however the work ends; so does one that the caller would never hear of. */
async function inNewSession<T extends object>(
  request: OpenedCall,
  ctx: Ctx,
  work: (sessionId: string) => Promise<T>,
): Promise<T & { sessionId?: string; expiresAt?: string }> {
  const { ports, team } = ctx
  const { id, expiresAt } = await createBrowserSession({ ...request, url: undefined }, ctx)
  let isKept = false
  try {
    const done = await work(id)
    isKept = request.keep
    return isKept ? { ...done, sessionId: id, expiresAt } : done
  } finally {
    if (!isKept) await ports.sessions.close({ id, teamId: team.id })
  }
}
