import { CdpError } from '../../browser/cdp/error.ts'
import { withDeadline } from '../../browser/deadline.ts'
import type { LiveTab } from './live-tab.ts'

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
