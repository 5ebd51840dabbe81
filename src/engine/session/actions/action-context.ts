import type { Metrics } from '../../browser/emulation/emulate.ts'
import type { LiveTab } from '../page/live-tab.ts'
import type { People } from '../people.ts'
import type { TypedSecrets } from '../secrets/typed-secrets.ts'
import type { Tabs } from '../page/tabs.ts'
import type { ActionOf, ActionType, ActionOutcome } from '../page/text/remarks.ts'

export type ActionContext = {
  tabs: Tabs
  tab: LiveTab
  /** Converts HTML to markdown; without it, the result is text. */
  toMarkdown?: ((html: string, url: string, signal: AbortSignal) => Promise<string>) | undefined
  /** Time limit in ms of one action on an unresponsive page; navigations and waits have their own limits. */
  actMs?: number | undefined
  people?: People | undefined
  secrets?: TypedSecrets | undefined
  metrics?: Metrics | undefined
  /** Returns the error with which our own proxy refused a URL. */
  proxyErrorOf?: ((url: string) => unknown) | undefined
}
export type ActionHandler<T extends ActionType> = (
  stage: ActionContext,
  act: ActionOf<T>,
  signal: AbortSignal,
) => Promise<ActionOutcome>
