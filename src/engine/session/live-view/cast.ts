import type { CdpParams, Session } from '../../browser/cdp/cdp-session.ts'
import { packFrame, type ScreencastFrame } from './viewer.ts'

export type CastOptions = { viewport: { width: number; height: number }; maxFps: number; quality: number }
export type FrameReceiver = {
  offer(frame: ScreencastFrame): void
  /** True if a frame offered now would be sent immediately. */
  isReady(): boolean
}
/** Screencast of a tab, shared by all its viewers and running only while there are any. */
export type Cast = {
  add(receiver: FrameReceiver): void
  remove(receiver: FrameReceiver): void
  /** Must be called when a receiver becomes ready. */
  pump(): void
  last(): ScreencastFrame | undefined
  stop(): void
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
  /** Arrival time of the last frame. */
  arrivedAt: number
  count: number
  /** True if the browser may have dropped a later frame. */
  mayBeOld: boolean
  last: ScreencastFrame | undefined
  next: NodeJS.Timeout | undefined
  rest: NodeJS.Timeout | undefined
}

const highest = 1600
/** Quiet time in ms after which the screencast restarts if a frame may have been dropped. */
const restMs = 300
/**
 * Interval in ms within which frames may be dropped: Chromium drops frames while three are unacknowledged
 * (page_handler.cc).
 */
const closeMs = 400

/**
 * Acknowledges frames at most at `maxFps` and only while a receiver is ready, so the browser encodes no frame that is
 * not shown.
 */
export function createCast(session: Session, options: CastOptions, onFrame: (frame: ScreencastFrame) => void): Cast {
  const run: CastState = {
    send: (method, params) => void session.send(method, params).catch(() => undefined),
    options,
    receivers: new Set(),
    unacknowledged: [],
    acknowledgedAt: -Infinity,
    arrivedAt: -Infinity,
    count: 0,
    mayBeOld: false,
    last: undefined,
    next: undefined,
    rest: undefined,
  }
  session.on('Page.screencastFrame', ({ sessionId, data, metadata }) => {
    if (run.receivers.size === 0) return
    // An acknowledgement may still be in transit, so the browser may have more unacknowledged frames than these.
    run.mayBeOld = run.unacknowledged.length > 0 || performance.now() < run.arrivedAt + closeMs
    run.arrivedAt = performance.now()
    run.unacknowledged = [...run.unacknowledged, sessionId]
    const { deviceWidth: width, deviceHeight: height } = metadata
    run.last = packFrame({ n: ++run.count, width, height }, Buffer.from(data, 'base64'))
    for (const each of run.receivers) each.offer(run.last)
    onFrame(run.last)
    pump(run)
    watchRest(run)
  })
  return {
    add(receiver) {
      if (run.receivers.has(receiver)) return
      run.receivers.add(receiver)
      if (run.receivers.size === 1) start(run)
      else if (run.last) receiver.offer(run.last)
    },
    remove(receiver) {
      if (run.receivers.delete(receiver) && run.receivers.size === 0) end(run)
    },
    pump: () => pump(run),
    last: () => run.last,
    stop() {
      if (run.receivers.size > 0) end(run)
      run.receivers.clear()
    },
  }
}

function start(run: CastState): void {
  const { quality, viewport } = run.options
  const { width: maxWidth } = viewport
  // A page laid out for a phone is taller than wide.
  const maxHeight = Math.max(viewport.height, highest)
  run.unacknowledged = []
  run.arrivedAt = -Infinity
  run.mayBeOld = false
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
  if (waitMs > 1) run.next = setTimeout(() => answer(run), waitMs)
  else answer(run)
}

function answer(run: CastState): void {
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

/** No event reports a dropped frame, but a restarted screencast starts with the current picture. */
function watchRest(run: CastState): void {
  clearTimeout(run.rest)
  run.rest = setTimeout(() => {
    if (!run.mayBeOld || run.unacknowledged.length > 0 || run.receivers.size === 0) return
    end(run)
    start(run)
  }, restMs)
}
