import { setTimeout as sleep } from 'node:timers/promises'
import type { PageAction } from '../../contracts/render-port.ts'
import type { Replay } from '../../contracts/session-port.ts'
import { AppError, fail, failure } from '../../kernel/error.ts'
import { DeadlineError, withDeadline } from '../../util/async.ts'
import type { Connection } from '../browser/cdp/cdp-connection.ts'
import { CdpError } from '../browser/cdp/cdp-session.ts'
import { emulate, metricsOf, sendHeaders, sortHeaders } from '../browser/emulation/emulate.ts'
import { runActions } from '../browser/page/run-page-actions.ts'
import { waitForConsent } from '../browser/page/consent.ts'
import { navigateAndWait as goThere, type RenderContext } from '../browser/page/render-page.ts'
import { acceptDialogs } from '../browser/page/tab.ts'
import { closePopups } from '../browser/pool/browser-context.ts'
import type { LiveTab } from './page/live-tab.ts'

type ReplayFacts = RenderContext & { connection: Pick<Connection, 'browser'> }

/** Maximum timeout of a scrape, in ms. */
const replayMs = 300_000

/** True for actions to repeat. Waits replace the others, so a failed action has the same index as in the scrape. */
const changesPage = ({ type }: PageAction) => type !== 'screenshot' && type !== 'scrape' && type !== 'pdf'
const noAction: PageAction = { type: 'wait', milliseconds: 0 }

/** Repeats the visit of a scrape with images loaded and returns its warning. Fails with REPLAY_UNAVAILABLE. */
export async function arrive(tab: LiveTab, replay: Replay, facts: ReplayFacts, signal: AbortSignal) {
  // As in a scrape, dialogs are answered automatically and popups open in this tab.
  const ends = [acceptDialogs(tab.session), closePopups(facts.connection, tab.contextId)]
  try {
    const warning = await withDeadline({ step: 'repeat the visit of the scrape', ms: replayMs }, signal, (within) =>
      repeatVisit(tab, replay, facts, within),
    )
    // Events of the replay are not results of the caller's actions.
    tab.dialogs.past()
    tab.takeConsoleErrors()
    return warning
  } catch (error) {
    signal.throwIfAborted()
    throw replayError(error)
  } finally {
    for (const end of ends) end()
  }
}

async function repeatVisit(tab: LiveTab, replay: Replay, { version, proxyErrorOf }: ReplayFacts, signal: AbortSignal) {
  const { url, blockAds, waitForMs, actions, screenshot } = replay
  const headers = sortHeaders(replay.headers, url)
  const viewport = screenshot?.viewport
  await emulate(tab, { ...replay, viewport, version, userAgent: headers.userAgent }, signal)
  await sendHeaders(tab, headers, url, signal)
  const { end, warning } = await goThere(tab, { url, signal }, proxyErrorOf)
  if (end.kind === 'download') fail('REPLAY_UNAVAILABLE', { message: 'The URL leads to a file, not to a page.' })
  if (blockAds && warning === undefined) await waitForConsent(tab, signal)
  if (waitForMs > 0) await sleep(waitForMs, undefined, { signal })
  const steps = actions.map((action) => (changesPage(action) ? action : noAction))
  await runActions(tab, steps, metricsOf({ ...replay, viewport }), signal)
  // Scripts may have been disabled on a page that never finished loading; later pages need them.
  if (warning !== undefined) await tab.session.send('Emulation.setScriptExecutionDisabled', { value: false }, signal)
  return warning
}

function replayError(error: unknown): unknown {
  if (error instanceof CdpError) return failure('SESSION_FAILED', { cause: error })
  if (error instanceof DeadlineError) return unavailable(`A step timed out: ${error.step}.`, {}, error)
  if (!(error instanceof AppError) || error.code === 'REPLAY_UNAVAILABLE') return error
  const { code, message, details } = error
  return unavailable(message, { code, ...stepOf(details) }, error)
}

/** Returns the failed action without the results of earlier actions. */
function stepOf(details: unknown): object {
  const { index, type, reason } = (details ?? {}) as { index?: number; type?: string; reason?: string }
  return type === undefined ? {} : { index, type, reason }
}

const unavailable = (reason: string, details: object, cause: unknown) =>
  failure('REPLAY_UNAVAILABLE', {
    message: `The page state of the scrape could not be restored. ${reason}`,
    details,
    cause,
  })
