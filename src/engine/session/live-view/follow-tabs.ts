import { withDeadline } from '../../../util/deadline.ts'
import type { TargetInfo } from '../../browser/cdp/shapes.ts'
import type { Chooser } from './file-chooser.ts'
import { type WatchedTab, watchTab } from './watched-tab.ts'
import type { LiveViewOptions } from './options.ts'

export type FollowedTabs = {
  find(targetId: string | undefined): WatchedTab | undefined
  last(): WatchedTab | undefined
  all(): readonly WatchedTab[]
  /** A blank tab of the session's size; its target. */
  open(): Promise<string>
  close(): Promise<void>
}
export type TabEars = {
  changed(): void
  wantsFiles(tab: WatchedTab, chooser: Chooser): void
  crashed(tab: WatchedTab): void
}
type Place = {
  readonly options: LiveViewOptions
  readonly callbacks: TabEars
  readonly attaching: Map<string, Promise<WatchedTab>>
  readonly tabs: Map<string, WatchedTab>
  /** The context of the session's pages. */
  contextId: string | undefined
}

const attachMs = 10_000
const fpsByDefault = 15
const qualityByDefault = 60

/** Follows the pages of the session, whoever opens them. */
export async function followTabs(options: LiveViewOptions, callbacks: TabEars): Promise<FollowedTabs> {
  const { browser } = options.connection
  const place: Place = { options, callbacks, attaching: new Map(), tabs: new Map(), contextId: undefined }
  const { tabs } = place
  const ends = [
    browser.on('Target.targetCreated', ({ targetInfo }) => follow(place, targetInfo)),
    browser.on('Target.targetInfoChanged', ({ targetInfo }) => follow(place, targetInfo)),
    browser.on('Target.targetDestroyed', ({ targetId }) => forget(place, targetId)),
  ]
  await browser.send('Target.setDiscoverTargets', { discover: true })
  const { targetInfos } = await browser.send('Target.getTargets', {})
  for (const target of targetInfos) follow(place, target)
  await Promise.allSettled(place.attaching.values())
  return {
    find: (targetId) => (targetId === undefined ? undefined : tabs.get(targetId)),
    last: () => Array.from(tabs.values()).at(-1),
    all: () => Array.from(tabs.values()),
    open: () => open(place),
    async close() {
      ends.forEach((end) => end())
      await Promise.all(Array.from(tabs.values(), ({ session }) => session.detach()))
    },
  }
}

function follow(place: Place, target: TargetInfo): void {
  const { options, tabs, attaching } = place
  const { targetId } = target
  if (target.type !== 'page' || !options.isOwn(target)) return
  place.contextId ??= target.browserContextId
  tabs.get(targetId)?.known(target)
  if (attaching.has(targetId)) return
  const limit = { step: 'attach to a tab', ms: attachMs }
  const attached = withDeadline(limit, undefined, (signal) => attach(place, target, signal))
  attaching.set(targetId, attached)
  // Tried again when something is next heard of it.
  attached.catch(() => attaching.delete(targetId))
}

async function attach(place: Place, target: TargetInfo, signal: AbortSignal): Promise<WatchedTab> {
  const { options, callbacks, tabs } = place
  const { connection, viewport, onChange, maxFps = fpsByDefault, quality = qualityByDefault } = options
  const { targetId } = target
  const session = await connection.attach(targetId, signal)
  const tab = watchTab(
    session,
    targetId,
    { viewport, maxFps, quality },
    {
      frame: onChange,
      changed() {
        onChange()
        callbacks.changed()
      },
      wantsFiles: (chooser) => callbacks.wantsFiles(tab, chooser),
      attach: connection.attach,
    },
  )
  tabs.set(targetId, tab)
  tab.known(target)
  callbacks.changed()
  void untilGone(place, tab, target)
  return tab
}

async function untilGone(place: Place, tab: WatchedTab, target: TargetInfo): Promise<void> {
  const why = await tab.session.ended
  tab.cast.stop()
  forget(place, target.targetId)
  if (why !== 'crashed') return
  // The tab is still there, and another session can reload it.
  place.callbacks.crashed(tab)
  follow(place, target)
}

function forget({ attaching, tabs, callbacks }: Place, targetId: string): void {
  attaching.delete(targetId)
  if (tabs.delete(targetId)) callbacks.changed()
}

async function open({ options, attaching, contextId }: Place): Promise<string> {
  const { viewport, connection } = options
  const context = contextId === undefined ? {} : { browserContextId: contextId }
  const wish = { url: 'about:blank', newWindow: true, ...context }
  const { targetId } = await connection.browser.send('Target.createTarget', wish)
  const tab = await attaching.get(targetId)
  // A tab made by a call has the size of the window.
  await tab?.session.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false })
  return targetId
}
