import { sanitiseLine } from '../../../util/unseen/sanitise-text.ts'
import type { Session } from '../../browser/cdp/session.ts'
import type { Pace } from '../../browser/input/pace.ts'
import { createTab, type Tab } from '../../browser/page/tab.ts'
import { type Dialogs, watchDialogs } from './dialogs.ts'
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
  /** Console errors and exceptions of the page since the last call. */
  takeConsoleErrors(): string[]
}

const mostComplaints = 50
const maxComplaint = 200

/** Needs a session whose Page, Network and Runtime domains are enabled. Dialogs that ask something stay open. */
export function createLiveTab(session: Session, targetId: string, contextId: string, pace: Pace = 'machine'): LiveTab {
  // A tab of a scrape answers every dialog by itself.
  const on: Session['on'] = (event, listener) =>
    event === 'Page.javascriptDialogOpening' ? () => undefined : session.on(event, listener)
  return {
    ...createTab({ ...session, on }, targetId, contextId, pace),
    session,
    dialogs: watchDialogs(session),
    memory: { nextRef: 1, refNames: new Map() },
    takeConsoleErrors: watchConsole(session),
  }
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
