import { fail } from '../../../kernel/error.ts'
import { DeadlineError, withDeadline } from '../../../util/deadline.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { freed, untilDialog } from '../page/blocked.ts'
import type { Tabs } from '../page/tabs.ts'

/** A script that holds its page for longer is not coming to an end. */
const answerMs = 10_000

/**
 * Waits until the current page answers, or stands still for a dialog; a script that keeps it from that for too long is stopped.
 * A page that cannot be stopped loses its tab to a blank one: fails with SESSION_FAILED.
 */
export async function answering(tabs: Tabs, signal: AbortSignal): Promise<void> {
  const tab = tabs.current()
  if (tab.dialogs.open() || (await answers(tab, signal)) || (await freed(tab, signal))) return
  await tabs.replace(tab, signal)
  fail('SESSION_FAILED', {
    message: 'The page had stopped answering for good, and its tab was closed.',
    hint: 'Go on in the blank tab that has taken its place.',
  })
}

async function answers({ session, dialogs }: LiveTab, signal: AbortSignal): Promise<boolean> {
  try {
    await withDeadline({ step: 'answer', ms: answerMs }, signal, (within) =>
      untilDialog({ dialogs }, within, (during) => session.send('Runtime.evaluate', { expression: '0' }, during)),
    )
  } catch (error) {
    signal.throwIfAborted()
    // Whoever needs the page meets any other failure, and tells it.
    return !(error instanceof DeadlineError)
  }
  return true
}
