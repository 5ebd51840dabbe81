import type { SessionRequest } from '../../contracts/session.ts'
import { createLiveSession, type SessionCallbacks, type LiveSession, type SessionDependencies } from './live-session.ts'
import { type OpenOptions, openSessionBrowser, type SessionBrowser } from './open-browser.ts'
import { arrive } from './replay/arrive.ts'

/** Opens the browser of a session and brings it to where it is to begin. Fails as Sessions.create; nothing is left then. */
export async function openSession(
  options: OpenOptions & SessionDependencies,
  request: SessionRequest,
  callbacks: SessionCallbacks,
  signal: AbortSignal,
): Promise<LiveSession> {
  const opened = await openSessionBrowser(options, request, signal)
  try {
    const remark = await replayVisit(opened, request, options, signal)
    return createLiveSession(opened, options, callbacks, remark)
  } catch (error) {
    await opened.browser.close()
    await opened.profile.release()
    throw error
  }
}

async function replayVisit(
  { browser, tabs }: SessionBrowser,
  { replay }: SessionRequest,
  { faultOf }: SessionDependencies,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!replay) return undefined
  const { connection, version } = browser
  return arrive(tabs.current(), replay, { connection, version, proxyErrorOf: faultOf }, signal)
}
