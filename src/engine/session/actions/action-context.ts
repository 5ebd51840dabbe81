import type { Metrics } from '../../browser/emulation/emulate.ts'
import type { LiveTab } from '../page/live-tab.ts'
import type { People } from '../people.ts'
import type { Tabs } from '../page/tabs.ts'
import type { ActionOf, ActionType, ActionOutcome } from '../page/action-types.ts'

/** What the handlers of actions work with. */
export type ActionContext = {
  tabs: Tabs
  tab: LiveTab
  /** Converts HTML to markdown; without it, the result is text. */
  toMarkdown?: ((html: string, url: string, signal: AbortSignal) => Promise<string>) | undefined
  /** How long one act may take in a page that does not answer; navigations and waits bring their own times. */
  actMs?: number | undefined
  /** Those who watch and take part. */
  people?: People | undefined
  /** How pages are laid out; without it, as on a desktop. */
  metrics?: Metrics | undefined
  /** Why our own proxy refused a URL. */
  proxyErrorOf?: ((url: string) => unknown) | undefined
}
export type ActionHandler<T extends ActionType> = (
  stage: ActionContext,
  act: ActionOf<T>,
  signal: AbortSignal,
) => Promise<ActionOutcome>
