import type { Protocol } from 'devtools-protocol'
import { sanitiseLine } from '../../../util/sanitise-text.ts'
import type { Session } from '../../browser/cdp/cdp-session.ts'
import type { Metrics } from '../../browser/emulation/emulate.ts'
import { type Cast, type CastOptions, createCast } from './cast.ts'
import type { Chooser } from './file-chooser.ts'
import type { ShownDialog } from './messages.ts'
import type { ScreencastFrame } from './viewer.ts'
import {
  type AttachFrame,
  createFrameOpener,
  type FrameDocument,
  createWorld,
  type World,
} from '../../browser/world/isolated-world.ts'

/** A tab followed by the live view over its own CDP session. */
export type WatchedTab = {
  readonly targetId: string
  readonly session: Session
  readonly cast: Cast
  readonly findFrame: FindFrame
  readonly drags: Drags
  location(): TabLocation
  dialog(): ShownDialog | undefined
  /** Reads URL, title and history from the browser. */
  refresh(): void
  /** Lays the page out for a screen of this size; undefined restores the session's layout. */
  fit(size: { width: number; height: number } | undefined): void
  update(facts: { url: string; title: string }): void
  /** Intercepts file choosers while a viewer can answer them. */
  catchFiles(on: 'on' | 'off'): void
}
export type WatchedTabCallbacks = {
  frame(frame: ScreencastFrame): void
  /** Called when the location or dialog has changed. */
  changed(): void
  wantsFiles(chooser: Chooser): void
  /** Opens a CDP session for a frame of the page. */
  attach(targetId: string, signal: AbortSignal): Promise<Session>
}

const mostMessage = 2000

/**
 * Follows a tab. Must be called as soon as a page opens: a dialog can only be answered over a CDP session that existed
 * when it opened.
 */
export function watchTab(
  session: Session,
  targetId: string,
  options: CastOptions & { metrics: Metrics },
  callbacks: WatchedTabCallbacks,
): WatchedTab {
  const { location, refresh, known } = watchLocation(session, targetId, callbacks.changed)
  const dialog = watchDialog(session, callbacks.changed)
  const files = watchFiles(callbacks.wantsFiles)
  files.watch(session)
  quietly(session.send('Page.enable', {}))
  quietly(session.send('Emulation.setFocusEmulationEnabled', { enabled: true }))
  return {
    targetId,
    session,
    findFrame: createFrameFinder(session, targetId, callbacks.attach, files.watch),
    cast: createCast(session, options, callbacks.frame),
    drags: watchDrags(session),
    location: location,
    dialog,
    refresh,
    fit: createFit(session, options),
    update: known,
    catchFiles: files.catch,
  }
}

/** A blocked or closing page does not answer. */
const quietly = (work: Promise<unknown>) => void work.catch(() => undefined)

function createFit(session: Session, { metrics }: { metrics: Metrics }): WatchedTab['fit'] {
  let fitted = ''
  return (size) => {
    const wanted = size ? `${size.width}x${size.height}` : ''
    if (wanted === fitted) return
    fitted = wanted
    quietly(session.send('Emulation.setDeviceMetricsOverride', size ? phoneMetrics(size) : metrics))
  }
}

/** Phones have a higher pixel density than the session. */
const phoneMetrics = ({ width, height }: { width: number; height: number }): Metrics => ({
  width,
  height,
  screenWidth: width,
  screenHeight: height,
  deviceScaleFactor: 2,
  mobile: true,
})

function watchDialog(session: Session, changed: () => void): () => ShownDialog | undefined {
  let dialog: ShownDialog | undefined
  session.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt = '' }) => {
    dialog = { kind: type, message: message.slice(0, mostMessage), defaultText: defaultPrompt.slice(0, mostMessage) }
    changed()
  })
  session.on('Page.javascriptDialogClosed', () => {
    dialog = undefined
    changed()
  })
  return () => dialog
}

/** Intercepts the file choosers of a page and its frames. */
function watchFiles(wanted: (chooser: Chooser) => void) {
  const sessions = new Set<Session>()
  let catching: 'on' | 'off' = 'off'
  const tell = (session: Session) =>
    quietly(session.send('Page.setInterceptFileChooserDialog', { enabled: catching === 'on' }))
  return {
    watch(session: Session): void {
      sessions.add(session)
      void session.ended.then(() => sessions.delete(session))
      session.on('Page.fileChooserOpened', ({ mode, backendNodeId }) => {
        if (backendNodeId !== undefined) wanted({ session, multiple: mode === 'selectMultiple', backendNodeId })
      })
      if (catching === 'on') tell(session)
    },
    catch(on: 'on' | 'off'): void {
      if (on === catching) return
      catching = on
      sessions.forEach(tell)
    },
  }
}

type TabLocation = { url: string; title: string; back: boolean; forward: boolean; loading: boolean }

const mostUrl = 2000
const mostTitle = 200

/**
 * Follows the URL, title and history of a tab. The browser process reports the history even while the page is blocked.
 */
function watchLocation(session: Session, targetId: string, changed: () => void) {
  let location: TabLocation = { url: '', title: '', back: false, forward: false, loading: false }
  let isAsking = false
  let isStale = false

  function put(change: Partial<TabLocation>): void {
    const { url, title } = { ...location, ...change }
    location = { ...location, ...change, url: url.slice(0, mostUrl), title: sanitiseLine(title).slice(0, mostTitle) }
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

/** Drag events over a page, which we must send ourselves while drags are intercepted. */
export type Drags = {
  /** Must be on from the press of a mouse button to its release. */
  catch(on: 'on' | 'off'): void
  isOn(): boolean
  /** Returns type and data of the next drag event; undefined if nothing is being dragged. */
  next(how: 'move' | 'drop'): { type: 'dragEnter' | 'dragOver' | 'drop'; data: Protocol.Input.DragData } | undefined
}

/**
 * Intercepts drags and sends their events to the page one by one, because a drag that the browser runs itself waits for
 * a real mouse and swallows some of our events.
 */
function watchDrags(session: Session): Drags {
  let catching: 'on' | 'off' = 'off'
  let data: Protocol.Input.DragData | undefined
  let hasEntered = false
  session.on('Input.dragIntercepted', (caught) => {
    data = caught.data
  })
  return {
    catch(on) {
      catching = on
      data = undefined
      hasEntered = false
      session.send('Input.setInterceptDrags', { enabled: on === 'on' }).catch(() => undefined)
    },
    isOn: () => catching === 'on',
    next(how) {
      if (!data) return undefined
      if (how === 'drop') return { type: 'drop', data }
      const type = hasEntered ? 'dragOver' : 'dragEnter'
      hasEntered = true
      return { type, data }
    },
  }
}

type Point = { x: number; y: number }
/** Isolated world of a frame, and the frame's origin in the viewport. */
export type FrameWorld = { call: World['call']; from: Point }
/** Finds the innermost frame at a point, or the focused one (null). */
type FindFrame = (point: Point | null, signal: AbortSignal) => Promise<FrameWorld>

/** Maximum nesting depth of cross-site frames. */
const deepest = 5

/** Finds frames of other origins by position, and opens their documents. */
function createFrameFinder(
  page: Session,
  targetId: string,
  attach: AttachFrame,
  /** Called with the session of each frame before its first use. */
  prepare: (frame: Session) => void,
): FindFrame {
  const openFrame = createFrameOpener(attach, prepare)
  const top: FrameDocument = { id: targetId, session: page, world: createWorld(page, targetId) }

  async function frameIn(around: FrameDocument, signal: AbortSignal): Promise<FrameDocument> {
    const objectId = await around.world.refer('locatedFrame', [], signal)
    return (await openFrame(around, { objectId }, signal)) ?? around
  }

  return async (point, signal) => {
    let [at, from] = [top, { x: 0, y: 0 }]
    for (let depth = 0; depth < deepest; depth++) {
      const inner = await at.world.call(
        'locateForeignFrame',
        [point && { x: point.x - from.x, y: point.y - from.y }],
        signal,
      )
      if (!inner) break
      at = await frameIn(at, signal)
      from = { x: from.x + inner.x, y: from.y + inner.y }
    }
    return { call: at.world.call, from }
  }
}
