import { sanitiseLine } from '../../../util/unseen/sanitise-text.ts'
import type { Session } from '../../browser/cdp/session.ts'
import { createTab, type Tab } from '../../browser/page/tab.ts'
import { type AttachFrame, createFrameOpener } from '../../browser/world/frame-documents.ts'
import { type Dialogs, watchDialogs } from './dialogs.ts'
import { createTabFrames, type MayReach, type TabFrames } from './frames/tab-frames.ts'
import type { Line } from './lines.ts'

/** What is remembered of a tab between calls. */
export type TabMemory = {
  /** The number of the next ref. */
  nextRef: number
  /** Role and name of the elements of refs, to describe a stale ref. */
  readonly refNames: Map<number, string>
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
  /** Console errors and exceptions of the page since the last call. */
  takeConsoleErrors(): string[]
}

/** Bodies of responses are not kept. */
export const smallBuffers = { maxTotalBufferSize: 1, maxResourceBufferSize: 1 } as const
const mostComplaints = 50
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
  return {
    ...tab,
    session,
    frames: createTabFrames(main, createFrameOpener(attach, watchRequests), limits),
    dialogs: watchDialogs(session),
    memory: { nextRef: 1, refNames: new Map() },
    takeConsoleErrors: watchConsole(session),
  }
}

/** Requests tell when a frame is still. */
function watchRequests(frame: Session): void {
  frame.send('Network.enable', smallBuffers).catch(() => undefined)
}

function watchConsole(session: Session): () => string[] {
  let told: string[] = []
  const add = (text: string | undefined) => {
    if (text && told.length < mostComplaints)
      told.push(sanitiseLine(text.split('\n', 1)[0] ?? '').slice(0, maxComplaint))
  }
  session.on('Runtime.consoleAPICalled', ({ type, args }) => {
    if (type === 'error') add(args.map(({ value, description }) => String(value ?? description ?? '')).join(' '))
  })
  session.on('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) =>
    add(exception?.description ?? text),
  )
  return () => {
    const all = told
    told = []
    return all
  }
}
