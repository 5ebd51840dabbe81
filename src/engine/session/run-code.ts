import type { Ctx } from '../../core/ctx.ts'
import type { Language } from '../../core/session.ts'

/** Runs code in a session. What the code does wrong is in the answer; `lastValue` is told where nothing was printed. */
export async function runCode(
  { sessionId, code, language, timeout }: { sessionId: string; code: string; language: Language; timeout: number },
  { ports, team, signal }: Ctx,
) {
  const ref = { id: sessionId, teamId: team.id }
  const job = { code, language, timeoutMs: timeout * 1000 }
  const { success: _, lastValue, ...result } = await ports.sessions.execute(ref, job, signal)
  // As in a console: code that ends with an expression need not print it.
  return { ...result, result: result.stdout === '' && lastValue !== null ? lastValue : result.result }
}
