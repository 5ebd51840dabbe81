import type { Session } from '../../browser/cdp/session.ts'
import { type Cast, type CastOptions, createCast } from './cast.ts'
import { type Drags, watchDrags } from './drags.ts'
import type { Chooser } from './file-chooser.ts'
import type { Frame } from './frame.ts'
import type { ShownDialog } from './messages.ts'
import { createPlaces, type FindPlace } from './places.ts'
import { type TabPlace, watchPlace } from './tab-place.ts'

/** A tab as the live view follows it, in a session of its own that nobody else notices. */
export type WatchedTab = {
  readonly targetId: string
  readonly session: Session
  readonly cast: Cast
  readonly findPlace: FindPlace
  readonly drags: Drags
  place(): TabPlace
  dialog(): ShownDialog | undefined
  /** Asks the browser where the tab is. */
  refresh(): void
  known(facts: { url: string; title: string }): void
  /** Catches file choosers while somebody is there to choose. */
  catchFiles(on: 'on' | 'off'): void
}
export type WatchedTabEars = {
  frame(frame: Frame): void
  /** Its place, or a dialog. */
  changed(): void
  wantsFiles(chooser: Chooser): void
  /** A session with a frame of the page. */
  attach(targetId: string, signal: AbortSignal): Promise<Session>
}

const mostMessage = 2000

/** Pages are followed from their first moment: a dialog can only be answered in a session that was there when it opened. */
export function watchTab(session: Session, targetId: string, options: CastOptions, ears: WatchedTabEars): WatchedTab {
  const { place, refresh, known } = watchPlace(session, targetId, ears.changed)
  const dialog = watchDialog(session, ears.changed)
  const files = watchFiles(ears.wantsFiles)
  files.watch(session)
  quietly(session.send('Page.enable', {}))
  quietly(session.send('Emulation.setFocusEmulationEnabled', { enabled: true }))
  return {
    targetId,
    session,
    findPlace: createPlaces(session, targetId, ears.attach, files.watch),
    cast: createCast(session, options, ears.frame),
    drags: watchDrags(session),
    place,
    dialog,
    refresh,
    known,
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
