import { DeadlineError, withDeadline } from '../../browser/deadline.ts'
import { untilDialog } from './blocked.ts'
import type { LiveTab } from './live-tab.ts'

type Held = Pick<LiveTab, 'session' | 'dialogs'>

const stopMs = 2000

/** Whether the page answers in that time. Anything but silence is an answer: a dialog, a crash, a tab that has left. */
export async function answers({ session, dialogs }: Held, ms: number, signal?: AbortSignal): Promise<boolean> {
  try {
    await withDeadline({ step: 'answer', ms }, signal, (within) =>
      untilDialog({ dialogs }, within, (during) => session.send('Runtime.evaluate', { expression: '0' }, during)),
    )
  } catch (error) {
    signal?.throwIfAborted()
    return !(error instanceof DeadlineError)
  }
  return true
}

/**
 * Stops the script that holds a page. False when that does not help: while another page is about to take its place, Chromium
 * keeps back everything that is sent to it, and only closing the tab ends it.
 */
export async function freed(tab: Held, signal?: AbortSignal): Promise<boolean> {
  await withDeadline({ step: 'stop a script', ms: stopMs }, signal, (within) =>
    tab.session.send('Runtime.terminateExecution', {}, within),
  ).catch(() => signal?.throwIfAborted())
  return answers(tab, stopMs, signal)
}
