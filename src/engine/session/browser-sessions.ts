import {
  endpointPaths,
  type SessionInfo,
  type Sessions,
  type SessionState,
  type Screenshot,
  type SessionRef,
  type AskUntil,
} from '../../contracts/session-port.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import type { CreateInput } from '../../schema/session-schema.ts'
import type { SnapshotOptions, SessionAction } from '../../contracts/render-port.ts'
import { AppError } from '../../kernel/error.ts'

/** Opens a browser session, at a URL if one is given. Fails like Sessions.create and, with a URL, like Sessions.act. */
export async function createBrowserSession(
  { url, ttl, activityTtl, streamWebView, headless, profile }: CreateInput,
  { ports, jobId, team, signal, baseUrl, warn }: Ctx,
) {
  const request = {
    kind: 'browser' as const,
    id: jobId,
    teamId: team.id,
    keyName: team.key,
    ttlMs: ttl * 1000,
    activityTtlMs: activityTtl * 1000,
    streamWebView,
    isInWindow: headless === false,
    profile,
  }
  const facts = await ports.sessions.create(request, signal)
  for (const warning of facts.warnings ?? []) warn(warning)
  const urls = sessionUrls(facts, await ports.sessions.baseUrl(baseUrl))
  const opened = { id: facts.id, ...urls, expiresAt: new Date(facts.expiresAt).toISOString() }
  if (url === undefined) return opened
  const ref = { id: jobId, teamId: team.id }
  try {
    const { text } = await ports.sessions.act(ref, [{ type: 'navigate', url }], signal)
    return { ...opened, snapshot: text }
  } catch (error) {
    // The caller, who gets the error, would never learn the id of this session.
    await ports.sessions.close(ref)
    throw error
  }
}

/** Lists the team's sessions: active, ended, or both if the status is undefined. */
export async function listSessions(
  status: 'active' | 'destroyed' | undefined,
  { ports, team, baseUrl }: Pick<Ctx, 'ports' | 'team' | 'baseUrl'>,
) {
  const found = await ports.sessions.list({ teamId: team.id, status })
  const at = await baseUrlFor(ports.sessions, found, baseUrl)
  return { sessions: found.map((facts) => listed(facts, at)) }
}

export async function sessionState(id: string, { ports, team, baseUrl, signal }: Ctx) {
  const { tabs, doing, ...facts }: SessionState = await ports.sessions.state({ id, teamId: team.id }, signal)
  return {
    ...listed(facts, await baseUrlFor(ports.sessions, [facts], baseUrl)),
    tabs: [...tabs],
    ...(doing !== undefined && { doing }),
  }
}

/** Returns the base URL of endpoints. Starts their server only if a session is open. */
const baseUrlFor = async (sessions: Sessions, found: readonly SessionInfo[], callerBaseUrl: string) =>
  found.some(({ secrets }) => secrets !== undefined) ? sessions.baseUrl(callerBaseUrl) : callerBaseUrl

function listed(facts: SessionInfo, baseUrl: string) {
  const { id, endedAt, streamWebView, createdAt, lastActivityAt, expiresAt } = facts
  return {
    id,
    status: endedAt === undefined ? ('active' as const) : ('destroyed' as const),
    ...sessionUrls(facts, baseUrl),
    streamWebView,
    createdAt: new Date(createdAt).toISOString(),
    lastActivity: new Date(lastActivityAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

type SessionUrls = { cdpUrl?: string; liveViewUrl?: string; interactiveLiveViewUrl?: string }

/** Returns the URLs of a session's endpoints below a base URL; an ended session has none. */
export function sessionUrls({ secrets, streamWebView }: SessionInfo, baseUrl: string): SessionUrls {
  if (!secrets) return {}
  return {
    ...(secrets.cdp !== undefined && {
      cdpUrl: `${baseUrl.replace(/^http/, 'ws')}${endpointPaths.cdp(secrets.cdp)}`,
    }),
    ...(streamWebView && {
      liveViewUrl: `${baseUrl}${endpointPaths.view(secrets.view)}`,
      interactiveLiveViewUrl: `${baseUrl}${endpointPaths.view(secrets.control)}`,
    }),
  }
}

type ObserveRequest = { sessionId: string; screenshot: boolean } & SnapshotOptions

export async function observe({ sessionId, screenshot, ...options }: ObserveRequest, ctx: Ctx) {
  const { ports, team, signal } = ctx
  const ref = { id: sessionId, teamId: team.id }
  const { text, ...facts } = await ports.sessions.snapshot(ref, options, signal)
  if (!screenshot) return { snapshot: text, ...facts }
  const image = await screenshotOrWarning(ref, ctx)
  return {
    snapshot: text,
    ...facts,
    ...(image && { screenshot: `data:${image.mimeType};base64,${image.base64}` }),
  }
}

/** Turns a failed screenshot into a warning, because the page can still be read. */
function screenshotOrWarning(ref: SessionRef, { ports, signal, warn }: Ctx): Promise<Screenshot | undefined> {
  return ports.sessions.screenshot(ref, signal).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'SESSION_FAILED') throw error
    warn(error.message)
    return undefined
  })
}

export async function screenshotPage(id: string, { ports, team, baseUrl, signal }: Ctx) {
  const ref = { id, teamId: team.id }
  const image = await ports.sessions.screenshot(ref, signal)
  const { tabs, ...facts } = await ports.sessions.state(ref, signal)
  const { interactiveLiveViewUrl } = sessionUrls(facts, await ports.sessions.baseUrl(baseUrl))
  const { url = '', title = '' } = tabs.find(({ isCurrent }) => isCurrent) ?? {}
  return {
    ...image,
    url,
    title,
    tabs: [...tabs],
    ...(interactiveLiveViewUrl !== undefined && { interactiveLiveViewUrl }),
  }
}

export type ActionsRequest = {
  sessionId: string
  url?: string | undefined
  acts?: readonly SessionAction[] | undefined
  askPerson?: string | undefined
  keep?: boolean | undefined
}
/** Task for a person. With outcome `done` the user has confirmed it; otherwise they can do it at `url`. */
export type PersonNeeded = {
  reason: 'asked' | 'captcha' | 'login'
  outcome: 'done' | 'declined' | 'waiting'
  message: string
  url?: string | undefined
}

const requests = {
  captcha: 'The page requires a captcha to be solved.',
  login: 'The page requires a login.',
} as const

/** Runs actions. Asks a person to solve a captcha; a login is only reported. */
export async function runActions({ keep, url, acts = [], ...request }: ActionsRequest, ctx: Ctx) {
  const first: SessionAction[] = url === undefined ? [] : [{ type: 'navigate', url, isFirst: true }]
  const all = [...first, ...acts]
  try {
    return await perform({ ...request, acts: all }, ctx)
  } finally {
    if (keep === false) await ctx.ports.sessions.close({ id: request.sessionId, teamId: ctx.team.id })
  }
}

async function perform({ sessionId, acts = [], askPerson }: ActionsRequest, ctx: Ctx) {
  const answered = askPerson === undefined ? undefined : await ask(sessionId, 'asked', askPerson, ctx)
  if (answered && answered.outcome !== 'done') return { ...noActionsRun, needsPerson: answered }
  const { wants, ...result } = await act(sessionId, acts, ctx)
  const isLoggingIn = wants === 'login' && acts.some(({ type }) => type === 'fill' || type === 'type')
  if (wants === undefined || isLoggingIn) return { ...plain(result), ...(answered && { needsPerson: answered }) }
  if (wants === 'login') return { ...plain(result), needsPerson: await waiting(sessionId, wants, requests.login, ctx) }
  const captcha = await ask(sessionId, wants, requests.captcha, ctx)
  if (captcha.outcome !== 'done') return { ...plain(result), needsPerson: captcha }
  const after = await act(sessionId, [{ type: 'wait', milliseconds: 0 }], ctx)
  return {
    ...plain(result),
    url: after.url,
    title: after.title,
    text: `${result.text}\n${after.text}`,
    needsPerson: captcha,
  }
}

const noActionsRun = { ok: false, done: 0, url: '', title: '', text: '', extracted: [] as string[] }
const plain = ({ extracted, screenshots, ...result }: Omit<Awaited<ReturnType<typeof act>>, 'wants'>) => ({
  ...result,
  extracted: [...extracted],
  ...(screenshots && { screenshots: [...screenshots] }),
})

async function act(id: string, actions: readonly SessionAction[], { ports, team, signal, pictureSide: maxSide }: Ctx) {
  const fitting = actions.map((each) => (each.type === 'screenshot' ? { ...each, maxSide } : each))
  const { files, ...result } = await ports.sessions.act({ id, teamId: team.id }, fitting, signal)
  const uriOf = (file: string) => `browser-session://${id}/files/${file}`
  return { ...result, ...(files && { files: files.map((file) => ({ ...file, uri: uriOf(file.id) })) }) }
}

async function ask(id: string, reason: PersonNeeded['reason'], message: string, ctx: Ctx): Promise<PersonNeeded> {
  const request = await waiting(id, reason, message, ctx)
  if (request.url === undefined) return request
  return { ...request, outcome: await answerOf({ id, message, url: request.url }, ctx) }
}

/** Returns the first answer, from the person at the client or a viewer of the live view. */
async function answerOf({ id, message, url }: { id: string; message: string; url: string }, ctx: Ctx) {
  const { ports, team, askPerson } = ctx
  const settled = new AbortController()
  const signal = AbortSignal.any([ctx.signal, settled.signal])
  const inView = (until: AskUntil) => ports.sessions.askViewers({ id, teamId: team.id }, { message, until }, signal)
  if (!askPerson) return inView('watched')
  const atClient = async () => {
    const answer = await askPerson({ message, url }, signal)
    return answer === 'unsupported' ? inView('watched') : answer
  }
  const answers = [atClient(), inView('answered')]
  try {
    return await Promise.race(answers)
  } finally {
    // Withdraws the other request.
    settled.abort(new Error('It was answered elsewhere.'))
    void Promise.allSettled(answers)
  }
}

async function waiting(id: string, reason: PersonNeeded['reason'], message: string, ctx: Ctx): Promise<PersonNeeded> {
  const { ports, team, baseUrl } = ctx
  const facts = await ports.sessions.find({ id, teamId: team.id })
  const { interactiveLiveViewUrl: url } = sessionUrls(facts, await ports.sessions.baseUrl(baseUrl))
  return { reason, outcome: 'waiting', message, ...(url !== undefined && { url }) }
}
