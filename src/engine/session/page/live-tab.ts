import { sanitiseLine } from '../../../util/sanitise-text.ts'
import type { Session } from '../../browser/cdp/cdp-session.ts'
import { type ActMemory, createTab, type TabOptions } from '../../browser/page/tab.ts'
import { type Chooser, watchChoosers } from '../file-chooser.ts'
import type { Line } from './text/snapshot-lines.ts'
import type { Protocol } from 'devtools-protocol'
import { isOfOurProxy } from '../../browser/page/navigate.ts'

type TabMemory = ActMemory & {
  readonly refNames: Map<number, string>
  chooser?: Chooser | undefined
  last?: { documentId: string; lines: readonly Line[] }
  /** Headers, footers and other landmarks around the content of the last shown page, as text. */
  frames?: readonly string[]
}

type DialogKind = 'alert' | 'confirm' | 'prompt' | 'beforeunload'
export type OpenDialog = { kind: DialogKind; message: string; defaultText?: string }
type DialogAnswer = { accept: boolean; text?: string }
export type PastDialog = OpenDialog & { answer: DialogAnswer }

const maxMessage = 300
const maxPast = 3

/** Dialogs of a tab. Alerts are accepted immediately; a confirm or prompt blocks the page until it is answered. */
export type Dialogs = ReturnType<typeof watchDialogs>

function watchDialogs(session: Session) {
  let open: OpenDialog | undefined
  let next: DialogAnswer | undefined
  let past: PastDialog[] = []
  let count = 0
  const waiting = new Set<(dialog: OpenDialog) => void>()

  async function end(dialog: OpenDialog, answer: DialogAnswer): Promise<void> {
    open = undefined
    past = [...past, { ...dialog, answer }].slice(-maxPast)
    count += 1
    const promptText = answer.text ?? (dialog.kind === 'prompt' ? dialog.defaultText : undefined)
    await session
      .send('Page.handleJavaScriptDialog', { accept: answer.accept, ...(promptText !== undefined && { promptText }) })
      .catch(() => undefined)
  }

  session.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt }) => {
    const dialog: OpenDialog = {
      kind: type as DialogKind,
      message: sanitiseLine(message).slice(0, maxMessage),
      ...(defaultPrompt && { defaultText: defaultPrompt.slice(0, maxMessage) }),
    }
    const isQuestion = dialog.kind === 'confirm' || dialog.kind === 'prompt'
    const answer = isQuestion ? next : { accept: true }
    if (isQuestion) next = undefined
    if (answer) return void end(dialog, answer)
    open = dialog
    for (const resolve of waiting) resolve(dialog)
  })
  // The dialog may have been answered elsewhere, for example in the live view.
  session.on('Page.javascriptDialogClosed', () => void (open = undefined))

  return {
    open: () => open,
    opened: (signal: AbortSignal) =>
      new Promise<OpenDialog>((resolve, reject) => {
        if (open) return resolve(open)
        const leave = () => {
          waiting.delete(resolve)
          reject(signal.reason)
        }
        waiting.add(resolve)
        signal.addEventListener('abort', leave, { once: true })
      }),
    /** Answers the open dialog, or stores the answer for the next one. */
    async answer(answer: DialogAnswer): Promise<'answered' | 'kept for the next'> {
      if (!open) next = answer
      else await end(open, answer)
      return next ? 'kept for the next' : 'answered'
    },
    /** Returns the last dialogs that ended since the last call, and how many ended in total. */
    past() {
      const change = { last: past, count }
      past = []
      count = 0
      return change
    },
  }
}

/** A tab that stays open between calls, with its dialogs, console errors and refs. */
export type LiveTab = ReturnType<typeof createLiveTab>
/** Bodies of frames in other processes are not stored. */
const smallBuffers = { maxTotalBufferSize: 1, maxResourceBufferSize: 1 } as const
const maxErrors = 50
const maxMessages = 100
const maxErrorCharacters = 200

/** Creates a live tab. Needs the Page, Network and Runtime domains. */
export function createLiveTab(session: Session, targetId: string, options: TabOptions) {
  const memory: Partial<TabMemory> = { refNames: new Map() }
  const storeChooser = (chooser: Chooser) => (memory.chooser = chooser)
  const watch = (page: Session) => {
    page.send('Page.setInterceptFileChooserDialog', { enabled: true }).catch(() => undefined)
    watchChoosers(page, storeChooser)
  }
  watch(session)
  const prepareFrame = (frame: Session) => {
    // The requests of a frame show whether it is stable.
    frame.send('Network.enable', smallBuffers).catch(() => undefined)
    watch(frame)
  }
  const tab = createTab(session, targetId, { ...options, prepareFrame })
  return {
    ...tab,
    dialogs: watchDialogs(session),
    memory: Object.assign(memory, tab.memory) as TabMemory,
    requests: watchRequestLog(session),
    ...watchConsole(session),
  }
}

function watchConsole(session: Session) {
  const errors = createLineBuffer(maxErrors)
  const all = createLineBuffer(maxMessages)
  const add = (level: string, text: string | undefined) => {
    if (!text) return
    const line = sanitiseLine(text.split('\n', 1)[0] ?? '').slice(0, maxErrorCharacters)
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
const maxRequests = 500
const maxPostData = 4000

/**
 * Logs the latest requests of a page and its same-process frames, for which Network must be enabled. Those blocked by
 * our own proxy do not count as failed.
 */
function watchRequestLog(session: Session) {
  const latest = new Map<string, PageRequest>()
  let failed: PageRequest[] = []
  let count = 0

  const fail = (request: PageRequest | undefined, why: Pick<PageRequest, 'status' | 'failure'>) => {
    if (request) failed = [...failed, Object.assign(request, why)].slice(-maxRequests)
  }
  const answered = (requestId: string, response: Protocol.Network.Response) => {
    const request = latest.get(requestId)
    const { status, mimeType } = response
    if (request) Object.assign(request, { status, mimeType })
    if (status >= 400 && !isOfOurProxy(response)) fail(request, { status })
  }

  session.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other', redirectResponse }) => {
    if (/^(?:data|blob):/.test(request.url)) return
    if (redirectResponse) answered(requestId, redirectResponse)
    const { method, url, postData } = request
    const sent = postData === undefined ? {} : { postData: postData.slice(0, maxPostData) }
    // The requests of a redirect share an id; only the last is kept.
    latest.delete(requestId)
    latest.set(requestId, { name: `r${++count}`, requestId, method, url, type, ...sent })
    const [oldest] = latest.keys()
    if (latest.size > maxRequests && oldest !== undefined) latest.delete(oldest)
  })
  session.on('Network.responseReceived', ({ requestId, response }) => answered(requestId, response))
  session.on('Network.loadingFailed', ({ requestId, errorText, canceled, blockedReason }) => {
    // The browser reports this error for a tunnel that our proxy refuses.
    if ((canceled && blockedReason === undefined) || errorText === 'net::ERR_SOCKS_CONNECTION_FAILED') return
    const why = blockedReason === undefined ? errorText.replace(/^net::ERR_/, '') : `blocked: ${blockedReason}`
    fail(latest.get(requestId), { failure: why })
  })

  return {
    /** Returns requests that failed or had an error status since the last call. */
    takeFailed() {
      const taken = failed
      failed = []
      return [...new Set(taken)]
    },
    matching: (text: string) =>
      Array.from(latest.values()).filter(({ url }) => url.toLowerCase().includes(text.toLowerCase())),
    find: (name: string) => Array.from(latest.values()).find((each) => each.name === name),
  }
}
