import type { CodeResult } from '../../contracts/session.ts'
import { AppError, failure } from '../../kernel/error.ts'
import { DeadlineError } from '../../util/deadline.ts'
import { CdpError } from '../browser/cdp/error.ts'
import type { ProxyErrorOf } from '../browser/page/navigate.ts'
import { PageError } from '../browser/page/tab.ts'
import type { LiveTab } from './page/live-tab.ts'

/** What went wrong in the browser, in words of the contract. */
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
  hint: 'Go on in a new tab: browser_act with {"type": "tab", "do": "open"}.',
}

/**
 * Adds to the result of code why it failed, where code cannot know: of a refused address the browser tells only that its
 * proxy failed, and while a dialog is open nothing that is asked of the page answers.
 */
export function explainFailure(
  result: CodeResult,
  tab: Pick<LiveTab, 'dialogs' | 'traffic'>,
  faultOf: ProxyErrorOf,
): CodeResult {
  const why = failureReason(result, tab, faultOf)
  if (why === undefined) return result
  const { error, stderr } = result
  return { ...result, stderr: `${stderr}[note] ${why}\n`, ...(error !== undefined && { error: `${error} ${why}` }) }
}

function failureReason(
  { error = '', stderr, killed }: CodeResult,
  { dialogs, traffic }: Pick<LiveTab, 'dialogs' | 'traffic'>,
  faultOf: ProxyErrorOf,
): string | undefined {
  const kind = dialogs.open()?.kind
  if (killed && kind) return `A dialog (${kind}) is open, and the page stands still until it is answered.`
  const [, asked] = /net::ERR_\w+ at (https?:\/\/\S+)/.exec(`${error}\n${stderr}`) ?? []
  if (asked === undefined) return undefined
  // Where a redirect led, only the tab knows.
  const fault = faultOf(asked) ?? faultOf(traffic.requestedUrl() ?? asked)
  return fault instanceof AppError ? [fault.message, fault.hint].filter(Boolean).join(' ') : undefined
}
