import type { Session } from './cdp/session.ts'
import { type Traffic, watchTraffic } from './traffic.ts'
import { watchWindows, type Windows } from './windows.ts'
import { createWorld, evaluate, type World } from './world.ts'

export { PageError } from './world.ts'

/** How mouse and keys are used: as fast as they go, or as a person would. */
export type Pace = 'machine' | 'person'

/** What an earlier visit has left in a page keeps the next one out. */
export class StalePageError extends Error {
  override readonly name = 'StalePageError'
}

/** What a page that is used again knows of the visits before. */
export type Reused = {
  /** The last visit left the page set up for another one like it. */
  readonly isSetUp: boolean
  /** Does work once for all visits of the context: the next one gets what the first one made. */
  once<T>(work: () => Promise<T>): Promise<T>
  /** The page is not to be used again. */
  spoil(): void
}

/** One page of a context, ready to be driven: its session, what goes over its network, and where it is. */
export type Tab = World & {
  readonly session: Session
  readonly targetId: string
  readonly contextId: string
  readonly traffic: Traffic
  readonly windows: Windows
  readonly pace: Pace
  /** Undefined for a page that is used once. */
  readonly reused?: Reused
  /** Evaluates an expression among the page's own scripts. */
  evaluate<T>(expression: string, signal?: AbortSignal): Promise<T>
}

export function createTab(session: Session, targetId: string, contextId: string, pace: Pace = 'machine'): Tab {
  answerDialogs(session)
  return {
    session,
    targetId,
    contextId,
    pace,
    traffic: watchTraffic(session, targetId),
    windows: watchWindows(session),
    evaluate: (expression, signal) => evaluate(session, { expression, userGesture: true }, signal),
    ...createWorld(session, targetId),
  }
}

/** A dialog stops the page, and with it every step, until it is answered. Returns what ends the answering. */
export function answerDialogs(session: Session): () => void {
  return session.on('Page.javascriptDialogOpening', ({ defaultPrompt }) => {
    const promptText = defaultPrompt === undefined ? {} : { promptText: defaultPrompt }
    session.send('Page.handleJavaScriptDialog', { accept: true, ...promptText }).catch(() => undefined)
  })
}
