import type { CodeResult, Language, SessionInfo, Replay } from '../../contracts/session-port.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { AppError, fail } from '../../kernel/error.ts'
import { sessionUrls, createBrowserSession, type ActionsRequest, runActions } from './browser-sessions.ts'
import { followPrompt, planOf } from './pilot/follow-prompt.ts'
import type { CreateInput } from '../../schema/session-schema.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { pageInput, requestOf } from '../crawl/runner/crawl-job.ts'
import { browserVisit } from '../scrape/load/load.ts'
import { planPage, replayable } from '../scrape/plan.ts'

type InteractRequest = {
  jobId: string
  code?: string | undefined
  prompt?: string | undefined
  language: Language
  timeout: number
}
type CallContext = Pick<Ctx, 'ports' | 'team' | 'signal' | 'baseUrl'>

/** Defaults of browser_create, in ms. */
const ttlMs = 600_000
const activityTtlMs = 300_000

/** Runs code or a prompt in the browser behind a scrape, which the first call opens. Errors of the code are results. */
export async function interact({ jobId, code, prompt = '', language, timeout }: InteractRequest, ctx: Ctx) {
  const timeoutMs = timeout * 1000
  if (code === undefined) return interactByPrompt({ id: jobId, prompt, timeoutMs }, ctx)
  const { ports, team, signal } = ctx
  const session = await sessionBehind(jobId, language, ctx)
  const job = { code, language, timeoutMs }
  const { success: _, lastValue, ...ran } = await ports.sessions.execute({ id: jobId, teamId: team.id }, job, signal)
  return { ...ran, result: language === 'node' ? lastValue : ran.result, ...(await viewUrls(session, ctx)) }
}

async function interactByPrompt({ id, ...task }: { id: string; prompt: string; timeoutMs: number }, ctx: Ctx) {
  const plan = planOf(task.prompt, ctx.ports)
  const session = await sessionBehind(id, undefined, ctx)
  const { snapshot, isOutOfTime, ...end } = await followPrompt({ sessionId: id, plan, ...task }, ctx)
  const exitCode = isOutOfTime ? null : end.error === undefined ? 0 : 1
  const ran = { stdout: '', result: snapshot, stderr: '', exitCode, killed: isOutOfTime }
  return { ...ran, ...end, ...(await viewUrls(session, ctx)) }
}

async function viewUrls(facts: SessionInfo, { ports, baseUrl }: Pick<Ctx, 'ports' | 'baseUrl'>) {
  const { cdpUrl: _, ...urls } = sessionUrls(facts, await ports.sessions.baseUrl(baseUrl))
  return urls
}

async function sessionBehind(id: string, language: Language | undefined, { ports, team, signal }: CallContext) {
  const known = await find(id, { ports, team })
  if (!known) {
    const replay = await replayOf(ports, id, { team })
    // Avoids opening, and charging for, a browser in which the code cannot run.
    if (language !== undefined && !(await ports.sessions.canRun(language, team.id))) fail('SANDBOX_UNAVAILABLE')
    const { profile } = replay
    const owner = { id, teamId: team.id, keyName: team.key, profile }
    const life = { ttlMs, activityTtlMs, streamWebView: true }
    return ports.sessions.create({ kind: 'interact', ...owner, ...life, replay }, signal)
  }
  // A browser_create session has no scrape behind it.
  if (known.kind !== 'interact') return fail('JOB_NOT_FOUND', { details: { id } })
  return known.endedAt === undefined ? known : fail('SESSION_GONE', { details: { id } })
}

/** Ends the browser behind a scrape. Fails with SESSION_NOT_FOUND and JOB_OF_OTHER_TEAM. */
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

type CodeRequest = {
  sessionId: string
  url?: string | undefined
  code: string
  language: Language
  timeout: number
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

/** Runs code in a session. Errors of the code are results; `result` is the last value if nothing was printed. */
export async function runCode(
  { sessionId, url, code, language, timeout, keep }: CodeRequest,
  { ports, team, signal }: Ctx,
) {
  const ref = { id: sessionId, teamId: team.id }
  const job = { code, language, timeoutMs: timeout * 1000 }
  try {
    const arrived = url === undefined || (await ports.sessions.act(ref, [{ type: 'navigate', url }], signal))
    const ran = arrived === true || arrived.ok ? await ports.sessions.execute(ref, job, signal) : neverRan(arrived.text)
    const { success: _, lastValue, ...result } = ran
    return { ...result, result: result.stdout === '' && lastValue !== null ? lastValue : result.result }
  } finally {
    if (keep === false) await ports.sessions.close(ref)
  }
}

/** Unless `keep` is true, the session ends with the call. */
type OpenedCall = CreateInput & { keep: boolean }

export const actInNewSession = (request: OpenedCall & Omit<ActionsRequest, 'sessionId'>, ctx: Ctx) =>
  inNewSession(request, ctx, (sessionId) => runActions({ ...request, sessionId, keep: true }, ctx))

export const runInNewSession = (request: OpenedCall & Omit<CodeRequest, 'sessionId'>, ctx: Ctx) =>
  inNewSession(request, ctx, (sessionId) => runCode({ ...request, sessionId, keep: true }, ctx))

/**
 * Runs work in a new session, which ends afterwards unless it is kept. It also ends on an error, as the caller lacks
 * its id.
 */
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

type RecordedVisit = { input: unknown; metadata: Partial<Document['metadata']> }
type Records = Pick<Ports, 'jobs' | 'crawls'>
type Call = Pick<Ctx, 'team'>

/** Returns the visit to repeat. Fails with JOB_NOT_FOUND, JOB_OF_OTHER_TEAM or REPLAY_UNAVAILABLE. */
export async function replayOf(ports: Records, scrapeId: string, caller: Call): Promise<Replay> {
  const { input, metadata } =
    (await crawlVisit(ports, scrapeId, caller)) ?? (await scrapeVisit(ports, scrapeId, caller))
  const parsed = ScrapeInput.safeParse(input)
  if (!parsed.success) return unavailable('It was recorded by another version of Gossamer.', scrapeId, parsed.error)
  // A page that needed the enhanced proxy does not load through the basic one.
  const plan = planPage(parsed.data, caller.team.id)
  const { proxyUsed = plan.proxy === 'enhanced' ? 'stealth' : 'basic' } = metadata
  return browserVisit(parsed.data.url, plan, proxyUsed === 'stealth' ? 'enhanced' : 'basic')
}

async function scrapeVisit({ jobs }: Records, id: string, { team }: Call): Promise<RecordedVisit> {
  const job = await jobs.find(id)
  if (!job || job.endpoint !== 'scrape') return fail('JOB_NOT_FOUND', { details: { id } })
  if (job.teamId !== team.id) return fail('JOB_OF_OTHER_TEAM', { details: { id } })
  if (job.status === 'failed') return unavailable('The scrape failed, so there is no page to restore.', id)
  if (!job.replay) return unavailable('The visit of the page was not recorded, or it was a file.', id)
  return { input: job.replay, metadata: (job.result as { data?: Document } | null)?.data?.metadata ?? {} }
}

async function crawlVisit({ crawls }: Records, id: string, { team }: Call): Promise<RecordedVisit | undefined> {
  const page = await crawls.document(id)
  if (!page) return undefined
  if (page.teamId !== team.id) return fail('JOB_OF_OTHER_TEAM', { details: { id } })
  const crawl = await crawls.find(page.crawlId)
  const { metadata } = page.document as Document
  const input = crawl && metadata.sourceURL && replayable(pageInput(requestOf(crawl), metadata.sourceURL))
  return input ? { input, metadata } : unavailable('The visit of the page was not recorded.', id)
}

const unavailable = (message: string, id: string, cause?: unknown): never =>
  fail('REPLAY_UNAVAILABLE', { message, details: { id }, cause })
