import type { Protocol } from 'devtools-protocol'
import { sanitiseLine } from '../../../util/sanitise-text.ts'
import type { CdpParams, Session } from '../../browser/cdp/cdp-session.ts'
import type { Viewport } from '../../../contracts/render-port.ts'
import { type Metrics, metricsOf } from '../../browser/emulation/emulate.ts'
import { type Chooser, watchChoosers } from '../file-chooser.ts'
import type { FrameHeader, ScreencastFrame, ShownDialog } from './messages.ts'
import { createTab } from '../../browser/page/tab.ts'

type WatchedTabCallbacks = {
  frame(): void
  changed(): void
  wantsFiles(chooser: Chooser): void
  attach(targetId: string, signal: AbortSignal): Promise<Session>
}

const maxMessage = 2000

/** A tab followed by the live view over its own CDP session. */
export type WatchedTab = ReturnType<typeof watchTab>

type CastOptions = { viewport: { width: number; height: number }; maxFps: number; quality: number }
export type FrameReceiver = {
  offer(frame: ScreencastFrame): void
  isReady(): boolean
}
type CastState = {
  readonly send: <M extends 'Page.startScreencast' | 'Page.stopScreencast' | 'Page.screencastFrameAck'>(
    method: M,
    params: CdpParams<M>,
  ) => void
  readonly options: CastOptions
  readonly receivers: Set<FrameReceiver>
  /** Ids of frames that are not acknowledged yet, oldest first. */
  unacknowledged: readonly number[]
  acknowledgedAt: number
  count: number
  /** Frames since the screencast last started. */
  sinceStart: number
  last: ScreencastFrame | undefined
  next: NodeJS.Timeout | undefined
  rest: NodeJS.Timeout | undefined
}

const highest = 1600
/** Time in ms without frames after which the screencast restarts. */
const quietMs = 300

/**
 * Creates the screencast of a tab, which runs while the tab has viewers. Acknowledges at most `maxFps` frames per
 * second, and only while a receiver is ready, so the browser encodes no frame in vain.
 */
export function createCast(session: Session, options: CastOptions, onFrame: (frame: ScreencastFrame) => void) {
  const run: CastState = {
    send: (method, params) => void session.send(method, params).catch(() => undefined),
    options,
    receivers: new Set(),
    unacknowledged: [],
    acknowledgedAt: -Infinity,
    count: 0,
    sinceStart: 0,
    last: undefined,
    next: undefined,
    rest: undefined,
  }
  session.on('Page.screencastFrame', ({ sessionId, data, metadata }) => {
    if (run.receivers.size === 0) return
    run.sinceStart++
    run.unacknowledged = [...run.unacknowledged, sessionId]
    const { deviceWidth: width, deviceHeight: height } = metadata
    run.last = packFrame({ n: ++run.count, width, height }, Buffer.from(data, 'base64'))
    for (const each of run.receivers) each.offer(run.last)
    onFrame(run.last)
    pump(run)
    watchRest(run)
  })
  return {
    add(receiver: FrameReceiver) {
      if (run.receivers.has(receiver)) return
      run.receivers.add(receiver)
      if (run.receivers.size === 1) start(run)
      else if (run.last) receiver.offer(run.last)
    },
    remove(receiver: FrameReceiver) {
      if (run.receivers.delete(receiver) && run.receivers.size === 0) end(run)
    },
    pump: () => pump(run),
    stop() {
      if (run.receivers.size > 0) end(run)
      run.receivers.clear()
    },
  }
}

/** Message layout: length of the header (16 bit, big-endian), header as JSON, JPEG. */
function packFrame(header: FrameHeader, jpeg: Uint8Array): ScreencastFrame {
  const head = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(head.length)
  return { n: header.n, message: Buffer.concat([length, head, jpeg]) }
}

function start(run: CastState): void {
  const { quality, viewport } = run.options
  const { width: maxWidth } = viewport
  // A page laid out for a phone is taller than wide.
  const maxHeight = Math.max(viewport.height, highest)
  run.unacknowledged = []
  run.sinceStart = 0
  run.send('Page.startScreencast', { format: 'jpeg', quality, maxWidth, maxHeight, everyNthFrame: 1 })
}

function end(run: CastState): void {
  clearTimeout(run.next)
  clearTimeout(run.rest)
  run.next = run.rest = undefined
  run.unacknowledged = []
  run.send('Page.stopScreencast', {})
}

function pump(run: CastState): void {
  const { next, unacknowledged, receivers, options, acknowledgedAt } = run
  if (next || unacknowledged.length === 0 || !Array.from(receivers).some((each) => each.isReady())) return
  const waitMs = acknowledgedAt + 1000 / options.maxFps - performance.now()
  if (waitMs > 1) run.next = setTimeout(() => acknowledge(run), waitMs)
  else acknowledge(run)
}

function acknowledge(run: CastState): void {
  run.next = undefined
  const [oldest, ...others] = run.unacknowledged
  if (oldest === undefined) return
  run.unacknowledged = others
  // Timers fire late; the delays must not add up.
  const gapMs = 1000 / run.options.maxFps
  run.acknowledgedAt = Math.max(run.acknowledgedAt + gapMs, performance.now() - gapMs / 2)
  run.send('Page.screencastFrameAck', { sessionId: oldest })
  pump(run)
  watchRest(run)
}

/**
 * Restarts the screencast when the page has come to rest, to get its final state: Chromium drops frames silently while
 * three are unacknowledged (page_handler.cc). Not needed if only one frame was sent since the start.
 */
function watchRest(run: CastState): void {
  clearTimeout(run.rest)
  run.rest = setTimeout(() => {
    if (run.sinceStart < 2 || run.unacknowledged.length > 0 || run.receivers.size === 0) return
    end(run)
    start(run)
  }, quietMs)
}

/**
 * Attaches to a tab before any viewer watches it, because a dialog can be answered only by a CDP session attached
 * before it opened.
 */
export function watchTab(
  session: Session,
  targetId: string,
  options: CastOptions & { metrics: Metrics },
  callbacks: WatchedTabCallbacks,
) {
  const { location, refresh, known } = watchLocation(session, targetId, callbacks.changed)
  const dialog = watchDialog(session, callbacks.changed)
  const files = watchFiles(callbacks.wantsFiles)
  files.watch(session)
  quietly(session.send('Page.enable', {}))
  quietly(session.send('Emulation.setFocusEmulationEnabled', { enabled: true }))
  return {
    targetId,
    session,
    page: createTab(session, targetId, { contextId: '', attach: callbacks.attach, prepareFrame: files.watch }),
    cast: createCast(session, options, callbacks.frame),
    drags: watchDrags(session),
    location,
    dialog,
    refresh,
    /** Lays the page out for a screen of this size; undefined restores the session's layout. */
    fit: createFit(session, options),
    update: known,
    /** Intercepts file choosers while a viewer can answer them. */
    catchFiles: files.catch,
  }
}

/** A blocked or closing page does not answer. */
const quietly = (work: Promise<unknown>) => void work.catch(() => undefined)

function createFit(session: Session, { metrics }: { metrics: Metrics }) {
  let fitted = ''
  return (size: { width: number; height: number } | undefined): void => {
    const wanted = size ? `${size.width}x${size.height}` : ''
    if (wanted === fitted) return
    fitted = wanted
    quietly(session.send('Emulation.setDeviceMetricsOverride', size ? phoneMetrics(size) : metrics))
  }
}

/** Phones have a higher pixel density than the session. */
const phoneMetrics = (viewport: Viewport): Metrics => ({
  ...metricsOf({ mobile: true, viewport }),
  deviceScaleFactor: 2,
})

function watchDialog(session: Session, changed: () => void): () => ShownDialog | undefined {
  let dialog: ShownDialog | undefined
  session.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt = '' }) => {
    dialog = { kind: type, message: message.slice(0, maxMessage), defaultText: defaultPrompt.slice(0, maxMessage) }
    changed()
  })
  session.on('Page.javascriptDialogClosed', () => {
    dialog = undefined
    changed()
  })
  return () => dialog
}

function watchFiles(wanted: (chooser: Chooser) => void) {
  const sessions = new Set<Session>()
  let catching: 'on' | 'off' = 'off'
  const intercept = (session: Session) =>
    quietly(session.send('Page.setInterceptFileChooserDialog', { enabled: catching === 'on' }))
  return {
    watch(session: Session): void {
      sessions.add(session)
      void session.ended.then(() => sessions.delete(session))
      watchChoosers(session, wanted)
      if (catching === 'on') intercept(session)
    },
    catch(on: 'on' | 'off'): void {
      if (on === catching) return
      catching = on
      sessions.forEach(intercept)
    },
  }
}

type TabLocation = { url: string; title: string; back: boolean; forward: boolean; loading: boolean }

const maxUrl = 2000
const maxTitle = 200

/** Follows URL, title and history, which the browser reports even while the page is blocked. */
function watchLocation(session: Session, targetId: string, changed: () => void) {
  let location: TabLocation = { url: '', title: '', back: false, forward: false, loading: false }
  let isAsking = false
  let isStale = false

  function put(change: Partial<TabLocation>): void {
    const { url, title } = { ...location, ...change }
    location = { ...location, ...change, url: url.slice(0, maxUrl), title: sanitiseLine(title).slice(0, maxTitle) }
    changed()
  }

  async function ask(): Promise<void> {
    const { currentIndex, entries } = await session.send('Page.getNavigationHistory', {})
    const { url = '', title = '' } = entries[currentIndex] ?? {}
    put({ url, title, back: currentIndex > 0, forward: currentIndex < entries.length - 1 })
  }

  async function refresh(): Promise<void> {
    isStale = true
    if (isAsking) return
    isAsking = true
    while (isStale) {
      isStale = false
      await ask().catch(() => undefined)
    }
    isAsking = false
  }

  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId === undefined) void refresh()
  })
  session.on('Page.navigatedWithinDocument', ({ frameId }) => {
    if (frameId === targetId) void refresh()
  })
  session.on('Page.frameStartedLoading', ({ frameId }) => {
    if (frameId === targetId) put({ loading: true })
  })
  session.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (frameId !== targetId) return
    put({ loading: false })
    void refresh()
  })

  return {
    location: () => location,
    refresh: () => void refresh(),
    known({ url, title }: { url: string; title: string }): void {
      if (url !== location.url || title !== location.title) put({ url, title })
    },
  }
}

/** Intercepts drags, whose events are then sent from here, because Chromium's own drags wait for a real mouse. */
function watchDrags(session: Session) {
  let catching: 'on' | 'off' = 'off'
  let data: Protocol.Input.DragData | undefined
  let hasEntered = false
  session.on('Input.dragIntercepted', (caught) => {
    data = caught.data
  })
  return {
    /** Must be on from the press of a mouse button to its release. */
    catch(on: 'on' | 'off') {
      catching = on
      data = undefined
      hasEntered = false
      session.send('Input.setInterceptDrags', { enabled: on === 'on' }).catch(() => undefined)
    },
    isOn: () => catching === 'on',
    /** Returns type and data of the next drag event; undefined if nothing is being dragged. */
    next(how: 'move' | 'drop') {
      if (!data) return undefined
      if (how === 'drop') return { type: 'drop' as const, data }
      const type = hasEntered ? ('dragOver' as const) : ('dragEnter' as const)
      hasEntered = true
      return { type, data }
    },
  }
}
