import type { CodeResult, Language, SessionInfo } from '../../contracts/session-port.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { AppError, fail } from '../../kernel/error.ts'
import { sessionUrls } from './create.ts'
import { followPrompt, planOf } from './pilot/follow-prompt.ts'
import { replayOf } from './replay/replay-of.ts'

type InteractRequest = {
  jobId: string
  code?: string | undefined
  prompt?: string | undefined
  language: Language
  timeout: number
}
type CallContext = Pick<Ctx, 'ports' | 'team' | 'signal' | 'baseUrl'>

/** The defaults of browser_create, ms. */
const ttlMs = 600_000
const activityTtlMs = 300_000

/**
 * Runs code in the browser behind a scrape, or does what a prompt says; the first call opens it and replays the scrape.
 * Errors of the code are in the answer, and so is why a task was not finished. Fails as replayOf, Sessions.create,
 * Sessions.execute, planOf and followPrompt.
 */
export async function interact({ jobId, code, prompt = '', language, timeout }: InteractRequest, ctx: Ctx) {
  const timeoutMs = timeout * 1000
  if (code === undefined) return interactByPrompt({ id: jobId, prompt, timeoutMs }, ctx)
  const { ports, team, signal } = ctx
  const facts = await sessionBehind(jobId, language, ctx)
  const job = { code, language, timeoutMs }
  const { success: _, lastValue, ...ran } = await ports.sessions.execute({ id: jobId, teamId: team.id }, job, signal)
  return { ...ran, result: language === 'node' ? lastValue : ran.result, ...(await viewUrls(facts, ctx)) }
}

async function interactByPrompt({ id, ...task }: { id: string; prompt: string; timeoutMs: number }, ctx: Ctx) {
  const plan = planOf(task.prompt, ctx.ports)
  const facts = await sessionBehind(id, undefined, ctx)
  const { snapshot, isOutOfTime, ...end } = await followPrompt({ sessionId: id, plan, ...task }, ctx)
  const exitCode = isOutOfTime ? null : end.error === undefined ? 0 : 1
  const ran = { stdout: '', result: snapshot, stderr: '', exitCode, killed: isOutOfTime }
  return { ...ran, ...end, ...(await viewUrls(facts, ctx)) }
}

async function viewUrls(facts: SessionInfo, { ports, baseUrl }: Pick<Ctx, 'ports' | 'baseUrl'>) {
  const { cdpUrl: _, ...urls } = sessionUrls(facts, await ports.sessions.baseUrl(baseUrl))
  return urls
}

async function sessionBehind(
  id: string,
  language: Language | undefined,
  { ports, team, signal }: CallContext,
): Promise<SessionInfo> {
  const known = await find(id, { ports, team })
  if (!known) {
    const replay = await replayOf(ports, id, { team })
    // Do not charge for a browser in which the code cannot run.
    if (language !== undefined && !(await ports.sessions.canRun(language, team.id))) fail('SANDBOX_UNAVAILABLE')
    const { profile } = replay
    const whose = { id, teamId: team.id, keyName: team.key, profile }
    const life = { ttlMs, activityTtlMs, streamWebView: true }
    return ports.sessions.create({ kind: 'interact', ...whose, ...life, replay }, signal)
  }
  // The id of a browser_create session has no scrape behind it.
  if (known.kind !== 'interact') return fail('JOB_NOT_FOUND', { details: { id } })
  return known.endedAt === undefined ? known : fail('SESSION_GONE', { details: { id } })
}

/** Ends the browser behind a scrape; for one that has ended, returns its duration and credits. Fails with SESSION_NOT_FOUND and JOB_OF_OTHER_TEAM. */
export async function stopInteraction(
  { jobId: id }: Pick<InteractRequest, 'jobId'>,
  { ports, team }: Pick<CallContext, 'ports' | 'team'>,
) {
  const known = await find(id, { ports, team })
  if (known?.kind !== 'interact') return noSession(id)
  const { durationMs, credits } = await ports.sessions.close({ id, teamId: team.id })
  return { sessionDurationMs: durationMs, creditsBilled: credits }
}

function find(id: string, { ports, team }: Pick<CallContext, 'ports' | 'team'>): Promise<SessionInfo | undefined> {
  return ports.sessions.find({ id, teamId: team.id }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'SESSION_NOT_FOUND') return undefined
    throw error
  })
}

const noSession = (id: string) =>
  fail('SESSION_NOT_FOUND', {
    message: 'This scrape has no browser session.',
    hint: 'The first interact with its scrapeId opens one.',
    details: { id },
  })

export type CodeRequest = {
  sessionId: string
  /** Gone to first. */
  url?: string | undefined
  code: string
  language: Language
  timeout: number
  /** False: the session ends after the code. */
  keep?: boolean | undefined
}

const neverRan = (error: string): CodeResult => ({
  success: true,
  stdout: '',
  result: '',
  lastValue: null,
  stderr: '',
  exitCode: 1,
  killed: false,
  error: `The code did not run. ${error}`,
})

/** Runs code in a session. Errors of the code are in the answer; `result` is the last value if nothing was printed. */
export async function runCode(
  { sessionId, url, code, language, timeout, keep }: CodeRequest,
  { ports, team, signal }: Ctx,
) {
  const ref = { id: sessionId, teamId: team.id }
  const job = { code, language, timeoutMs: timeout * 1000 }
  const arrived = url === undefined || (await ports.sessions.act(ref, [{ type: 'navigate', url }], signal))
  const ran = arrived === true || arrived.ok ? await ports.sessions.execute(ref, job, signal) : neverRan(arrived.text)
  if (keep === false) await ports.sessions.close(ref)
  const { success: _, lastValue, ...result } = ran
  return { ...result, result: result.stdout === '' && lastValue !== null ? lastValue : result.result }
}
