import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveTab } from '../live-tab.ts'
import { ActionError, type ActionOutcome, type ActionType } from '../types.ts'

/** How long an act that made its own frame leave may take to end, ms. */
const lastWordMs = 500
/** They have done what they do when the frame notices. */
const done: ReadonlySet<ActionType> = new Set(['click', 'doubleClick', 'drag', 'press'])

/** Does an act, and aborts it once its frame has left the page: nothing answers input into such a frame. */
export async function abortWhenFrameLeaves(
  { frames }: Pick<LiveTab, 'frames'>,
  type: ActionType,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  const over = new AbortController()
  const leaving = new AbortController()
  const left = new ActionError('The frame left the page while this was done in it.')
  const giveUp = async () => {
    await frames.whenActedLeaves(AbortSignal.any([signal, over.signal]))
    await sleep(lastWordMs)
    leaving.abort(left)
  }
  void giveUp()
  try {
    return await work(AbortSignal.any([signal, leaving.signal]))
  } catch (error) {
    if (error !== left || !done.has(type)) throw error
    return { remark: 'the frame left the page' }
  } finally {
    over.abort()
  }
}
