import type { SessionAction, ActionsResult, SnapshotOptions } from '../../../src/contracts/render-port.ts'
import { performActions } from '../../../src/engine/session/page/act.ts'
import { snapshot } from '../../../src/engine/session/page/snapshot.ts'
import { createTabs, type Tabs } from '../../../src/engine/session/page/tabs.ts'
import { shareHere } from '../../browser/programs/shared.ts'
import { startSite } from '../../helpers/site.ts'
import { reachRoutes } from '../../helpers/site/act-reach.ts'
import { lateRoutes } from '../../helpers/site/act-late.ts'
import { pressRoutes } from '../../helpers/site/act-press.ts'
import { widgetRoutes } from '../../helpers/site/act-widgets.ts'
import { actRoutes } from '../../helpers/site/act.ts'
import { livePageRoutes } from '../../helpers/site/hidden-live.ts'
import type { Routes } from '../../helpers/site/route.ts'

/** Calls of a client with its own model, and their cost. */
export type Agent = {
  tabs: Tabs
  act(...acts: SessionAction[]): Promise<ActionsResult>
  /** Navigates to a path of the site, or to a URL. */
  open(url: string): Promise<ActionsResult>
  click(target: string): Promise<ActionsResult>
  fill(target: string, value: string): Promise<ActionsResult>
  look(options?: SnapshotOptions): Promise<string>
  /** Returns the ref in the first line of the last answer that contains the text. */
  ref(text: string): string
  cost(): { calls: number; characters: number }
  close(): Promise<void>
}

/** Starts a site and a browser; each agent gets its own browser context. */
export async function openLive({ routes, more }: { routes?: Routes; more?: readonly string[] } = {}) {
  const site = await startSite({
    routes: {
      ...actRoutes,
      ...lateRoutes,
      ...reachRoutes,
      ...pressRoutes,
      ...widgetRoutes,
      ...livePageRoutes,
      ...routes,
    },
  })
  const browser = await shareHere(more && { more })
  const { connection } = browser
  return {
    site,
    browser,
    async agent(): Promise<Agent> {
      const { browserContextId: contextId } = await connection.browser.send('Target.createBrowserContext', {
        disposeOnDetach: true,
      })
      await connection.browser.send('Browser.setDownloadBehavior', {
        behavior: 'deny',
        browserContextId: contextId,
        eventsEnabled: true,
      })
      const tabs = await createTabs(connection, { contextId }, AbortSignal.timeout(20_000))
      const cost = { calls: 0, characters: 0 }
      let last = ''
      const spent = (text: string) => {
        cost.calls += 1
        cost.characters += text.length
        last = text
        return text
      }
      const act: Agent['act'] = async (...acts) => {
        const placed = acts.map((each) =>
          each.type === 'navigate' ? { ...each, url: URL.parse(each.url, site.origin)?.href ?? each.url } : each,
        )
        const result = await performActions({ tabs, actMs: 8000 }, placed, AbortSignal.timeout(28_000))
        spent(result.text)
        return result
      }
      return {
        tabs,
        act,
        open: (url) => act({ type: 'navigate', url }),
        click: (target) => act({ type: 'click', target }),
        fill: (target, value) => act({ type: 'fill', target, value }),
        look: async (options = {}) =>
          spent((await snapshot(tabs.current(), options, AbortSignal.timeout(20_000))).text),
        ref: (text) => refIn(last, text),
        cost: () => ({ ...cost }),
        close: async () =>
          void (await connection.browser.send('Target.disposeBrowserContext', { browserContextId: contextId })),
      }
    },
    async close() {
      await browser.close()
      await site.close()
    },
  }
}

/** Returns the first ref after a text in the first line that contains both, or else the first ref of that line. */
function refIn(answer: string, text: string): string {
  const line = answer.split('\n').find((each) => each.includes(text) && /\be\d+\b/.test(each))
  const found = line && (/\be\d+\b/.exec(line.slice(line.indexOf(text))) ?? /\be\d+\b/.exec(line))
  if (!found) throw new Error(`No ref for "${text}" in:\n${answer}`)
  return found[0]
}
