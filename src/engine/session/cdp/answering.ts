import { fail } from '../../../kernel/error.ts'
import { DeadlineError, withDeadline } from '../../../util/async.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { releasePage, untilDialog } from '../page/blocked.ts'
import type { Tabs } from '../page/tabs.ts'

/** A script that blocks its page for longer will not end. */
const answerMs = 10_000

/**
 * Waits until the current page responds or shows a dialog; stops a script that blocks it for too long. If the page cannot be
 * stopped, replaces its tab with a blank one and fails with SESSION_FAILED.
 */
export async function ensureResponsive(tabs: Tabs, signal: AbortSignal): Promise<void> {
  const tab = tabs.current()
  if (tab.dialogs.open() || (await responds(tab, signal)) || (await releasePage(tab, signal))) return
  await tabs.replace(tab, signal)
  fail('SESSION_FAILED', {
    message: 'The page stopped responding, and its tab was closed.',
    hint: 'Continue in the blank tab that replaced it.',
  })
}

async function responds({ session, dialogs }: LiveTab, signal: AbortSignal): Promise<boolean> {
  try {
    await withDeadline({ step: 'answer', ms: answerMs }, signal, (within) =>
      untilDialog({ dialogs }, within, (during) => session.send('Runtime.evaluate', { expression: '0' }, during)),
    )
  } catch (error) {
    signal.throwIfAborted()
    // The caller meets any other error itself and reports it.
    return !(error instanceof DeadlineError)
  }
  return true
}
