import { setTimeout as sleep } from 'node:timers/promises'
import type { PageAction } from '../../../contracts/render.ts'
import type { Replay } from '../../../contracts/session.ts'
import { AppError, fail, failure } from '../../../kernel/error.ts'
import { DeadlineError, withDeadline } from '../../../util/deadline.ts'
import type { Connection } from '../../browser/cdp/connection.ts'
import { CdpError } from '../../browser/cdp/error.ts'
import { emulate, metricsOf } from '../../browser/emulation/emulate.ts'
import { sendHeaders, sortHeaders } from '../../browser/emulation/headers.ts'
import { runActions } from '../../browser/page/actions.ts'
import { waitForConsent } from '../../browser/page/consent.ts'
import { navigateAndWait as goThere, type RenderContext } from '../../browser/page/render.ts'
import { acceptDialogs } from '../../browser/page/tab.ts'
import { closePopups } from '../../browser/pool/context.ts'
import type { LiveTab } from '../page/live-tab.ts'

export type ReplayFacts = RenderContext & { connection: Pick<Connection, 'browser'> }

/** As long as a scrape may take at most, ms. */
const replayMs = 300_000

/** What only takes something from the page is left out, and keeps its number. */
const leavesTrace = ({ type }: PageAction) => type !== 'screenshot' && type !== 'scrape' && type !== 'pdf'
const nothing: PageAction = { type: 'wait', milliseconds: 0 }

/**
 * Makes the visit of a scrape once more in a tab that stays as it then is: with everything loaded, since it is going to be
 * looked at. Cookie banners are refused by whoever opened the tab. Answers what the visit has to remark. Fails with
 * REPLAY_UNAVAILABLE where the page does not come or an action fails, SESSION_FAILED, or the signal's reason.
 */
export async function arrive(
  tab: LiveTab,
  replay: Replay,
  facts: ReplayFacts,
  signal: AbortSignal,
): Promise<string | undefined> {
  // As in a scrape, nobody is there to answer dialogs, and what opens in another window is followed in this one.
  const ends = [acceptDialogs(tab.session), closePopups(facts.connection, tab.contextId)]
  try {
    const remark = await withDeadline({ step: 'make the visit again', ms: replayMs }, signal, (within) =>
      visitAgain(tab, replay, facts, within),
    )
    // What happened until now is nothing that the caller has done.
    tab.dialogs.past()
    tab.complaints()
    return remark
  } catch (error) {
    signal.throwIfAborted()
    throw unreached(error)
  } finally {
    for (const end of ends) end()
  }
}

async function visitAgain(
  tab: LiveTab,
  replay: Replay,
  { version, proxyErrorOf: faultOf }: ReplayFacts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { url, blockAds, waitForMs, actions, screenshot } = replay
  const headers = sortHeaders(replay.headers, url)
  const viewport = screenshot?.viewport
  await emulate(tab, { ...replay, viewport, version, userAgent: headers.userAgent }, signal)
  await sendHeaders(tab, headers, url, signal)
  const { end, warning } = await goThere(tab, { url, signal }, faultOf)
  if (end.kind === 'download') fail('REPLAY_UNAVAILABLE', { message: 'The address leads to a file and not to a page.' })
  if (blockAds && warning === undefined) await waitForConsent(tab, signal)
  if (waitForMs > 0) await sleep(waitForMs, undefined, { signal })
  const steps = actions.map((action) => (leavesTrace(action) ? action : nothing))
  await runActions(tab, steps, metricsOf({ ...replay, viewport }), signal)
  // A page that never came to its end may have been stopped; the ones after it are not.
  if (warning !== undefined) await tab.session.send('Emulation.setScriptExecutionDisabled', { value: false }, signal)
  return warning
}

/** What keeps the visit from being made again, in words of ours. */
function unreached(error: unknown): unknown {
  if (error instanceof CdpError) return failure('SESSION_FAILED', { cause: error })
  if (error instanceof DeadlineError) return unavailable(`A step did not end in time: ${error.step}.`, {}, error)
  if (!(error instanceof AppError) || error.code === 'REPLAY_UNAVAILABLE') return error
  const { code, message, details } = error
  return unavailable(message, { code, ...stepOf(details) }, error)
}

/** Which action it was; not what those before it made. */
function stepOf(details: unknown): object {
  const { index, type, reason } = (details ?? {}) as { index?: number; type?: string; reason?: string }
  return type === undefined ? {} : { index, type, reason }
}

const unavailable = (reason: string, details: object, cause: unknown) =>
  failure('REPLAY_UNAVAILABLE', { message: `The page state of the scrape was not reached. ${reason}`, details, cause })
