import type { Session } from '../../browser/cdp/session.ts'
import type { Pace } from '../../browser/input/pace.ts'
import { createTab, type Tab } from '../../browser/page/tab.ts'
import { type Dialogs, watchDialogs } from './dialogs.ts'
import type { Line } from './lines.ts'

/** What is remembered of a tab between calls. */
export type Memory = {
  /** The number of the next ref. */
  nextRef: number
  /** What refs meant, so that a stale one can be told. */
  readonly meant: Map<number, string>
  /** What was last told of the page. */
  last?: { documentId: string; lines: readonly Line[] }
  /** What is around the content of the last page that was told, as it looks there. */
  frames?: readonly string[]
}

/** A tab that stays open between calls, with its dialogs, what its console complains of, and what is known of it. */
export type LiveTab = Tab & {
  readonly dialogs: Dialogs
  readonly memory: Memory
  /** Errors that the page's scripts have told since the last call. */
  complaints(): string[]
}

const mostComplaints = 50
const maxComplaint = 200

/** To be made of a session whose Page, Network and Runtime domains are enabled. Dialogs that ask something stay open. */
export function createLiveTab(session: Session, targetId: string, contextId: string, pace: Pace = 'machine'): LiveTab {
  // A tab of a scrape answers every dialog by itself.
  const on: Session['on'] = (event, listener) =>
    event === 'Page.javascriptDialogOpening' ? () => undefined : session.on(event, listener)
  return {
    ...createTab({ ...session, on }, targetId, contextId, pace),
    session,
    dialogs: watchDialogs(session),
    memory: { nextRef: 1, meant: new Map() },
    complaints: watchConsole(session),
  }
}

function watchConsole(session: Session): () => string[] {
  let told: string[] = []
  const add = (text: string | undefined) => {
    if (text && told.length < mostComplaints) told.push((text.split('\n', 1)[0] ?? '').slice(0, maxComplaint))
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
