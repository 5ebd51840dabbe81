import type { ActionsResult, SessionAction, Snapshot, SnapshotOptions } from '../../contracts/page-action.ts'
import type {
  CodeJob,
  CodeResult,
  Confinement,
  EndReason,
  Language,
  Screenshot,
  SessionBounds,
  SessionEndpoint,
  SessionRequest,
  SessionTab,
} from '../../contracts/session.ts'
import { fail, failure } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { withDeadline } from '../../util/deadline.ts'
import { once } from '../../util/lazy.ts'
import { createSemaphore } from '../../util/semaphore.ts'
import type { ProxyErrorOf } from '../browser/page/navigate.ts'
import { type CodeOptions, createCodeRunners } from '../code/runners.ts'
import type { HumanTask } from '../page-script/page/human-task.ts'
import { ensureResponsive } from './cdp/answering.ts'
import { createCdpEndpoint } from './cdp/endpoint.ts'
import { confine } from './confine.ts'
import { explainFailure, translateErrors } from './explain.ts'
import { livePage } from './live-view/live-page.ts'
import { createLiveView, type LiveView } from './live-view/live-view.ts'
import { endingOf, type OpenOptions, openSessionBrowser, type SessionBrowser, viewport } from './open-browser.ts'
import { performActions } from './page/act.ts'
import { untilDialog } from './page/blocked.ts'
import type { LiveTab } from './page/live-tab.ts'
import { snapshot } from './page/snapshot.ts'
import type { SecretUse } from './registry/secrets.ts'
import { arrive } from './replay/arrive.ts'

export type SessionDependencies = Pick<CodeOptions, 'sandboxFor' | 'programsFor'> & {
  toMarkdown(html: string, url: string, signal: AbortSignal): Promise<string>
  proxyErrorOf: ProxyErrorOf
  log: Log
}
export type SessionCallbacks = {
  /** A caller or viewer did something. */
  activity(): void
  /** Its looks or URL may have changed. */
  changed(): void
}
/** An open session. Its calls fail with SESSION_FAILED when the browser does. */
export type LiveSession = {
  execute(job: CodeJob & { language: Language }, signal: AbortSignal): Promise<CodeResult>
  snapshot(options: SnapshotOptions, signal: AbortSignal): Promise<Snapshot>
  act(acts: readonly SessionAction[], signal: AbortSignal): Promise<ActionsResult>
  /** As Sessions.confine. */
  confine(bounds: SessionBounds, signal: AbortSignal): Promise<Confinement>
  /** As Sessions.announce. */
  announce(text: string): void
  screenshot(signal: AbortSignal): Promise<Screenshot>
  tabs(): Promise<SessionTab[]>
  endpoint(use: SecretUse): Promise<SessionEndpoint>
  readonly warnings: readonly string[]
  /** Resolves when its browser is gone, whoever ended it. */
  readonly gone: Promise<unknown>
  /** Aborts running calls, saves the profile, and ends the browser. */
  close(why: EndReason): Promise<void>
}

const screenshotMs = 10_000
const screenshotQuality = 70

/** Assembles a session around its browser. Loads and starts only what every session needs. */
function createLiveSession(
  opened: SessionBrowser,
  parts: SessionDependencies,
  callbacks: SessionCallbacks,
  warning?: string,
): LiveSession {
  const { browser, contextId, isOwn, tabs, profile } = opened
  const { connection } = browser
  const { log, proxyErrorOf, toMarkdown, sandboxFor, programsFor } = parts
  const findPersonTask = createPersonWatch()
  const isOwnTarget = (targetId: string) => tabs.targetIds().includes(targetId)
  const reach = isOwn ? {} : { contextId, isOwnTarget }
  const pageId = () => tabs.current().targetId
  const code = createCodeRunners({ connection, sandboxFor, programsFor, reach, pageId })
  code.warm('node')
  let shown: LiveView | undefined
  const view = once(async () => (shown = await openView(opened, callbacks, log)))
  const { version } = browser
  const cdp = createCdpEndpoint({ connection, version, reach, onActivity: callbacks.activity, log })
  const unwatch = connection.browser.on('Target.targetInfoChanged', ({ targetInfo }) => {
    if (targetInfo.browserContextId === contextId) callbacks.changed()
  })

  const { inTurn, looking, end } = createQueue(opened, callbacks)
  const endBrowser = endingOf(browser)

  return {
    warnings: [...profile.warnings, ...(warning === undefined ? [] : [warning])],
    gone: browser.closed,
    execute: (job, signal) =>
      inTurn(async (within) => explainFailure(await code.run(job, within), tabs.current(), proxyErrorOf), signal),
    act: (acts, signal) =>
      inTurn(async (within) => {
        const result = await performActions({ tabs, toMarkdown, proxyErrorOf }, acts, within)
        return { ...result, wants: await findPersonTask(tabs.current()) }
      }, signal),
    snapshot: (options, caller) => looking((signal) => snapshot(tabs.current(), options, signal), caller),
    confine: (bounds, signal) => translateErrors(() => confine({ connection, contextId, tabs }, bounds, signal)),
    announce: (text) => shown?.announce(text),
    screenshot: (caller) => looking((signal) => screenshotOf(opened, signal), caller),
    tabs: () => translateErrors(() => tabs.list()),
    async endpoint(use) {
      if (use === 'cdp') return cdp
      const live = await view()
      return { kind: 'view', role: use, page: livePage, join: (peer) => live.join(peer, use) }
    },
    async close(why) {
      end()
      unwatch()
      tabs.unfollow()
      cdp.close()
      // The browser must end whatever fails here.
      await Promise.allSettled([code.close(), view.close(async (open) => open.end(why))])
      if (why !== 'browser') await profile.save().catch((cause: unknown) => log.warn('session.profile', { cause }))
      await endBrowser()
      await profile.release()
    },
  }
}

type Work<T> = (signal: AbortSignal) => Promise<T>

/** Actions run one after the other, read-only calls at any time; the end of the session aborts all of them. */
function createQueue({ tabs, browser }: SessionBrowser, callbacks: SessionCallbacks) {
  const turns = createSemaphore(1)
  const over = new AbortController()
  const end = () => over.abort(failure('SESSION_GONE'))
  void browser.connection.closed.then(end)
  const looking = <T>(work: Work<T>, caller: AbortSignal): Promise<T> => {
    const signal = AbortSignal.any([caller, over.signal])
    return translateErrors(async () => {
      // Code may have closed all tabs.
      if (tabs.targetIds().length === 0) await tabs.open(signal)
      await ensureResponsive(tabs, signal)
      return work(signal)
    })
  }
  return {
    looking,
    end,
    async inTurn<T>(work: Work<T>, caller: AbortSignal): Promise<T> {
      await turns.acquire(AbortSignal.any([caller, over.signal]))
      try {
        return await looking(work, caller)
      } finally {
        turns.release()
        callbacks.changed()
      }
    },
  }
}

function openView({ browser: { connection }, contextId, tabs }: SessionBrowser, callbacks: SessionCallbacks, log: Log) {
  return createLiveView({
    connection,
    viewport,
    log,
    onActivity: callbacks.activity,
    onChange: callbacks.changed,
    isOwn: (target) => target.type === 'page' && target.browserContextId === contextId,
    current: () => tabs.current().targetId,
    activate: (targetId) => tabs.show(targetId),
  })
}

/** An open dialog blocks the page, and with it the screenshot. */
async function screenshotOf({ tabs }: SessionBrowser, signal: AbortSignal): Promise<Screenshot> {
  const tab = tabs.current()
  const request = { format: 'jpeg', quality: screenshotQuality } as const
  const outcome = await withDeadline({ step: 'take a screenshot', ms: screenshotMs }, signal, (within) =>
    untilDialog(tab, within, (during) => tab.session.send('Page.captureScreenshot', request, during)),
  )
  if ('value' in outcome) return { base64: outcome.value.data, mimeType: 'image/jpeg' }
  return fail('SESSION_FAILED', {
    message: `No screenshot can be taken while a dialog (${outcome.dialog.kind}) is open.`,
    hint: 'Answer it with browser_act: {"type": "dialog", "accept": true}.',
  })
}

/** Opens the browser of a session and replays its scrape, if there is one. Fails as Sessions.create, and cleans up then. */
export async function openSession(
  options: OpenOptions & SessionDependencies,
  request: SessionRequest,
  callbacks: SessionCallbacks,
  signal: AbortSignal,
): Promise<LiveSession> {
  const opened = await openSessionBrowser(options, request, signal)
  try {
    const warning = await replayVisit(opened, request, options, signal)
    return createLiveSession(opened, options, callbacks, warning)
  } catch (error) {
    await opened.browser.close()
    await opened.profile.release()
    throw error
  }
}

async function replayVisit(
  { browser, tabs }: SessionBrowser,
  { replay }: SessionRequest,
  { proxyErrorOf }: SessionDependencies,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!replay) return undefined
  const { connection, version } = browser
  return arrive(tabs.current(), replay, { connection, version, proxyErrorOf }, signal)
}

type PersonTask = HumanTask

const lookMs = 1000

/**
 * Detects tasks that only a person can do on the page, reporting each once. One per session; a page that does not respond
 * has none.
 */
export function createPersonWatch(): (tab: LiveTab) => Promise<PersonTask | undefined> {
  let reported = ''
  return async (tab) => {
    if (tab.dialogs.open()) return undefined
    const task = await withDeadline({ step: 'look for a person’s task', ms: lookMs }, undefined, (within) =>
      tab.call('findHumanTask', [], within),
    ).catch(() => null)
    const key = `${task} ${tab.targetId} ${tab.traffic.document()?.url ?? ''}`
    if (task === null || key === reported) return undefined
    reported = key
    return task
  }
}
