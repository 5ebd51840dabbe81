import type { Protocol } from 'devtools-protocol'
import type { Session } from '../../browser/cdp/session.ts'
import { TimeoutError } from './errors.ts'
import { createEmitter, type Emitter } from './emitter.ts'

export type LoadState = 'load' | 'domcontentloaded' | 'networkidle' | 'commit'

/** State of one open page. */
export type PageCore = {
  readonly targetId: string
  /** Attached once, at first use. */
  session(): Promise<Session>
  readonly events: Emitter
  url(): string
  timeouts: Timeouts
  /** Waits for a load state of the document, or of the one with this loader id, since its events may arrive late. */
  reached(state: LoadState, timeoutMs: number, loaderId?: string): Promise<void>
  /** Waits for a navigation that a click or key press has started, so that the next step finds the new document. */
  settled(): Promise<void>
  isClosed(): boolean
  closed(): void
}
/** The part of its context that a page needs. */
export type PageOwner = { closeTarget(targetId: string): Promise<void> }
export type Timeouts = { action: number; navigation: number }

const lifecycle = {
  load: 'load',
  domcontentloaded: 'DOMContentLoaded',
  networkidle: 'networkIdle',
  commit: 'commit',
} as const
/** How long to wait for a requested document before going on without it, ms. */
const commitMs = 5000

export function createCore(
  attach: () => Promise<Session>,
  { targetId, url }: { targetId: string; url: string },
  timeouts: Timeouts,
): PageCore {
  const events = createEmitter()
  const life = newLoadProgress(url)
  let attached: Promise<Session> | undefined

  async function session(): Promise<Session> {
    if (life.isClosed) throw new Error('Target page, context or browser has been closed')
    attached ??= attach().then(async (page) => {
      follow(page, targetId, life, events)
      await Promise.all([page.send('Page.enable', {}), page.send('Page.setLifecycleEventsEnabled', { enabled: true })])
      return page
    })
    return attached
  }

  return {
    targetId,
    session,
    events,
    timeouts,
    url: () => life.url,
    isClosed: () => life.isClosed,
    closed() {
      life.isClosed = true
      events.emit('close')
    },
    async reached(state, timeoutMs, loaderId) {
      const name = lifecycle[state]
      if (!name) throw new Error(`state: expected one of (load|domcontentloaded|networkidle|commit)`)
      await session()
      const until = performance.now() + timeoutMs
      const isThere = () => loaderId === undefined || life.loaders.has(loaderId)
      while (!isThere() || !life.names.has(name)) {
        const left = until - performance.now()
        if (timeoutMs > 0 && left <= 0) throw new TimeoutError(`Timeout ${timeoutMs}ms exceeded.`)
        await events.wait('life', timeoutMs > 0 ? left : 0).catch(() => undefined)
      }
    },
    async settled() {
      const page = await session()
      // The page answers this itself, so events of a navigation that a click started come before.
      await page.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined)
      if (!isSettled(life)) await events.wait('life', commitMs, () => isSettled(life)).catch(() => undefined)
    },
  }
}

const newLoadProgress = (url: string) => ({
  url,
  loaderId: '',
  loaders: new Set<string>(),
  names: new Set<string>(),
  isLeaving: false,
  isClosed: false,
})

type LoadProgress = ReturnType<typeof newLoadProgress>
/** Code that reads right after a click must not see half a page. */
const isSettled = ({ isLeaving, loaderId, names }: LoadProgress) =>
  !isLeaving && (loaderId === '' || names.has(lifecycle.domcontentloaded))

/** Tracks the page's main document. */
function follow(page: Session, mainFrame: string, life: LoadProgress, events: Emitter): void {
  const told = (change: () => void) => {
    change()
    events.emit('life')
  }
  page.on('Page.frameRequestedNavigation', ({ frameId }) => {
    if (frameId === mainFrame) life.isLeaving = true
  })
  page.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== mainFrame) return
    told(() => {
      life.url = frame.url + ((frame as { urlFragment?: string }).urlFragment ?? '')
      life.loaderId = frame.loaderId
      life.loaders.add(frame.loaderId)
      life.isLeaving = false
      life.names = new Set(['commit'])
    })
    events.emit('framenavigated')
  })
  page.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    if (frameId === mainFrame) told(() => Object.assign(life, { url, isLeaving: false }))
  })
  page.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (frameId === mainFrame) told(() => Object.assign(life, { isLeaving: false }))
  })
  page.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
    // May be a late event of the previous document.
    if (frameId !== mainFrame || (life.loaderId !== '' && loaderId !== life.loaderId)) return
    told(() => void life.names.add(name).add('commit'))
    if (name === 'load') events.emit('load')
    if (name === 'DOMContentLoaded') events.emit('domcontentloaded')
  })
  page.on('Page.javascriptDialogOpening', (opening) => {
    const dialog = createDialog(page, opening)
    if (events.has('dialog')) events.emit('dialog', dialog)
    else void (opening.type === 'beforeunload' ? dialog.accept() : dialog.dismiss()).catch(() => undefined)
  })
}

/** An alert, confirm or prompt that waits for an answer. */
function createDialog(session: Session, opening: Protocol.Page.JavascriptDialogOpeningEvent) {
  const answer = (accept: boolean, promptText?: string) =>
    session.send('Page.handleJavaScriptDialog', { accept, ...(promptText !== undefined && { promptText }) })
  return {
    message: () => opening.message,
    type: () => opening.type,
    defaultValue: () => opening.defaultPrompt ?? '',
    accept: async (text?: string) => void (await answer(true, text ?? opening.defaultPrompt)),
    dismiss: async () => void (await answer(false)),
  }
}
