import type { SessionAction } from '../../../contracts/render-port.ts'

export type ActionType = SessionAction['type']
export type ActionOf<T extends ActionType> = Extract<SessionAction, { type: T }>

/** Acts that leave the page as it is. Any other may change it. */
export const readOnlyActs: ReadonlySet<ActionType> = new Set(['extract', 'wait', 'screenshot', 'network', 'console'])

/**
 * What an act says for itself: nothing, a remark ("is now …"), what was extracted, a picture as a data URL, or where a text is that
 * was waited for.
 */
export type ActionOutcome = {
  remark?: string
  /** Something changed that a snapshot does not show. */
  hasEffect?: true
  extracted?: string
  picture?: string
  place?: { sought: string; text: string }
}

/** An act that could not be done; its message is for the model and may hold text of the page. */
export class ActionError extends Error {
  override readonly name = 'ActError'
}
