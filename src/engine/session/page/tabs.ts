import type { Connection } from '../../browser/cdp/connection.ts'
import { withDeadline } from '../../browser/deadline.ts'
import { createLiveTab, type LiveTab } from './live-tab.ts'

export type TabFacts = { id: string; url: string; title: string; isCurrent: boolean }
/** What happened beside the page since the last call. */
export type TabNews = { opened: readonly string[]; closed: readonly string[]; downloads: readonly string[] }

/** The tabs of a session. Ids are short and are never given twice: `t1`, `t2`. */
export type Tabs = {
  current(): LiveTab
  list(): Promise<TabFacts[]>
  /** A blank tab, which becomes the current one. */
  open(signal: AbortSignal): Promise<LiveTab>
  /** False when there is no such tab. */
  switchTo(id: string): Promise<boolean>
  close(id: string): Promise<boolean>
  /** Waits until tabs that a page is opening are there, and tells what happened. What a page opens becomes current. */
  news(): Promise<TabNews>
}
export type TabsOptions = {
  contextId: string
  /** Done for each tab before it is used: size of the window, language. */
  prepare?(tab: LiveTab, signal: AbortSignal): Promise<void>
}

type Open = { id: string; tab: LiveTab; opener?: string }
/** The tabs as they are now, and what has been heard of since somebody asked. */
type Row = {
  tabs: readonly Open[]
  current: Open | undefined
  count: number
  opened: readonly string[]
  closed: readonly string[]
  downloads: readonly string[]
}
type Place = { connection: Connection; options: TabsOptions; row: Row }

const attachMs = 10_000
/** Those that a page wants to open beyond them are closed. */
const mostTabs = 10
const titleMs = 500

/** Follows the tabs of one context of a browser. Fails with a CdpError when the browser is gone. */
export async function createTabs(connection: Connection, options: TabsOptions, signal: AbortSignal): Promise<Tabs> {
  const { browser } = connection
  const row: Row = { tabs: [], current: undefined, count: 0, opened: [], closed: [], downloads: [] }
  const place = { connection, options, row }
  const pending = watchTargets(place)
  await browser.send('Target.setDiscoverTargets', { discover: true }, signal)
  await openTab(place, signal)
  const find = (id: string) => row.tabs.find((each) => each.id === id)

  return {
    current() {
      if (!row.current) throw new Error('The session has no tab any more.')
      return row.current.tab
    },
    list: () =>
      Promise.all(
        row.tabs.map(async (each) => ({ id: each.id, isCurrent: each === row.current, ...(await placeOf(each)) })),
      ),
    open: (within) => openTab(place, within),
    async switchTo(id) {
      const wanted = find(id)
      if (!wanted) return false
      row.current = wanted
      await browser.send('Target.activateTarget', { targetId: wanted.tab.targetId })
      return true
    },
    async close(id) {
      const wanted = find(id)
      if (!wanted) return false
      // A session without tabs could not go on.
      if (row.tabs.length === 1) await openTab(place, AbortSignal.timeout(attachMs))
      await browser.send('Target.closeTarget', { targetId: wanted.tab.targetId })
      forget(row, wanted.tab.targetId)
      return true
    },
    async news() {
      await Promise.all(pending)
      const { opened, closed, downloads } = row
      Object.assign(row, { opened: [], closed: [], downloads: [] })
      return { opened, closed, downloads }
    },
  }
}

/** Takes in what pages open, and lets go of what is closed. Returns what is being taken in. */
function watchTargets(place: Place): ReadonlySet<Promise<unknown>> {
  const { connection, options, row } = place
  const { browser } = connection
  const pending = new Set<Promise<unknown>>()
  browser.on('Target.targetCreated', ({ targetInfo: { type, targetId, openerId, browserContextId } }) => {
    if (type !== 'page' || openerId === undefined || browserContextId !== options.contextId) return
    if (row.tabs.length + pending.size >= mostTabs)
      return void browser.send('Target.closeTarget', { targetId }).catch(() => undefined)
    const adopting = withDeadline({ step: 'attach to a tab', ms: attachMs }, undefined, async (within) => {
      const { id } = await adopt(place, targetId, openerId, within)
      row.opened = [...row.opened, id]
    }).catch(() => undefined)
    pending.add(adopting)
    void adopting.finally(() => pending.delete(adopting))
  })
  browser.on('Target.targetDestroyed', ({ targetId }) => forget(row, targetId))
  browser.on('Browser.downloadWillBegin', ({ suggestedFilename }) => {
    row.downloads = [...row.downloads, suggestedFilename]
  })
  return pending
}

async function openTab(place: Place, signal: AbortSignal): Promise<LiveTab> {
  const { connection, options } = place
  const wish = { url: 'about:blank', browserContextId: options.contextId, newWindow: true }
  const { targetId } = await connection.browser.send('Target.createTarget', wish, signal)
  return (await adopt(place, targetId, undefined, signal)).tab
}

async function adopt(
  { connection, options, row }: Place,
  targetId: string,
  opener: string | undefined,
  signal: AbortSignal,
): Promise<Open> {
  const session = await connection.attach(targetId, signal)
  const tab = createLiveTab(session, targetId, options.contextId)
  await Promise.all([
    session.send('Page.enable', {}, signal),
    session.send('Network.enable', { maxTotalBufferSize: 1, maxResourceBufferSize: 1 }, signal),
    session.send('Runtime.enable', {}, signal),
    session.send('Emulation.setFocusEmulationEnabled', { enabled: true }, signal),
    // Of the tabs of one window only the one in front is painted.
    connection.browser.send('Target.activateTarget', { targetId }, signal),
  ])
  await options.prepare?.(tab, signal)
  const open: Open = { id: `t${++row.count}`, tab, ...(opener !== undefined && { opener }) }
  row.tabs = [...row.tabs, open]
  row.current = open
  return open
}

/** What was opened by a page leads back to it. */
function forget(row: Row, targetId: string): void {
  const gone = row.tabs.find(({ tab }) => tab.targetId === targetId)
  if (!gone) return
  row.tabs = row.tabs.filter((each) => each !== gone)
  row.closed = [...row.closed, gone.id]
  if (row.current === gone) row.current = row.tabs.find(({ tab }) => tab.targetId === gone.opener) ?? row.tabs.at(-1)
}

/** What the browser knows of a title lags behind; a page that stands still does not answer. */
async function placeOf({ tab }: Open): Promise<{ url: string; title: string }> {
  const known = { url: tab.traffic.document()?.url ?? 'about:blank', title: '' }
  if (tab.dialogs.open()) return known
  return withDeadline({ step: 'ask for a title', ms: titleMs }, undefined, (within) =>
    tab.call(() => ({ url: location.href, title: document.title.slice(0, 120) }), [], within),
  ).catch(() => known)
}
