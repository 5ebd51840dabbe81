import type { Act, ActResult, Snapshot, SnapshotOptions } from '../../contracts/page-action.ts'
import type { CodeJob, CodeResult, Door, EndReason, Language, Picture, SessionTab } from '../../contracts/session.ts'
import { AppError, fail, failure } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { DeadlineError, withDeadline } from '../../util/deadline.ts'
import { once } from '../../util/lazy.ts'
import { createTurns } from '../../util/semaphore.ts'
import { CdpError } from '../browser/cdp/error.ts'
import type { FaultOf } from '../browser/page/navigate.ts'
import { PageError } from '../browser/page/tab.ts'
import { answering } from './cdp/answering.ts'
import { cdpDoor } from './cdp/endpoint.ts'
import { type CodeOptions, createCodeRunners } from './code-runners.ts'
import { livePage } from './live-view/live-page.ts'
import { createLiveView } from './live-view/live-view.ts'
import { endingOf, type SessionBrowser, viewport } from './open-browser.ts'
import { act } from './page/act.ts'
import type { LiveTab } from './page/live-tab.ts'
import { snapshot } from './page/snapshot.ts'
import { createPersonWatch } from './person.ts'
import type { KeyUse } from './registry/secrets.ts'
import { untilDialog } from './page/blocked.ts'

export type SessionParts = Pick<CodeOptions, 'sandboxFor' | 'programsFor'> & {
  toMarkdown(html: string, url: string, signal: AbortSignal): Promise<string>
  faultOf: FaultOf
  log: Log
}
export type Ears = {
  /** Somebody did something. */
  activity(): void
  /** It may look different now, or be elsewhere. */
  changed(): void
}
/** A session with all that can be done in it. Its calls fail with SESSION_FAILED when the browser does. */
export type LiveSession = {
  execute(job: CodeJob & { language: Language }, signal: AbortSignal): Promise<CodeResult>
  snapshot(options: SnapshotOptions, signal: AbortSignal): Promise<Snapshot>
  act(acts: readonly Act[], signal: AbortSignal): Promise<ActResult>
  picture(signal: AbortSignal): Promise<Picture>
  tabs(): Promise<SessionTab[]>
  door(use: KeyUse): Promise<Door>
  readonly warnings: readonly string[]
  /** Resolves when its browser is gone, whoever ended it. */
  readonly gone: Promise<unknown>
  /** Ends what runs, keeps what its profile is to keep, and ends the browser. */
  close(why: EndReason): Promise<void>
}

const pictureMs = 10_000
const pictureQuality = 70

/** Puts the parts of a session together around its browser. Loads and starts only what every session needs. */
export function createLiveSession(
  opened: SessionBrowser,
  parts: SessionParts,
  ears: Ears,
  remark?: string,
): LiveSession {
  const { browser, contextId, isOwn, tabs, profile } = opened
  const { connection } = browser
  const { log, faultOf, toMarkdown, sandboxFor, programsFor } = parts
  const wanted = createPersonWatch()
  const isOwnTarget = (targetId: string) => tabs.targetIds().includes(targetId)
  const reach = isOwn ? {} : { contextId, isOwnTarget }
  const pageId = () => tabs.current().targetId
  const code = createCodeRunners({ connection, sandboxFor, programsFor, reach, pageId })
  code.warm('node')
  const view = once(() => openView(opened, ears, log))
  const { version } = browser
  const cdp = cdpDoor({ connection, version, reach, onActivity: ears.activity, log })
  const unwatch = connection.browser.on('Target.targetInfoChanged', ({ targetInfo }) => {
    if (targetInfo.browserContextId === contextId) ears.changed()
  })

  const { inTurn, looking, end } = createWork(opened, ears)
  const endBrowser = endingOf(browser)

  return {
    warnings: [...profile.warnings, ...(remark === undefined ? [] : [remark])],
    gone: browser.closed,
    execute: (job, signal) =>
      inTurn(async (within) => explained(await code.run(job, within), tabs.current(), faultOf), signal),
    act: (acts, signal) =>
      inTurn(async (within) => {
        const result = await act({ tabs, toMarkdown, faultOf }, acts, within)
        return { ...result, wants: await wanted(tabs.current()) }
      }, signal),
    snapshot: (options, caller) => looking((signal) => snapshot(tabs.current(), options, signal), caller),
    picture: (caller) => looking((signal) => pictureOf(opened, signal), caller),
    tabs: () => told(() => tabs.list()),
    async door(use) {
      if (use === 'cdp') return cdp
      const live = await view()
      return { kind: 'view', role: use, page: livePage, join: (peer) => live.join(peer, use) }
    },
    async close(why) {
      end()
      unwatch()
      tabs.unfollow()
      cdp.close()
      // Whatever fails here, the browser is not to outlive it.
      await Promise.allSettled([code.close(), view.close(async (open) => open.end(why))])
      if (why !== 'browser') await profile.save().catch((cause: unknown) => log.warn('session.profile', { cause }))
      await endBrowser()
      await profile.release()
    },
  }
}

type Step<T> = (signal: AbortSignal) => Promise<T>

/** What is done in the pages is done in turn; what only looks waits for nobody. The end of the session ends all of it. */
function createWork({ tabs, browser }: SessionBrowser, ears: Ears) {
  const turns = createTurns(1)
  const over = new AbortController()
  const end = () => over.abort(failure('SESSION_GONE'))
  void browser.connection.closed.then(end)
  const looking = <T>(work: Step<T>, caller: AbortSignal): Promise<T> => {
    const signal = AbortSignal.any([caller, over.signal])
    return told(async () => {
      // Code may have closed all of them.
      if (tabs.targetIds().length === 0) await tabs.open(signal)
      await answering(tabs, signal)
      return work(signal)
    })
  }
  return {
    looking,
    end,
    async inTurn<T>(work: Step<T>, caller: AbortSignal): Promise<T> {
      await turns.take(AbortSignal.any([caller, over.signal]))
      try {
        return await looking(work, caller)
      } finally {
        turns.release()
        ears.changed()
      }
    },
  }
}

function openView({ browser: { connection }, contextId, tabs }: SessionBrowser, ears: Ears, log: Log) {
  return createLiveView({
    connection,
    viewport,
    log,
    onActivity: ears.activity,
    onChange: ears.changed,
    isOwn: (target) => target.type === 'page' && target.browserContextId === contextId,
    current: () => tabs.current().targetId,
    activate: (targetId) => tabs.show(targetId),
  })
}

/** A dialog holds the page, and with it the picture. */
async function pictureOf({ tabs }: SessionBrowser, signal: AbortSignal): Promise<Picture> {
  const tab = tabs.current()
  const wish = { format: 'jpeg', quality: pictureQuality } as const
  const outcome = await withDeadline({ step: 'take a picture', ms: pictureMs }, signal, (within) =>
    untilDialog(tab, within, (during) => tab.session.send('Page.captureScreenshot', wish, during)),
  )
  if ('value' in outcome) return { base64: outcome.value.data, mimeType: 'image/jpeg' }
  return fail('SESSION_FAILED', {
    message: `There is no picture while a dialog (${outcome.dialog.kind}) is open: the page stands still.`,
    hint: 'Answer it with browser_act: {"type": "dialog", "accept": true}.',
  })
}

/** What went wrong in the browser, in words of the contract. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof DeadlineError)
      throw failure('SESSION_FAILED', { message: `The browser did not finish a step: ${cause.step}.`, cause })
    if (cause instanceof PageError) throw failure('SESSION_FAILED', { message: 'The page could not be read.', cause })
    if (cause instanceof CdpError) throw failure('SESSION_FAILED', { ...(cause.why === 'crashed' && crashed), cause })
    throw cause
  }
}

const crashed = {
  message: 'The page of the current tab has crashed.',
  hint: 'Go on in a new tab: browser_act with {"type": "tab", "do": "open"}.',
}

/**
 * Adds to the result of code why it failed, where code cannot know: of a refused address the browser tells only that its
 * proxy failed, and while a dialog is open nothing that is asked of the page answers.
 */
export function explained(result: CodeResult, tab: Pick<LiveTab, 'dialogs' | 'traffic'>, faultOf: FaultOf): CodeResult {
  const why = whyOf(result, tab, faultOf)
  if (why === undefined) return result
  const { error, stderr } = result
  return { ...result, stderr: `${stderr}[note] ${why}\n`, ...(error !== undefined && { error: `${error} ${why}` }) }
}

function whyOf(
  { error = '', stderr, killed }: CodeResult,
  { dialogs, traffic }: Pick<LiveTab, 'dialogs' | 'traffic'>,
  faultOf: FaultOf,
): string | undefined {
  const kind = dialogs.open()?.kind
  if (killed && kind) return `A dialog (${kind}) is open, and the page stands still until it is answered.`
  const [, asked] = /net::ERR_\w+ at (https?:\/\/\S+)/.exec(`${error}\n${stderr}`) ?? []
  if (asked === undefined) return undefined
  // Where a redirect led, only the tab knows.
  const fault = faultOf(asked) ?? faultOf(traffic.asked() ?? asked)
  return fault instanceof AppError ? [fault.message, fault.hint].filter(Boolean).join(' ') : undefined
}
