import { sanitiseLine } from '../../../util/sanitise-text.ts'
import type { Session } from '../../browser/cdp/cdp-session.ts'
import { createTab, type Tab } from '../../browser/page/tab.ts'
import { type AttachFrame, createFrameOpener } from '../../browser/world/isolated-world.ts'
import { type Dialogs, watchDialogs } from './dialogs.ts'
import { createTabFrames, type MayReach, type TabFrames } from './tab-frames.ts'
import type { Line } from './text/snapshot-lines.ts'
import type { Protocol } from 'devtools-protocol'
import { proxyStatusName } from '../../net/proxy/forward-proxy.ts'

/** State of a tab that is kept between calls. */
export type TabMemory = {
  /** Number of the next ref. */
  nextRef: number
  /** Role and name of each ref's element, to describe a stale ref. */
  readonly refNames: Map<number, string>
  /**
   * Remarks on the targets of the running action: the element chosen by a partial match, the element that received a
   * press.
   */
  readonly remarks: string[]
  /** True if the running action has sent input that may have an effect. */
  hasActed?: boolean
  /** The file chooser that the page opened last. */
  chooser?: Chooser | undefined
  /** The page as last shown. */
  last?: { documentId: string; lines: readonly Line[] }
  /** Headers, footers and other surroundings of the last shown page. */
  frames?: readonly string[]
}

/** A tab that stays open between calls, with its dialogs, console errors and refs. */
export type LiveTab = Tab & {
  readonly dialogs: Dialogs
  readonly memory: TabMemory
  readonly frames: TabFrames
  readonly requests: RequestLog
  /** Callbacks that receive the position of actions. */
  readonly watch: {
    aimed?: ((ref: number) => void) | undefined
    pointed?: ((at: { x: number; y: number }) => void) | undefined
  }
  /** Returns console errors and exceptions of the page since the last call. */
  takeConsoleErrors(): string[]
  /** Returns the latest console messages since the last call. */
  takeConsole(): string[]
}

/** A file chooser that the page tried to open; it is intercepted. */
export type Chooser = { session: Session; backendNodeId: number; multiple: boolean }

/** Size limits in bytes of the response bodies that Chromium stores. */
export const pageBuffers = { maxTotalBufferSize: 5_000_000, maxResourceBufferSize: 1_000_000 } as const
/** Bodies of frames in other processes are not stored. */
const smallBuffers = { maxTotalBufferSize: 1, maxResourceBufferSize: 1 } as const
const mostComplaints = 50
const mostMessages = 100
const maxComplaint = 200

/**
 * Creates a live tab. Needs a session whose Page, Network and Runtime domains are enabled. Confirms and prompts stay
 * open.
 */
export function createLiveTab(
  session: Session,
  targetId: string,
  contextId: string,
  { attach, limits }: { attach: AttachFrame; limits: ReadonlySet<MayReach> },
): LiveTab {
  // The tab of a scrape answers every dialog itself, so the event is hidden from it.
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

/** Requests show when a frame is stable. */
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

/** Buffer of the latest lines until they are taken. */
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

/** A request of a page. `name` is short and unique within its tab: `r1`, `r2`. */
export type PageRequest = {
  readonly name: string
  readonly requestId: string
  readonly method: string
  readonly url: string
  /** Chromium's resource type: Document, Fetch, XHR, Image … */
  readonly type: string
  readonly postData?: string
  status?: number
  mimeType?: string
  /** Error code of a failed request, from Chromium without `net::ERR_`. */
  failure?: string
}
/** The latest requests of a page and its same-process frames. */
type RequestLog = {
  /** Returns requests that failed or had an error status since the last call. */
  takeFailed(): PageRequest[]
  /** Returns requests whose URL contains this text, case-insensitive. */
  matching(text: string): PageRequest[]
  find(name: string): PageRequest | undefined
}

const mostRequests = 500
const mostPostData = 4000

/**
 * Logs requests. Needs a session whose Network domain is enabled. Requests blocked by our own proxy, such as ads, do
 * not count as failed.
 */
function watchRequestLog(session: Session): RequestLog {
  const latest = new Map<string, PageRequest>()
  let failed: PageRequest[] = []
  let count = 0

  const fail = (request: PageRequest | undefined, why: Pick<PageRequest, 'status' | 'failure'>) => {
    if (request) failed = [...failed, Object.assign(request, why)].slice(-mostRequests)
  }
  const answered = (requestId: string, { status, mimeType, headers }: Protocol.Network.Response) => {
    const request = latest.get(requestId)
    if (request) Object.assign(request, { status, mimeType })
    const isOurs = Object.entries(headers).some(
      ([name, value]) => name.toLowerCase() === 'proxy-status' && value === proxyStatusName,
    )
    if (status >= 400 && !isOurs) fail(request, { status })
  }

  session.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other', redirectResponse }) => {
    if (/^(?:data|blob):/.test(request.url)) return
    if (redirectResponse) answered(requestId, redirectResponse)
    const { method, url, postData } = request
    const sent = postData === undefined ? {} : { postData: postData.slice(0, mostPostData) }
    // The requests of a redirect share an id; only the last is kept.
    latest.delete(requestId)
    latest.set(requestId, { name: `r${++count}`, requestId, method, url, type, ...sent })
    const [oldest] = latest.keys()
    if (latest.size > mostRequests && oldest !== undefined) latest.delete(oldest)
  })
  session.on('Network.responseReceived', ({ requestId, response }) => answered(requestId, response))
  session.on('Network.loadingFailed', ({ requestId, errorText, canceled, blockedReason }) => {
    // The browser reports this error for a tunnel that our proxy refuses.
    if ((canceled && blockedReason === undefined) || errorText === 'net::ERR_SOCKS_CONNECTION_FAILED') return
    const why = blockedReason === undefined ? errorText.replace(/^net::ERR_/, '') : `blocked: ${blockedReason}`
    fail(latest.get(requestId), { failure: why })
  })

  return {
    takeFailed() {
      const taken = failed
      failed = []
      return [...new Set(taken)]
    },
    matching: (text) => Array.from(latest.values()).filter(({ url }) => url.toLowerCase().includes(text.toLowerCase())),
    find: (name) => Array.from(latest.values()).find((each) => each.name === name),
  }
}
