import type { CodeResult } from '../../contracts/session-port.ts'
import { AppError, failure } from '../../kernel/error.ts'
import { DeadlineError } from '../../util/async.ts'
import { CdpError } from '../browser/cdp/error.ts'
import type { ProxyErrorOf } from '../browser/page/navigate.ts'
import { PageError } from '../browser/page/tab.ts'
import type { LiveTab } from './page/live-tab.ts'

/** Turns errors of the browser into SESSION_FAILED. */
export async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof DeadlineError)
      throw failure('SESSION_FAILED', { message: `The browser did not finish a step: ${cause.step}.`, cause })
    if (cause instanceof PageError) throw failure('SESSION_FAILED', { message: 'The page could not be read.', cause })
    if (cause instanceof CdpError) throw failure('SESSION_FAILED', { ...(cause.why === 'crashed' && crashed), cause })
    throw cause
  }
}

const crashed = {
  message: 'The page of the current tab has crashed.',
  hint: 'Continue in a new tab: browser_act with {"type": "tab", "do": "open"}.',
}

/**
 * Adds the reason of a failure that code cannot see: for a URL refused by our proxy the browser reports a proxy error only,
 * and while a dialog is open the page does not respond.
 */
export function explainFailure(
  result: CodeResult,
  tab: Pick<LiveTab, 'dialogs' | 'traffic'>,
  proxyErrorOf: ProxyErrorOf,
): CodeResult {
  const why = failureReason(result, tab, proxyErrorOf)
  if (why === undefined) return result
  const { error, stderr } = result
  return { ...result, stderr: `${stderr}[note] ${why}\n`, ...(error !== undefined && { error: `${error} ${why}` }) }
}

function failureReason(
  { error = '', stderr, killed }: CodeResult,
  { dialogs, traffic }: Pick<LiveTab, 'dialogs' | 'traffic'>,
  proxyErrorOf: ProxyErrorOf,
): string | undefined {
  const kind = dialogs.open()?.kind
  if (killed && kind) return `A dialog (${kind}) is open, and the page does not respond until it is answered.`
  const [, asked] = /net::ERR_\w+ at (https?:\/\/\S+)/.exec(`${error}\n${stderr}`) ?? []
  if (asked === undefined) return undefined
  // Only the tab knows where a redirect led.
  const fault = proxyErrorOf(asked) ?? proxyErrorOf(traffic.requestedUrl() ?? asked)
  return fault instanceof AppError ? [fault.message, fault.hint].filter(Boolean).join(' ') : undefined
}
