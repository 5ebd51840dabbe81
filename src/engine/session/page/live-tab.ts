import { sanitiseLine } from '../../../util/sanitise-text.ts'
import type { Session } from '../../browser/cdp/session.ts'
import { createTab, type Tab } from '../../browser/page/tab.ts'
import { type AttachFrame, createFrameOpener } from '../../browser/world/frame-documents.ts'
import { type Dialogs, watchDialogs } from './dialogs.ts'
import { createTabFrames, type MayReach, type TabFrames } from './frames/tab-frames.ts'
import { type RequestLog, watchRequestLog } from './request-log.ts'
import type { Line } from './text/lines.ts'

/** What is remembered of a tab between calls. */
export type TabMemory = {
  /** The number of the next ref. */
  nextRef: number
  /** Role and name of the elements of refs, to describe a stale ref. */
  readonly refNames: Map<number, string>
  /** Remarks on the targets of the running act: the element that a partial match chose, the element that took a press. */
  readonly remarks: string[]
  /** Whether the running act has sent input that may do something. */
  hasActed?: boolean
  /** The file chooser that the page has opened last. */
  chooser?: Chooser | undefined
  /** The page as last shown. */
  last?: { documentId: string; lines: readonly Line[] }
  /** The surroundings of the content of the last page that was shown. */
  frames?: readonly string[]
}

/** A tab that stays open between calls, with its dialogs, console errors and refs. */
export type LiveTab = Tab & {
  readonly dialogs: Dialogs
  readonly memory: TabMemory
  readonly frames: TabFrames
  readonly requests: RequestLog
  /** Told of where acts take place. */
  readonly watch: {
    aimed?: ((ref: number) => void) | undefined
    pointed?: ((at: { x: number; y: number }) => void) | undefined
  }
  /** Console errors and exceptions of the page since the last call. */
  takeConsoleErrors(): string[]
  /** All that was written to the console since the last call, the latest. */
  takeConsole(): string[]
}

/** A file chooser that the page wanted to open: it is kept from opening. */
export type Chooser = { session: Session; backendNodeId: number; multiple: boolean }

/** How much of the response bodies Chromium keeps, in bytes. */
export const pageBuffers = { maxTotalBufferSize: 5_000_000, maxResourceBufferSize: 1_000_000 } as const
/** None of frames in other processes. */
const smallBuffers = { maxTotalBufferSize: 1, maxResourceBufferSize: 1 } as const
const mostComplaints = 50
const mostMessages = 100
const maxComplaint = 200

/** Needs a session whose Page, Network and Runtime domains are enabled. Dialogs that ask something stay open. */
export function createLiveTab(
  session: Session,
  targetId: string,
  contextId: string,
  { attach, limits }: { attach: AttachFrame; limits: ReadonlySet<MayReach> },
): LiveTab {
  // A tab of a scrape answers every dialog by itself.
  const on: Session['on'] = (event, listener) =>
    event === 'Page.javascriptDialogOpening' ? () => undefined : session.on(event, listener)
  const tab = createTab({ ...session, on }, targetId, contextId)
  const main = { id: targetId, session, world: tab, traffic: tab.traffic }
  const memory: TabMemory = { nextRef: 1, refNames: new Map(), remarks: [] }
  watchChoosers(session, memory)
  const watchFrame = (frame: Session) => {
    watchRequests(frame)
    watchChoosers(frame, memory)
  }
  return {
    ...tab,
    session,
    frames: createTabFrames(main, createFrameOpener(attach, watchFrame), limits),
    dialogs: watchDialogs(session),
    memory,
    requests: watchRequestLog(session),
    watch: {},
    ...watchConsole(session),
  }
}

/** Requests tell when a frame is still. */
function watchRequests(frame: Session): void {
  frame.send('Network.enable', smallBuffers).catch(() => undefined)
}

function watchChoosers(session: Session, memory: TabMemory): void {
  session.send('Page.setInterceptFileChooserDialog', { enabled: true }).catch(() => undefined)
  session.on('Page.fileChooserOpened', ({ backendNodeId, mode }) => {
    if (backendNodeId !== undefined) memory.chooser = { session, backendNodeId, multiple: mode === 'selectMultiple' }
  })
}

function watchConsole(session: Session): Pick<LiveTab, 'takeConsoleErrors' | 'takeConsole'> {
  const errors = createLineBuffer(mostComplaints)
  const all = createLineBuffer(mostMessages)
  const add = (level: string, text: string | undefined) => {
    if (!text) return
    const line = sanitiseLine(text.split('\n', 1)[0] ?? '').slice(0, maxComplaint)
    all.add(`${level}: ${line}`)
    if (level === 'error') errors.add(line)
  }
  session.on('Runtime.consoleAPICalled', ({ type, args }) =>
    add(type, args.map(({ value, description }) => String(value ?? description ?? '')).join(' ')),
  )
  session.on('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) =>
    add('error', exception?.description ?? text),
  )
  return { takeConsoleErrors: errors.take, takeConsole: all.take }
}

/** The latest lines, until they are taken. */
function createLineBuffer(most: number) {
  let lines: string[] = []
  return {
    add: (line: string) => void (lines = [...lines, line].slice(-most)),
    take() {
      const taken = lines
      lines = []
      return taken
    },
  }
}
