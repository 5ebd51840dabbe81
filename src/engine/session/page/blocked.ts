import { succeeds, withDeadline } from '../../../util/async.ts'
import { sanitiseLine } from '../../../util/sanitise-text.ts'
import { CdpError } from '../../browser/cdp/cdp-session.ts'
import type { LiveTab, OpenDialog } from './live-tab.ts'

type PageSession = Pick<LiveTab, 'session'>

const stopMs = 2000

/** Stops a blocking script. Returns false if only closing the tab helps. */
export async function releasePage(tab: PageSession, signal?: AbortSignal): Promise<boolean> {
  const stopping = withDeadline({ step: 'stop a script', ms: stopMs }, signal, (within) =>
    tab.session.send('Runtime.terminateExecution', {}, within),
  )
  const isStopped = await succeeds(stopping)
  signal?.throwIfAborted()
  return isStopped || !(await isBeingLeft(tab, signal))
}

/** True while the page navigates away: Chromium refuses commands ("not active"), forever if a script never ends. */
async function isBeingLeft({ session }: PageSession, signal?: AbortSignal): Promise<boolean> {
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

/** Resolves with the result of work in a page, or with a dialog that opens meanwhile and blocks the page. */
export async function untilDialog<T>(
  tab: Pick<LiveTab, 'dialogs'>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ value: T } | { dialog: OpenDialog }> {
  const own = new AbortController()
  const within = AbortSignal.any([signal, own.signal])
  const value = work(within).then((done) => ({ value: done }))
  const dialog = tab.dialogs.opened(within).then((open) => ({ dialog: open }))
  // The promise that settles second is ignored.
  for (const each of [value, dialog]) each.catch(() => undefined)
  try {
    return await Promise.race([value, dialog])
  } finally {
    own.abort(new Error('The work is over.'))
  }
}

export function openDialogText({ kind, message, defaultText }: OpenDialog): string {
  const given = defaultText ? ` (default "${sanitiseLine(defaultText)}")` : ''
  const how =
    kind === 'prompt' ? '{type: "dialog", accept: true, value: "…"}' : '{type: "dialog", accept: true | false}'
  return `A ${kind} is open and the page waits: "${message}"${given}. Answer it with ${how}.`
}
