import type { Session } from './cdp/session.ts'
import { type Traffic, watchTraffic } from './traffic.ts'
import { createWorld, evaluate, type World } from './world.ts'

export { PageError } from './world.ts'

/** How mouse and keys are used: as fast as they go, or as a person would. */
export type Pace = 'machine' | 'person'

/** One page of a context, ready to be driven: its session, what goes over its network, and where it is. */
export type Tab = World & {
  readonly session: Session
  readonly targetId: string
  readonly contextId: string
  readonly traffic: Traffic
  readonly pace: Pace
  /** Evaluates an expression among the page's own scripts. */
  evaluate<T>(expression: string, signal?: AbortSignal): Promise<T>
}

export function createTab(session: Session, targetId: string, contextId: string, pace: Pace = 'machine'): Tab {
  // A dialog stops the page, and with it every step, until it is answered.
  session.on('Page.javascriptDialogOpening', ({ defaultPrompt }) => {
    const promptText = defaultPrompt === undefined ? {} : { promptText: defaultPrompt }
    session.send('Page.handleJavaScriptDialog', { accept: true, ...promptText }).catch(() => undefined)
  })
  return {
    session,
    targetId,
    contextId,
    pace,
    traffic: watchTraffic(session, targetId),
    evaluate: (expression, signal) => evaluate(session, { expression }, signal),
    ...createWorld(session, targetId),
  }
}
