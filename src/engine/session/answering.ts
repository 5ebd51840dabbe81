import { DeadlineError, withDeadline } from '../browser/deadline.ts'
import { untilDialog } from './page/blocked.ts'
import type { LiveTab } from './page/live-tab.ts'

/** A script that holds its page for longer is not coming to an end. */
const answerMs = 10_000
const stopMs = 2000

/** Waits until the page answers, or stands still for a dialog; a script that keeps it from that for too long is stopped. */
export async function answering({ session, dialogs }: LiveTab, signal: AbortSignal): Promise<void> {
  if (dialogs.open()) return
  try {
    await withDeadline({ step: 'answer', ms: answerMs }, signal, (within) =>
      untilDialog({ dialogs }, within, (during) => session.send('Runtime.evaluate', { expression: '0' }, during)),
    )
  } catch (error) {
    signal.throwIfAborted()
    // Whoever needs the page meets any other failure, and tells it.
    if (!(error instanceof DeadlineError)) return
    await withDeadline({ step: 'stop a script', ms: stopMs }, signal, (within) =>
      session.send('Runtime.terminateExecution', {}, within),
    ).catch(() => undefined)
  }
}
