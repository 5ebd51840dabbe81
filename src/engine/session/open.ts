import type { SessionWish } from '../../contracts/session.ts'
import { createLiveSession, type Ears, type LiveSession, type SessionParts } from './live-session.ts'
import { type OpenOptions, openSessionBrowser, type SessionBrowser } from './open-browser.ts'
import { arrive } from './replay/arrive.ts'

/** Opens the browser of a session and brings it to where it is to begin. Fails as Sessions.create; nothing is left then. */
export async function openSession(
  options: OpenOptions & SessionParts,
  wish: SessionWish,
  ears: Ears,
  signal: AbortSignal,
): Promise<LiveSession> {
  const opened = await openSessionBrowser(options, wish, signal)
  try {
    const remark = await replayed(opened, wish, options, signal)
    return createLiveSession(opened, options, ears, remark)
  } catch (error) {
    await opened.browser.close()
    await opened.profile.release()
    throw error
  }
}

async function replayed(
  { browser, tabs }: SessionBrowser,
  { replay }: SessionWish,
  { faultOf }: SessionParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!replay) return undefined
  const { connection, version } = browser
  return arrive(tabs.current(), replay, { connection, version, faultOf }, signal)
}
