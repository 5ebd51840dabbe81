import { failure } from '../../../kernel/error.ts'
import type { Connection } from '../cdp/connection.ts'
import { CdpError } from '../cdp/error.ts'
import { collectState, restoreState } from './state.ts'
import { type StatePlace, watchOrigins } from './storage-page.ts'
import type { HeldProfile } from './store.ts'

export type WindowVisit = {
  /** Of a browser that shows windows. */
  connection: Pick<Connection, 'browser' | 'attach' | 'closed'>
  held: HeldProfile
  url: string
  /** Resolves when the person says that it is done; closing the last window says so too. */
  done: Promise<unknown>
}

/**
 * Shows a window with the storage of a profile, for a person, and saves what it then has. No script and no session
 * touches its pages meanwhile. Answers what could not be put back or kept; fails with BROWSER_UNAVAILABLE when the whole
 * browser was quit, and with the signal's reason: both save nothing.
 */
export async function visitByWindow(visit: WindowVisit, signal: AbortSignal): Promise<string[]> {
  try {
    return await visitAndSave(visit, signal)
  } catch (error) {
    if (!(error instanceof CdpError) || error.why !== 'closed') throw error
    throw failure('BROWSER_UNAVAILABLE', {
      message: 'The browser was quit before its storage could be read, so nothing was saved.',
      hint: 'Log in again, and then close the window or press Enter instead.',
      cause: error,
    })
  }
}

async function visitAndSave({ connection, held, url, done }: WindowVisit, signal: AbortSignal): Promise<string[]> {
  const { browser } = connection
  const { browserContextId: contextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true })
  const place = { connection, contextId }
  const restored = await restoreState(place, held.state, signal)
  const origins = await watchOrigins(place, undefined, signal)
  try {
    await browser.send('Target.createTarget', { url, browserContextId: contextId, newWindow: true }, signal)
    // What comes next finds a browser that was quit.
    await firstOf([done, windowsClosed(place), connection.closed], signal)
    const wish = { visited: origins.seen(), before: held.state, partial: restored.partial }
    const { state, warnings } = await collectState(place, wish, signal)
    await held.save(state)
    return [...restored.warnings, ...warnings]
  } finally {
    origins.stop()
  }
}

function windowsClosed({ connection: { browser }, contextId }: StatePlace): Promise<void> {
  return new Promise((resolve) => {
    const look = async () => {
      const { targetInfos } = await browser.send('Target.getTargets', {})
      const isOpen = targetInfos.some((target) => target.type === 'page' && target.browserContextId === contextId)
      if (!isOpen) resolve()
    }
    browser.on('Target.targetDestroyed', () => void look().catch(() => undefined))
  })
}

function firstOf(ends: readonly Promise<unknown>[], signal: AbortSignal): Promise<unknown> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason as Error)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  return Promise.race([...ends, aborted]).finally(() => signal.removeEventListener('abort', leave))
}
