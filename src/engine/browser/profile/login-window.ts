import { failure } from '../../../kernel/error.ts'
import { withDeadline } from '../../../util/async.ts'
import type { Connection } from '../cdp/cdp-connection.ts'
import { CdpError } from '../cdp/cdp-session.ts'
import { collectState, restoreState, type StorageContext, watchOrigins } from './browser-state.ts'
import type { OpenProfile } from './profile-store.ts'

export type LoginOptions = {
  /** A browser with a display. */
  connection: Pick<Connection, 'browser' | 'attach' | 'closed'>
  profile: OpenProfile
  url: string
  /** Resolves when the user is done; closing the last window has the same effect. */
  done: Promise<unknown>
}

/** Longest possible delay of a timer, because a login may take any time. */
const loginLimit = { step: 'log in', ms: 2 ** 31 - 1 }

/**
 * Opens a browser window with the storage of a profile, in which a user logs in, and saves the storage afterwards. No
 * script or CDP session touches its pages during the login. Returns warnings about storage that could not be restored
 * or saved. Fails with BROWSER_UNAVAILABLE if the browser was quit, or with the signal's reason; nothing is saved then.
 */
export async function logInByWindow(options: LoginOptions, signal: AbortSignal): Promise<string[]> {
  try {
    return await logInAndSave(options, signal)
  } catch (error) {
    if (!(error instanceof CdpError) || error.why !== 'closed') throw error
    throw failure('BROWSER_UNAVAILABLE', {
      message: 'The browser was quit before its storage could be read, so nothing was saved.',
      hint: 'Log in again, and then close the window or press Enter instead.',
      cause: error,
    })
  }
}

async function logInAndSave({ connection, profile, url, done }: LoginOptions, signal: AbortSignal): Promise<string[]> {
  const { browser } = connection
  const { browserContextId: contextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true })
  const context = { connection, contextId }
  const restored = await restoreState(context, profile.state, signal)
  const origins = await watchOrigins(context, undefined, signal)
  try {
    await browser.send('Target.createTarget', { url, browserContextId: contextId, newWindow: true }, signal)
    // If the browser was quit, the next call fails.
    await withDeadline(loginLimit, signal, () => Promise.race([done, windowsClosed(context), connection.closed]))
    const collect = { visited: origins.seen(), before: profile.state, partial: restored.partial }
    const { state, warnings } = await collectState(context, collect, signal)
    await profile.save(state)
    return [...restored.warnings, ...warnings]
  } finally {
    origins.stop()
  }
}

function windowsClosed({ connection: { browser }, contextId }: StorageContext): Promise<void> {
  return new Promise((resolve) => {
    const check = async () => {
      const { targetInfos } = await browser.send('Target.getTargets', {})
      const isOpen = targetInfos.some((target) => target.type === 'page' && target.browserContextId === contextId)
      if (!isOpen) resolve()
    }
    browser.on('Target.targetDestroyed', () => void check().catch(() => undefined))
  })
}
