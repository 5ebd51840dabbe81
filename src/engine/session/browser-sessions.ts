import {
  endpointPaths,
  type SessionInfo,
  type Sessions,
  type SessionState,
  type Screenshot,
  type SessionRef,
} from '../../contracts/session-port.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import type { CreateInput } from '../../schema/session-schema.ts'
import type { SnapshotOptions } from '../../contracts/render-port.ts'
import { AppError } from '../../kernel/error.ts'

/** Opens a browser session, at a URL if one is given. Fails as Sessions.create, and as Sessions.act with a URL. */
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
    // The caller would never learn the id of this session.
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

/** Starts the endpoint server only if a session is open. */
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

export type SessionUrls = { cdpUrl?: string; liveViewUrl?: string; interactiveLiveViewUrl?: string }

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

/** A page that cannot be rendered now can still be read, so a failed screenshot is only a warning. */
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
