import type { CdpParams, Session } from '../../browser/cdp/cdp-session.ts'
import type { FrameHeader } from './messages.ts'
import type { ScreencastFrame } from './viewer.ts'

export type CastOptions = { viewport: { width: number; height: number }; maxFps: number; quality: number }
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
/** Quiet time in ms after which the screencast restarts. */
const restMs = 300

/**
 * Creates the screencast of a tab, shared by all its viewers and running only while there are any. Acknowledges frames
 * at most at `maxFps` and to ready receivers, so none is encoded in vain.
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
    last: () => run.last,
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
  return { n: header.n, message: Buffer.concat([length, head, jpeg]), jpeg }
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

/**
 * Restarts the screencast once the page rests, since it then starts with the current picture: Chromium drops frames without an
 * event while three are encoded or unacknowledged (page_handler.cc). Only the first frame after a start follows no others.
 */
function watchRest(run: CastState): void {
  clearTimeout(run.rest)
  run.rest = setTimeout(() => {
    if (run.sinceStart < 2 || run.unacknowledged.length > 0 || run.receivers.size === 0) return
    end(run)
    start(run)
  }, restMs)
}
