import type { SessionAction } from '../../../contracts/render-port.ts'
import type { KeptFile } from '../session-downloads.ts'

export type ActionType = SessionAction['type']
export type ActionOf<T extends ActionType> = Extract<SessionAction, { type: T }>

/** Actions that do not change the page; any other action may. */
export const readOnlyActs: ReadonlySet<ActionType> = new Set(['extract', 'wait', 'screenshot', 'network', 'console'])

/** Result of an action: a remark ("is now …"), content, a picture as a data URL, or the lines around a text. */
export type ActionOutcome = {
  remark?: string
  /** True if something changed that a snapshot does not show. */
  hasEffect?: true
  extracted?: string
  picture?: string
  /** The whole of a picture that shows a part. */
  file?: KeptFile
  place?: { sought: string; text: string }
}
