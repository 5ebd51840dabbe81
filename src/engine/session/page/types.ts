import type { Act } from '../../../contracts/page-action.ts'

export type ActType = Act['type']
export type ActOf<T extends ActType> = Extract<Act, { type: T }>

/** What an act says for itself: nothing, a remark ("is now …"), what was extracted, or where a text is that was waited for. */
export type Said = { remark?: string; extracted?: string; place?: { sought: string; text: string } }

/** An act that could not be done; its message is for the model and may hold text of the page. */
export class ActError extends Error {
  override readonly name = 'ActError'
}
