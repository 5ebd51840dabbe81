import type { SnapshotOptions } from '../../contracts/render-port.ts'
import type { Screenshot, SessionRef } from '../../contracts/session-port.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { AppError } from '../../kernel/error.ts'
import { sessionUrls } from './create.ts'

type ObserveRequest = { sessionId: string; screenshot: boolean } & SnapshotOptions

/** Snapshot of the current page, with a screenshot if requested. */
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

/** A page that cannot be painted now can still be read. */
function screenshotOrWarning(ref: SessionRef, { ports, signal, warn }: Ctx): Promise<Screenshot | undefined> {
  return ports.sessions.screenshot(ref, signal).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'SESSION_FAILED') throw error
    warn(error.message)
    return undefined
  })
}

/** Screenshot of the current tab, with its URL, title and tabs. */
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
