import type { SessionAction } from '../../../contracts/render-port.ts'

export type ActionType = SessionAction['type']
export type ActionOf<T extends ActionType> = Extract<SessionAction, { type: T }>

/** Actions that do not change the page; any other action may. */
export const readOnlyActs: ReadonlySet<ActionType> = new Set(['extract', 'wait', 'screenshot', 'network', 'console'])

/**
 * Result of an action: empty, or a remark ("is now …"), extracted content, a screenshot as a data URL, or the lines
 * around an awaited text.
 */
export type ActionOutcome = {
  remark?: string
  /** True if something changed that a snapshot does not show. */
  hasEffect?: true
  extracted?: string
  picture?: string
  place?: { sought: string; text: string }
}

/** An action that could not be performed. The message is for the model and may contain page text. */
export class ActionError extends Error {
  override readonly name = 'ActError'
}
