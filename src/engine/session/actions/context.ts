import type { LiveTab } from '../page/live-tab.ts'
import type { Tabs } from '../page/tabs.ts'
import type { ActionOf, ActionType, Said } from '../page/types.ts'

/** What acts are done with. */
export type ActionContext = {
  tabs: Tabs
  tab: LiveTab
  /** Makes markdown of HTML; without it, text is given in its place. */
  toMarkdown?: ((html: string, url: string, signal: AbortSignal) => Promise<string>) | undefined
  /** How long one act may take in a page that does not answer; navigations and waits bring their own times. */
  actMs?: number | undefined
  /** What our own proxy says of an address that it refused. */
  faultOf?: ((url: string) => unknown) | undefined
}
export type ActionHandler<T extends ActionType> = (
  stage: ActionContext,
  act: ActionOf<T>,
  signal: AbortSignal,
) => Promise<Said>
