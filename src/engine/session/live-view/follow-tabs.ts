import type { Protocol } from 'devtools-protocol'
import { withDeadline } from '../../../util/async.ts'
import { type Metrics, metricsOf } from '../../browser/emulation/emulate.ts'
import type { Chooser } from '../file-chooser.ts'
import { type WatchedTab, watchTab } from './watched-tab.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Connection } from '../../browser/cdp/cdp-connection.ts'
import type { People } from '../people.ts'
import type { Tabs } from '../page/tabs.ts'
import type { ShownFile } from './messages.ts'

export type Life = {
  /** Returns when the session will end unless extended, in ms since the epoch. */
  endsAt(): number
  /** Extends the session. Returns false if it has reached its maximum duration. */
  extend(): boolean
  end(): void
}
export type LiveViewOptions = {
  connection: Connection
  /** Tabs of the session, opened by agents, viewers or pages. */
  tabs: Pick<Tabs, 'owns' | 'currentTarget' | 'openReported' | 'switchTo' | 'close'>
  viewport: { width: number; height: number }
  /** Metrics of the session's tabs, if they differ from the viewport. */
  metrics?: Metrics | undefined
  proxyErrorOf?: ((url: string) => unknown) | undefined
  log: Pick<Log, 'debug'>
  people: People
  life: Life
  files(): readonly ShownFile[]
  onActivity(): void
  /** Called for each new frame or URL; not throttled. */
  onChange(): void
}

type TabCallbacks = {
  changed(): void
  wantsFiles(tab: WatchedTab, chooser: Chooser): void
  crashed(tab: WatchedTab): void
}
type FollowContext = {
  readonly options: LiveViewOptions
  readonly callbacks: TabCallbacks
  readonly attaching: Map<string, Promise<WatchedTab>>
  readonly tabs: Map<string, WatchedTab>
}

const attachMs = 10_000
/** JPEG quality: 1 to 100. */
const castOptions = { maxFps: 15, quality: 60 }

export type FollowedTabs = Awaited<ReturnType<typeof followTabs>>

/** Attaches to all tabs of the session. */
export async function followTabs(options: LiveViewOptions, callbacks: TabCallbacks) {
  const { browser } = options.connection
  const context: FollowContext = { options, callbacks, attaching: new Map(), tabs: new Map() }
  const { tabs } = context
  const ends = [
    browser.on('Target.targetCreated', ({ targetInfo }) => follow(context, targetInfo)),
    browser.on('Target.targetInfoChanged', ({ targetInfo }) => follow(context, targetInfo)),
    browser.on('Target.targetDestroyed', ({ targetId }) => forget(context, targetId)),
  ]
  await browser.send('Target.setDiscoverTargets', { discover: true })
  const { targetInfos } = await browser.send('Target.getTargets', {})
  for (const target of targetInfos) follow(context, target)
  await Promise.allSettled(context.attaching.values())
  return {
    find: (targetId: string | undefined) => (targetId === undefined ? undefined : tabs.get(targetId)),
    last: () => Array.from(tabs.values()).at(-1),
    all: () => Array.from(tabs.values()),
    async close() {
      ends.forEach((end) => end())
      await Promise.all(Array.from(tabs.values(), ({ session }) => session.detach()))
    },
  }
}

function follow(context: FollowContext, target: Protocol.Target.TargetInfo): void {
  const { options, tabs, attaching } = context
  const { targetId } = target
  if (!options.tabs.owns(targetId)) return
  tabs.get(targetId)?.update(target)
  if (attaching.has(targetId)) return
  const limit = { step: 'attach to a tab', ms: attachMs }
  const attached = withDeadline(limit, undefined, (signal) => attach(context, target, signal))
  attaching.set(targetId, attached)
  // The next event of this target tries again.
  attached.catch(() => attaching.delete(targetId))
}

async function attach(context: FollowContext, target: Protocol.Target.TargetInfo, signal: AbortSignal) {
  const { options, callbacks, tabs } = context
  const { connection, viewport, onChange } = options
  const { metrics = metricsOf({ mobile: false, viewport }) } = options
  const { targetId } = target
  const session = await connection.attach(targetId, signal)
  const tab = watchTab(
    session,
    targetId,
    { viewport, metrics, ...castOptions },
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
  tab.update(target)
  callbacks.changed()
  void untilGone(context, tab, target)
  return tab
}

async function untilGone(context: FollowContext, tab: WatchedTab, target: Protocol.Target.TargetInfo): Promise<void> {
  const why = await tab.session.ended
  tab.cast.stop()
  forget(context, target.targetId)
  if (why !== 'crashed') return
  // The tab still exists, and a new CDP session can reload it.
  context.callbacks.crashed(tab)
  follow(context, target)
}

function forget({ attaching, tabs, callbacks }: FollowContext, targetId: string): void {
  attaching.delete(targetId)
  if (tabs.delete(targetId)) callbacks.changed()
}
