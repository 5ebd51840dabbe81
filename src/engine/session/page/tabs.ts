import { withDeadline } from '../../../util/deadline.ts'
import type { Connection } from '../../browser/cdp/connection.ts'
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
  /** Closes a tab, and tells of the blank one that becomes the current in its place. */
  replace(tab: LiveTab, signal: AbortSignal): Promise<LiveTab>
  /** Waits until tabs that are being opened are there, and tells what happened. What is opened becomes current. */
  news(): Promise<TabNews>
  targetIds(): string[]
  /** Makes the tab of that target the current one, if there is one. */
  show(targetId: string): Promise<void>
  /** Hears of no more tabs. */
  unfollow(): void
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
/** `coming` are the pages that are being taken in, and those that were, by their targets. */
type Place = { connection: Connection; options: TabsOptions; row: Row; coming: Map<string, Promise<Open>> }

const attachMs = 10_000
const commandMs = 10_000
/** What pages, and what programs want to open beyond them is closed. */
const mostTabs = { page: 10, program: 30 }
const titleMs = 500

/**
 * Follows the tabs of one context of a browser, whoever opens them. A context without pages gets one. Fails with a CdpError
 * when the browser is gone.
 */
export async function createTabs(connection: Connection, options: TabsOptions, signal: AbortSignal): Promise<Tabs> {
  const { browser } = connection
  const row: Row = { tabs: [], current: undefined, count: 0, opened: [], closed: [], downloads: [] }
  const place: Place = { connection, options, row, coming: new Map() }
  const ends = watchTargets(place)
  await browser.send('Target.setDiscoverTargets', { discover: true }, signal)
  await Promise.all(place.coming.values())
  if (row.tabs.length === 0) await openTab(place, signal)
  Object.assign(row, { opened: [] })
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
    open: async (within) => (await openTab(place, within)).tab,
    async switchTo(id) {
      const wanted = find(id)
      if (!wanted) return false
      await show(place, wanted)
      return true
    },
    async close(id) {
      const wanted = find(id)
      if (!wanted) return false
      // A session without tabs could not go on.
      if (row.tabs.length === 1) await openTab(place)
      await shut(place, wanted.tab.targetId)
      return true
    },
    async replace({ targetId }, within) {
      const { tab, id } = await openTab(place, within)
      row.opened = [...row.opened, id]
      await shut(place, targetId, within)
      return tab
    },
    async news() {
      await Promise.allSettled(place.coming.values())
      const { opened, closed, downloads } = row
      Object.assign(row, { opened: [], closed: [], downloads: [] })
      return { opened, closed, downloads }
    },
    targetIds: () => row.tabs.map(({ tab }) => tab.targetId),
    async show(targetId) {
      // Whoever has just opened it may ask before it is taken in.
      await place.coming.get(targetId)?.catch(() => undefined)
      const wanted = row.tabs.find(({ tab }) => tab.targetId === targetId)
      if (wanted) await show(place, wanted)
    },
    unfollow: () => ends.forEach((end) => end()),
  }
}

/** Takes in what is opened, and lets go of what is closed. Returns what ends that. */
function watchTargets(place: Place): (() => void)[] {
  const { connection, options, row, coming } = place
  const { browser } = connection
  const refuse = (targetId: string) => browser.send('Target.closeTarget', { targetId }).catch(() => undefined)
  return [
    browser.on('Target.targetCreated', ({ targetInfo: { type, targetId, openerId, browserContextId } }) => {
      if (type !== 'page' || browserContextId !== options.contextId || coming.has(targetId)) return
      if (coming.size >= mostTabs[openerId === undefined ? 'program' : 'page']) return void refuse(targetId)
      adoptOnce(place, targetId, openerId).then(
        ({ id }) => (row.opened = [...row.opened, id]),
        () => undefined,
      )
    }),
    browser.on('Target.targetDestroyed', ({ targetId }) => {
      coming.delete(targetId)
      forget(row, targetId)
    }),
    browser.on('Browser.downloadWillBegin', ({ suggestedFilename }) => {
      row.downloads = [...row.downloads, suggestedFilename]
    }),
  ]
}

/** A step of the browser itself: no page can hold it up, yet nothing is waited for without an end. */
const commanded = <T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> =>
  withDeadline({ step: 'open, show or close a tab', ms: commandMs }, signal, work)

async function show({ connection, row }: Place, open: Open): Promise<void> {
  row.current = open
  const { targetId } = open.tab
  await commanded((within) => connection.browser.send('Target.activateTarget', { targetId }, within))
}

async function shut({ connection, row }: Place, targetId: string, signal?: AbortSignal): Promise<void> {
  await commanded((within) => connection.browser.send('Target.closeTarget', { targetId }, within), signal)
  forget(row, targetId)
}

async function openTab(place: Place, signal?: AbortSignal): Promise<Open> {
  const { connection, options } = place
  const wish = { url: 'about:blank', browserContextId: options.contextId, newWindow: true }
  const { targetId } = await commanded((within) => connection.browser.send('Target.createTarget', wish, within), signal)
  const open = await adoptOnce(place, targetId, undefined)
  place.row.opened = place.row.opened.filter((each) => each !== open.id)
  return open
}

/** Whoever opens a tab here hears of it twice: from the answer, and as everybody else. */
function adoptOnce(place: Place, targetId: string, opener: string | undefined): Promise<Open> {
  const known = place.coming.get(targetId)
  if (known) return known
  const adopting = withDeadline({ step: 'attach to a tab', ms: attachMs }, undefined, (within) =>
    adopt(place, targetId, opener, within),
  )
  place.coming.set(targetId, adopting)
  return adopting
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
    tab.call('readLocation', [], within),
  ).catch(() => known)
}
