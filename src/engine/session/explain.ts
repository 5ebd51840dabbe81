import { AppError } from '../../core/error.ts'
import type { CodeResult } from '../../core/session.ts'
import type { FaultOf } from '../browser/navigate.ts'
import type { LiveTab } from './page/live-tab.ts'

/**
 * Adds to the result of code why it failed, where code cannot know: of a refused address the browser tells only that its
 * proxy failed, and while a dialog is open nothing that is asked of the page answers.
 */
export function explained(result: CodeResult, tab: Pick<LiveTab, 'dialogs' | 'traffic'>, faultOf: FaultOf): CodeResult {
  const why = whyOf(result, tab, faultOf)
  if (why === undefined) return result
  const { error, stderr } = result
  return { ...result, stderr: `${stderr}[note] ${why}\n`, ...(error !== undefined && { error: `${error} ${why}` }) }
}

function whyOf(
  { error = '', stderr, killed }: CodeResult,
  { dialogs, traffic }: Pick<LiveTab, 'dialogs' | 'traffic'>,
  faultOf: FaultOf,
): string | undefined {
  const kind = dialogs.open()?.kind
  if (killed && kind) return `A dialog (${kind}) is open, and the page stands still until it is answered.`
  const [, asked] = /net::ERR_\w+ at (https?:\/\/\S+)/.exec(`${error}\n${stderr}`) ?? []
  if (asked === undefined) return undefined
  // Where a redirect led, only the tab knows.
  const fault = faultOf(asked) ?? faultOf(traffic.asked() ?? asked)
  return fault instanceof AppError ? [fault.message, fault.hint].filter(Boolean).join(' ') : undefined
}
