import type { CdpMethods } from '../../browser/cdp/methods.ts'
import type { Session } from '../../browser/cdp/session.ts'
import { packFrame, type ScreencastFrame } from './viewer.ts'

export type CastOptions = { viewport: { width: number; height: number }; maxFps: number; quality: number }
export type FrameReceiver = {
  offer(frame: ScreencastFrame): void
  /** It would send a frame on at once. */
  isReady(): boolean
}
/** The moving picture of a tab, taken once for all who watch it, and only while somebody does. */
export type Cast = {
  add(watcher: FrameReceiver): void
  remove(watcher: FrameReceiver): void
  /** A watcher has become ready again. */
  pump(): void
  last(): ScreencastFrame | undefined
  stop(): void
}

type CastState = {
  readonly send: <M extends 'Page.startScreencast' | 'Page.stopScreencast' | 'Page.screencastFrameAck'>(
    method: M,
    params: CdpMethods[M]['params'],
  ) => void
  readonly options: CastOptions
  readonly watchers: Set<FrameReceiver>
  /** Frames that the browser waits to have answered, oldest first. */
  unanswered: readonly number[]
  answeredAt: number
  /** When the last frame came. */
  cameAt: number
  count: number
  /** A change of the picture may have been dropped. */
  mayBeOld: boolean
  last: ScreencastFrame | undefined
  next: NodeJS.Timeout | undefined
  rest: NodeJS.Timeout | undefined
}

/** A picture at rest for so long is taken once more where a change of it may have been dropped. */
const restMs = 300
/** Chromium drops changes while three frames are without an answer (page_handler.cc), which takes frames that come closer. */
const closeMs = 400

/**
 * Frames are answered no faster than they may come, and only while somebody is ready for them: so the browser makes no
 * picture that nobody gets to see.
 */
export function createCast(session: Session, options: CastOptions, onFrame: (frame: ScreencastFrame) => void): Cast {
  const run: CastState = {
    send: (method, params) => void session.send(method, params).catch(() => undefined),
    options,
    watchers: new Set(),
    unanswered: [],
    answeredAt: -Infinity,
    cameAt: -Infinity,
    count: 0,
    mayBeOld: false,
    last: undefined,
    next: undefined,
    rest: undefined,
  }
  session.on('Page.screencastFrame', ({ sessionId, data, metadata }) => {
    if (run.watchers.size === 0) return
    // An answer may still be on its way to the browser: what is not answered here is not all.
    run.mayBeOld = run.unanswered.length > 0 || performance.now() < run.cameAt + closeMs
    run.cameAt = performance.now()
    run.unanswered = [...run.unanswered, sessionId]
    const { deviceWidth: width, deviceHeight: height } = metadata
    run.last = packFrame({ n: ++run.count, width, height }, Buffer.from(data, 'base64'))
    for (const each of run.watchers) each.offer(run.last)
    onFrame(run.last)
    pump(run)
    watchRest(run)
  })
  return {
    add(watcher) {
      if (run.watchers.has(watcher)) return
      run.watchers.add(watcher)
      if (run.watchers.size === 1) start(run)
      else if (run.last) watcher.offer(run.last)
    },
    remove(watcher) {
      if (run.watchers.delete(watcher) && run.watchers.size === 0) end(run)
    },
    pump: () => pump(run),
    last: () => run.last,
    stop() {
      if (run.watchers.size > 0) end(run)
      run.watchers.clear()
    },
  }
}

function start(run: CastState): void {
  const { quality, viewport } = run.options
  const { width: maxWidth, height: maxHeight } = viewport
  run.unanswered = []
  run.cameAt = -Infinity
  run.mayBeOld = false
  run.send('Page.startScreencast', { format: 'jpeg', quality, maxWidth, maxHeight, everyNthFrame: 1 })
}

function end(run: CastState): void {
  clearTimeout(run.next)
  clearTimeout(run.rest)
  run.next = run.rest = undefined
  run.unanswered = []
  run.send('Page.stopScreencast', {})
}

function pump(run: CastState): void {
  const { next, unanswered, watchers, options, answeredAt } = run
  if (next || unanswered.length === 0 || !Array.from(watchers).some((each) => each.isReady())) return
  const waitMs = answeredAt + 1000 / options.maxFps - performance.now()
  if (waitMs > 1) run.next = setTimeout(() => answer(run), waitMs)
  else answer(run)
}

function answer(run: CastState): void {
  run.next = undefined
  const [oldest, ...others] = run.unanswered
  if (oldest === undefined) return
  run.unanswered = others
  // Timers come late, which is not to add up.
  const gapMs = 1000 / run.options.maxFps
  run.answeredAt = Math.max(run.answeredAt + gapMs, performance.now() - gapMs / 2)
  run.send('Page.screencastFrameAck', { sessionId: oldest })
  pump(run)
  watchRest(run)
}

/** Nothing tells that a frame was dropped. A cast that starts anew begins with the picture as it is. */
function watchRest(run: CastState): void {
  clearTimeout(run.rest)
  run.rest = setTimeout(() => {
    if (!run.mayBeOld || run.unanswered.length > 0 || run.watchers.size === 0) return
    end(run)
    start(run)
  }, restMs)
}
