import { withDeadline } from '../../../util/async.ts'
import type { Connection } from '../../browser/cdp/cdp-connection.ts'
import type { Download, Downloads, KeptFile } from '../session-downloads.ts'
import type { MayReach } from '../../browser/acts/tab-frames.ts'
import { createLiveTab, type LiveTab } from './live-tab.ts'

export type TabInfo = { id: string; url: string; title: string; isCurrent: boolean }
export type TabEvents = { opened: readonly string[]; closed: readonly string[]; downloads: readonly Download[] }

type TabsOptions = {
  contextId: string
  /** Called for each tab before its first use, for example to set window size and language. */
  prepare?(tab: LiveTab, signal: AbortSignal): Promise<void>
  /** Stores downloaded files; without it the browser must refuse downloads. */
  downloads?: Pick<Downloads, 'take' | 'keep'> | undefined
}

type OpenTab = { id: string; tab: LiveTab; opener?: string }
/** Current tabs, and the events since they were last taken. */
type TabsState = {
  tabs: readonly OpenTab[]
  current: OpenTab | undefined
  count: number
  opened: readonly string[]
  closed: readonly string[]
  downloads: readonly Download[]
}
/** `coming` contains all tabs by target id, including those that are being attached. */
type TabsContext = {
  connection: Connection
  options: TabsOptions
  row: TabsState
  coming: Map<string, Promise<OpenTab>>
  /** Target ids of the tabs in which a download started. */
  downloading: Set<string>
  limits: Set<MayReach>
}

const attachMs = 10_000
const commandMs = 10_000
/** Number of tabs at which a further tab is closed, by who opens it: a page or a program. */
const maxTabs = { page: 10, program: 30 }
const titleMs = 500

/** The tabs of a session. Ids are short and never reused: `t1`, `t2`. */
export type Tabs = Awaited<ReturnType<typeof createTabs>>

/** Follows all tabs of a browser context, and opens one if there is none. */
export async function createTabs(connection: Connection, options: TabsOptions, signal: AbortSignal) {
  const { browser } = connection
  const row: TabsState = { tabs: [], current: undefined, count: 0, opened: [], closed: [], downloads: [] }
  const place: TabsContext = { connection, options, row, coming: new Map(), downloading: new Set(), limits: new Set() }
  const ends = watchTargets(place)
  await browser.send('Target.setDiscoverTargets', { discover: true }, signal)
  await Promise.all(place.coming.values())
  if (row.tabs.length === 0) await openTab(place, signal)
  Object.assign(row, { opened: [] })
  const find = (id: string) => row.tabs.find((each) => each.id === id || each.tab.targetId === id)
  return {
    /** Target id of the current tab; undefined while the session has no tab. */
    currentTarget: () => row.current?.tab.targetId,
    /** True for a tab of the session, even while it opens. */
    owns: (targetId: string) => place.coming.has(targetId),
    current(): LiveTab {
      if (!row.current) throw new Error('The session has no tab any more.')
      return row.current.tab
    },
    list: (): Promise<TabInfo[]> =>
      Promise.all(
        row.tabs.map(async (each) => ({ id: each.id, isCurrent: each === row.current, ...(await locationOf(each)) })),
      ),
    open: (within: AbortSignal) => openUnreported(place, within),
    /** Opens a tab that the next `takeEvents` reports. */
    openReported: () => openReported(place),
    /** Takes the id of a tab or of its target. */
    async switchTo(id: string): Promise<boolean> {
      // The caller may have just opened this tab.
      await place.coming.get(id)?.catch(() => undefined)
      const wanted = find(id)
      if (!wanted) return false
      await show(place, wanted)
      return true
    },
    async close(id: string): Promise<boolean> {
      const wanted = find(id)
      if (!wanted) return false
      // A session needs at least one tab.
      if (row.tabs.length === 1) await openUnreported(place)
      await closeTab(place, wanted.tab.targetId)
      return true
    },
    replace: (tab: LiveTab, within: AbortSignal) => replaceTab(place, tab, within),
    /** Waits for tabs that are opening. */
    untilAttached: () => untilAttached(place),
    /** Waits for tabs that are opening, and returns the events since the last call. */
    takeEvents: () => takeEvents(place),
    /** Stores a file like a download; undefined if the session stores no files or has reached its limits. */
    keepFile(file: Omit<KeptFile, 'id'>): KeptFile | undefined {
      const kept = options.downloads?.keep(file)
      return kept && 'file' in kept ? kept.file : undefined
    },
    targetIds: () => row.tabs.map(({ tab }) => tab.targetId),
    /** Limits access to cross-origin frames to those that `mayReach` allows, until the returned function is called. */
    limitFrames: (mayReach: MayReach) => limitFrames(place, mayReach),
    unfollow: () => ends.forEach((end) => end()),
  }
}

async function replaceTab(place: TabsContext, { targetId }: LiveTab, signal: AbortSignal): Promise<LiveTab> {
  const tab = await openReported(place, signal)
  await closeTab(place, targetId, signal)
  return tab
}

async function openUnreported(place: TabsContext, signal?: AbortSignal): Promise<LiveTab> {
  const { id, tab } = await openTab(place, signal)
  place.row.opened = place.row.opened.filter((each) => each !== id)
  return tab
}

async function openReported(place: TabsContext, signal?: AbortSignal): Promise<LiveTab> {
  const { id, tab } = await openTab(place, signal)
  place.row.opened = [...new Set([...place.row.opened, id])]
  return tab
}

async function untilAttached({ coming }: TabsContext): Promise<void> {
  await Promise.allSettled(coming.values())
}

async function takeEvents(place: TabsContext): Promise<TabEvents> {
  await untilAttached(place)
  const downloads = (await place.options.downloads?.take()) ?? place.row.downloads
  if (downloads.length > 0) await closeEmptyTabs(place)
  const { opened, closed } = place.row
  Object.assign(place.row, { opened: [], closed: [], downloads: [] })
  return { opened, closed, downloads }
}

/** Closes the tabs that a page opened for a download, which stay blank. */
async function closeEmptyTabs(place: TabsContext): Promise<void> {
  const { row, downloading } = place
  for (const { id, tab, opener } of row.tabs) {
    if (opener === undefined || !tab.traffic.isBlank() || !downloading.has(tab.targetId)) continue
    await closeTab(place, tab.targetId)
    if (!row.opened.includes(id)) continue
    row.opened = row.opened.filter((each) => each !== id)
    row.closed = row.closed.filter((each) => each !== id)
  }
}

function limitFrames({ limits }: TabsContext, mayReach: MayReach): () => void {
  // A new function, because a set would store the same `mayReach` only once.
  const limit = (url: string) => mayReach(url)
  limits.add(limit)
  return () => limits.delete(limit)
}

/** Attaches to tabs that open, and removes tabs that close. Returns functions that end this. */
function watchTargets(place: TabsContext): (() => void)[] {
  const { connection, options, row, coming, downloading } = place
  const { browser } = connection
  const refuse = (targetId: string) => browser.send('Target.closeTarget', { targetId }).catch(() => undefined)
  return [
    browser.on('Target.targetCreated', ({ targetInfo: { type, targetId, openerId, browserContextId } }) => {
      if (type !== 'page' || browserContextId !== options.contextId || coming.has(targetId)) return
      if (coming.size >= maxTabs[openerId === undefined ? 'program' : 'page']) return void refuse(targetId)
      attachTabOnce(place, targetId, openerId).then(
        ({ id }) => (row.opened = [...row.opened, id]),
        () => undefined,
      )
    }),
    browser.on('Target.targetDestroyed', ({ targetId }) => {
      coming.delete(targetId)
      downloading.delete(targetId)
      removeTab(row, targetId)
    }),
    browser.on('Browser.downloadWillBegin', ({ suggestedFilename, frameId }) => {
      downloading.add(frameId)
      row.downloads = [...row.downloads, { name: suggestedFilename, why: 'downloads are refused here' }]
    }),
  ]
}

/** Runs a command of the browser itself, which pages cannot delay. */
const commanded = <T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> =>
  withDeadline({ step: 'open, show or close a tab', ms: commandMs }, signal, work)

async function show({ connection, row }: TabsContext, open: OpenTab): Promise<void> {
  row.current = open
  const { targetId } = open.tab
  await commanded((within) => connection.browser.send('Target.activateTarget', { targetId }, within))
}

async function closeTab({ connection, row }: TabsContext, targetId: string, signal?: AbortSignal): Promise<void> {
  await commanded((within) => connection.browser.send('Target.closeTarget', { targetId }, within), signal)
  removeTab(row, targetId)
}

async function openTab(place: TabsContext, signal?: AbortSignal): Promise<OpenTab> {
  const { connection, options } = place
  const request = { url: 'about:blank', browserContextId: options.contextId, newWindow: true }
  const { targetId } = await commanded(
    (within) => connection.browser.send('Target.createTarget', request, within),
    signal,
  )
  return attachTabOnce(place, targetId, undefined)
}

/** Attaches only once, because a tab opened here is reported twice: by the response and by an event. */
function attachTabOnce(place: TabsContext, targetId: string, opener: string | undefined): Promise<OpenTab> {
  const known = place.coming.get(targetId)
  if (known) return known
  const attaching = withDeadline({ step: 'attach to a tab', ms: attachMs }, undefined, (within) =>
    attachTab(place, targetId, opener, within),
  )
  place.coming.set(targetId, attaching)
  return attaching
}

/** Size limits in bytes of the response bodies that Chromium stores. */
const pageBuffers = { maxTotalBufferSize: 5_000_000, maxResourceBufferSize: 1_000_000 } as const

async function attachTab(
  { connection, options, row, coming, limits }: TabsContext,
  targetId: string,
  opener: string | undefined,
  signal: AbortSignal,
): Promise<OpenTab> {
  const session = await connection.attach(targetId, signal)
  const { attach } = connection
  const tab = createLiveTab(session, targetId, { contextId: options.contextId, attach, limits })
  await Promise.all([
    session.send('Page.enable', {}, signal),
    session.send('Network.enable', pageBuffers, signal),
    session.send('Runtime.enable', {}, signal),
    session.send('Emulation.setFocusEmulationEnabled', { enabled: true }, signal),
    // Chromium renders only the front tab of a window.
    connection.browser.send('Target.activateTarget', { targetId }, signal),
  ])
  await options.prepare?.(tab, signal)
  // If the tab was destroyed meanwhile, no later event would remove it from the list.
  if (!coming.has(targetId)) throw new Error('The tab was closed while it opened.')
  const open: OpenTab = { id: `t${++row.count}`, tab, ...(opener !== undefined && { opener }) }
  row.tabs = [...row.tabs, open]
  row.current = open
  return open
}

/** Removes a tab. If it was the current one, its opener becomes current, or else the last tab. */
function removeTab(row: TabsState, targetId: string): void {
  const gone = row.tabs.find(({ tab }) => tab.targetId === targetId)
  if (!gone) return
  row.tabs = row.tabs.filter((each) => each !== gone)
  row.closed = [...row.closed, gone.id]
  if (row.current === gone) row.current = row.tabs.find(({ tab }) => tab.targetId === gone.opener) ?? row.tabs.at(-1)
}

/**
 * Reads URL and title from the page, because the browser reports titles late. A page with a dialog does not respond.
 */
async function locationOf({ tab }: OpenTab): Promise<{ url: string; title: string }> {
  const known = { url: tab.traffic.document()?.url ?? 'about:blank', title: '' }
  if (tab.dialogs.open()) return known
  return withDeadline({ step: 'ask for a title', ms: titleMs }, undefined, (within) =>
    tab.call('readLocation', [], within),
  ).catch(() => known)
}
