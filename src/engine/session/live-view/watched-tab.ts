import type { Session } from '../../browser/cdp/session.ts'
import { type Cast, type CastOptions, createCast } from './cast.ts'
import type { Chooser } from './file-chooser.ts'
import type { ShownDialog } from './messages.ts'
import { createFrameFinder, type FindFrame } from './places.ts'
import type { ScreencastFrame } from './viewer.ts'

/** A tab as the live view follows it, in a session of its own that nobody else notices. */
export type WatchedTab = {
  readonly targetId: string
  readonly session: Session
  readonly cast: Cast
  readonly findFrame: FindFrame
  readonly drags: Drags
  location(): TabLocation
  dialog(): ShownDialog | undefined
  /** Asks the browser where the tab is. */
  refresh(): void
  update(facts: { url: string; title: string }): void
  /** Catches file choosers while somebody is there to choose. */
  catchFiles(on: 'on' | 'off'): void
}
export type WatchedTabCallbacks = {
  frame(frame: ScreencastFrame): void
  /** Its location, or a dialog. */
  changed(): void
  wantsFiles(chooser: Chooser): void
  /** A session with a frame of the page. */
  attach(targetId: string, signal: AbortSignal): Promise<Session>
}

const mostMessage = 2000

/** Pages are followed from their first moment: a dialog can only be answered in a session that was there when it opened. */
export function watchTab(
  session: Session,
  targetId: string,
  options: CastOptions,
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
    update: known,
    catchFiles: files.catch,
  }
}

/** A page that stands still or leaves does not answer. */
const quietly = (work: Promise<unknown>) => void work.catch(() => undefined)

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

/** File choosers of a page and its frames. */
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

/** What is told of a tab beside its picture. */
type TabLocation = { url: string; title: string; back: boolean; forward: boolean; loading: boolean }

const mostUrl = 2000
const mostTitle = 200

/** Follows where a tab is. The history is the browser's own: it is told while the page stands still, too. */
function watchLocation(session: Session, targetId: string, changed: () => void) {
  let location: TabLocation = { url: '', title: '', back: false, forward: false, loading: false }
  let isAsking = false
  let isStale = false

  function put(news: Partial<TabLocation>): void {
    const { url, title } = { ...location, ...news }
    location = { ...location, ...news, url: url.slice(0, mostUrl), title: title.slice(0, mostTitle) }
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

/** What is being dragged over a page, which the browser leaves to us while it is caught. */
export type Drags = {
  /** From the press of a button to its release. */
  catch(on: 'on' | 'off'): void
  isOn(): boolean
  /** The kind of the next event of the drag there is, and what it carries. */
  next(how: 'move' | 'drop'): { type: 'dragEnter' | 'dragOver' | 'drop'; data: object } | undefined
}

/**
 * A drag that the browser begins by itself waits for a hand at a real mouse, and takes the events of ours now and then. So
 * it is caught, and told to the page step by step.
 */
function watchDrags(session: Session): Drags {
  let catching: 'on' | 'off' = 'off'
  let data: object | undefined
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
