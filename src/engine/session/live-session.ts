import type { Shot, Snapshot, SnapshotOptions } from '../../contracts/render-port.ts'
import type {
  AskUntil,
  Confinement,
  EndReason,
  SessionBounds,
  SessionEndpoint,
  SessionRequest,
  SessionSecrets,
  SessionTab,
} from '../../contracts/session-port.ts'
import { fail, failure } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { withDeadline, once } from '../../util/async.ts'
import { type CodeOptions, createCodeRunners } from '../code/runners.ts'
import { actingCalls, createQueue } from './acting-calls.ts'
import { createCdpEndpoint } from './cdp-endpoint.ts'
import { confine } from './confine.ts'
import { translateErrors } from './registry/session-errors.ts'
import type { Life } from './live-view/follow-tabs.ts'
import { livePage, createLiveView, type LiveView } from './live-view/live-view.ts'
import { type OpenOptions, openSessionBrowser, type SessionBrowser, viewport } from './open-browser.ts'
import { createPeople, type People, type PersonAnswer } from './people.ts'
import { untilDialog } from './page/blocked.ts'
import { snapshot } from './page/snapshot.ts'
import { takeScreenshot } from '../browser/page/capture-page.ts'
import { arrive } from './replay-session.ts'
import { ActionError } from '../browser/acts/tab-frames.ts'
import {
  createTypedSecrets,
  secretNameIn,
  type TypedSecrets,
  type TypedSecretsOptions,
} from './secrets/typed-secrets.ts'

type SessionDependencies = Pick<CodeOptions, 'sandboxFor' | 'programsFor'> & {
  toMarkdown(html: string, url: string, signal: AbortSignal): Promise<string>
  /** Returns a secret of the team by its name. */
  findSecret: TypedSecretsOptions['find']
  log: Log
}
export type SessionCallbacks = Life & {
  /** Called before a secret is typed; revokes the session's cdpUrl. */
  secretTyped(): void
  activity(): void
  /** Called when the page's appearance or URL may have changed. */
  changed(): void
}
/**
 * An open session. Its calls fail with SESSION_FAILED if the browser fails; `gone` resolves when the browser has ended.
 */
export type LiveSession = ReturnType<typeof createLiveSession>

const noSecretsWithCdp =
  'A program has driven this browser by its cdpUrl, so no secret is typed in it: open another session.'
const screenshotMs = 10_000
/** Time limit in ms for an answer from viewers of the live view. */
const viewerAnswerMs = 45_000
/** Screenshot no larger than the pictures that clients of models accept. */
const screenshotShot: Shot = { fullPage: false, quality: 70, maxSide: 1568 }

function createDrivers(opened: SessionBrowser, parts: SessionDependencies, callbacks: SessionCallbacks) {
  const { browser, contextId, isOwn, tabs } = opened
  const { connection, version } = browser
  const { log, sandboxFor, programsFor } = parts
  const isOwnTarget = (targetId: string) => tabs.targetIds().includes(targetId)
  const reach = isOwn ? {} : { contextId, isOwnTarget }
  const cdp = createCdpEndpoint({ connection, version, reach, onActivity: callbacks.activity, log })
  const secrets = createTypedSecrets({
    find: parts.findSecret,
    refusal: () => (cdp.wasUsed() ? noSecretsWithCdp : undefined),
    typing() {
      cdp.close()
      callbacks.secretTyped()
    },
  })
  const code = createCodeRunners({
    connection,
    sandboxFor,
    programsFor,
    reach,
    followDownloads: opened.downloads?.follow,
    pageId: () => tabs.current().targetId,
    secrets: {
      ...secrets,
      nameIn: secretNameIn,
      type: (name, signal) => secrets.type(tabs.current(), name, null, signal),
    },
  })
  let shown: LiveView | undefined
  const isWatched = () => shown?.isWatched() ?? false
  const people = createPeople({ changed: () => shown?.update(), isWatched, secrets })
  const view = once(async () => (shown = await openView(opened, people, callbacks, log)))
  return { cdp, secrets, code, people, view, shown: () => shown }
}

/** Assembles a session around its browser. Parts that not every session needs are created on first use. */
function createLiveSession(
  opened: SessionBrowser,
  parts: SessionDependencies,
  callbacks: SessionCallbacks,
  warning?: string,
) {
  const { browser, contextId, tabs, profile, proxyErrorOf } = opened
  const { connection } = browser
  const { log, toMarkdown } = parts
  const { cdp, secrets, code, people, view, shown } = createDrivers(opened, parts, callbacks)
  code.warm('node')
  const unwatch = connection.browser.on('Target.targetInfoChanged', ({ targetInfo }) => {
    if (targetInfo.browserContextId === contextId) callbacks.changed()
  })
  const { inTurn, withPage, over, end } = createQueue(opened, callbacks)
  const file = (id: string) => fileOf(opened, id)
  return {
    warnings: [...profile.warnings, ...(warning === undefined ? [] : [warning])],
    gone: browser.closed as Promise<unknown>,
    ...actingCalls({ tabs, toMarkdown, proxyErrorOf, people, secrets, metrics: opened.metrics }, code, inTurn),
    snapshot: async (options: SnapshotOptions, caller: AbortSignal): Promise<Snapshot> =>
      secrets.hide(await withPage((signal) => snapshot(tabs.current(), options, signal), caller)),
    confine: (bounds: SessionBounds, signal: AbortSignal): Promise<Confinement> =>
      translateErrors(() => confine({ connection, contextId, tabs }, bounds, signal)),
    announce: (text: string) => shown()?.announce(text),
    askViewers(message: string, until: AskUntil, caller: AbortSignal): Promise<PersonAnswer> {
      const patienceMs = until === 'answered' ? Infinity : shown()?.mayBeUsed() ? viewerAnswerMs : 0
      return people.requests.ask(message, patienceMs, AbortSignal.any([caller, over]))
    },
    file,
    screenshot: (caller: AbortSignal) => withPage((signal) => screenshotOf(opened, secrets, signal), caller),
    tabs: async (): Promise<SessionTab[]> => secrets.hide(await translateErrors(() => tabs.list())),
    doing: () => currentAct(people),
    timeline: people.timeline.all,
    async endpoint(use: keyof SessionSecrets): Promise<SessionEndpoint> {
      if (use === 'cdp') return cdp
      const { join } = await view()
      return { kind: 'view', role: use, page: livePage, join: (peer) => join(peer, use), file }
    },
    async close(why: EndReason): Promise<void> {
      end()
      unwatch()
      tabs.unfollow()
      opened.downloads?.stop()
      cdp.close()
      // The browser must be closed whatever fails here.
      await Promise.allSettled([code.close(), view.close(async (open) => open.end(why))])
      if (why !== 'browser') await profile.save().catch((cause: unknown) => log.warn('session.profile', { cause }))
      // A clean shutdown is unnecessary, because the profile folder is temporary.
      await browser.kill()
      await profile.release()
    },
  }
}

function currentAct({ hold, doing }: People): string | undefined {
  if (hold.holder()) return 'A person has taken over'
  const step = doing.now()
  return step?.isOver ? undefined : step?.text
}

function openView(
  { browser: { connection }, tabs, metrics, proxyErrorOf, downloads }: SessionBrowser,
  people: People,
  callbacks: SessionCallbacks,
  log: Log,
) {
  return createLiveView({
    connection,
    tabs,
    people,
    life: callbacks,
    files: () => (downloads?.all() ?? []).map(({ id, name, bytes }) => ({ id, name, bytes: bytes.length })),
    viewport,
    metrics,
    proxyErrorOf,
    log,
    onActivity: callbacks.activity,
    onChange: callbacks.changed,
  })
}

function fileOf({ downloads }: SessionBrowser, id: string) {
  const file = downloads?.find(id)
  if (!file) return fail('SESSION_NOT_FOUND', { message: `The session has no file "${id}".`, hint: noFile })
  const { name, mediaType, bytes } = file
  return { name, mediaType, base64: bytes.toString('base64') }
}

const noFile = 'The result of an act that downloads a file contains its id, such as f1.'

/** Fails with SESSION_FAILED if a dialog blocks the page or the page shows a secret. */
async function screenshotOf({ tabs, metrics }: SessionBrowser, secrets: TypedSecrets, signal: AbortSignal) {
  const tab = tabs.current()
  await secrets.requireHidden(tab, signal).catch((error: unknown) => {
    throw error instanceof ActionError ? failure('SESSION_FAILED', { message: error.message }) : error
  })
  const outcome = await withDeadline({ step: 'take a screenshot', ms: screenshotMs }, signal, (within) =>
    untilDialog(tab, within, (during) => takeScreenshot(tab, screenshotShot, metrics, during)),
  )
  if ('value' in outcome) return { base64: outcome.value.replace(/^.*,/, ''), mimeType: 'image/jpeg' as const }
  return fail('SESSION_FAILED', {
    message: `No screenshot can be taken while a dialog (${outcome.dialog.kind}) is open.`,
    hint: 'Answer it with browser_act: {"type": "dialog", "accept": true}.',
  })
}

/** Opens the browser of a session, and repeats the visit of its scrape, if any. Fails like Sessions.create. */
export async function openSession(
  options: OpenOptions & SessionDependencies,
  request: SessionRequest,
  callbacks: SessionCallbacks,
  signal: AbortSignal,
): Promise<LiveSession> {
  const opened = await openSessionBrowser(options, request, signal)
  try {
    const warning = await replayVisit(opened, request, signal)
    return createLiveSession(opened, options, callbacks, warning)
  } catch (error) {
    await opened.browser.close()
    await opened.profile.release()
    throw error
  }
}

async function replayVisit(
  { browser, tabs, proxyErrorOf }: SessionBrowser,
  { replay }: SessionRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!replay) return undefined
  const { connection, version } = browser
  return arrive(tabs.current(), replay, { connection, version, proxyErrorOf }, signal)
}
