import { withDeadline } from '../../../util/deadline.ts'
import { CdpError } from '../../browser/cdp/error.ts'
import type { LiveTab } from './live-tab.ts'
import type { OpenDialog } from './dialogs.ts'

type Held = Pick<LiveTab, 'session'>

const stopMs = 2000

/**
 * Stops the script that holds a page. False when only closing the tab ends it; a page that is merely busy comes back by itself.
 * Fails with the signal's reason.
 */
export async function freed(tab: Held, signal?: AbortSignal): Promise<boolean> {
  const stopping = withDeadline({ step: 'stop a script', ms: stopMs }, signal, (within) =>
    tab.session.send('Runtime.terminateExecution', {}, within),
  )
  const isStopped = await stopping.then(
    () => true,
    () => false,
  )
  signal?.throwIfAborted()
  return isStopped || !(await isBeingLeft(tab, signal))
}

/**
 * While the next page waits to be shown, Chromium keeps back from the one before all that could stop it; where that one's
 * script never ends, it stays so. The browser itself answers for it then, that it is not the active page any more.
 */
async function isBeingLeft({ session }: Held, signal?: AbortSignal): Promise<boolean> {
  try {
    await withDeadline({ step: 'stop loading', ms: stopMs }, signal, (within) =>
      session.send('Page.stopLoading', {}, within),
    )
    return false
  } catch (error) {
    signal?.throwIfAborted()
    return error instanceof CdpError && error.why === 'refused' && /active page/i.test(error.message)
  }
}

/** Work in a page ends, or a dialog opens in which the page stands still until it is answered. */
export async function untilDialog<T>(
  tab: Pick<LiveTab, 'dialogs'>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ value: T } | { dialog: OpenDialog }> {
  const own = new AbortController()
  const within = AbortSignal.any([signal, own.signal])
  const value = work(within).then((done) => ({ value: done }))
  const dialog = tab.dialogs.opened(within).then((open) => ({ dialog: open }))
  // Whichever comes second is of no interest.
  for (const each of [value, dialog]) each.catch(() => undefined)
  try {
    return await Promise.race([value, dialog])
  } finally {
    own.abort(new Error('The work is over.'))
  }
}

export function waitingFor({ kind, message, defaultText }: OpenDialog): string {
  const given = defaultText ? ` (default "${defaultText}")` : ''
  const how = kind === 'prompt' ? '{type: "dialog", accept: true, text: "…"}' : '{type: "dialog", accept: true | false}'
  return `A ${kind} is open and the page waits: "${message}"${given}. Answer it with ${how}.`
}
