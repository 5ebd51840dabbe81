import { setTimeout as sleep } from 'node:timers/promises'
import type { ActionsResult, SessionAction } from '../../../contracts/render-port.ts'
import { AppError } from '../../../kernel/error.ts'
import { DeadlineError, poll, withDeadline } from '../../../util/async.ts'
import { CdpError } from '../../browser/cdp/cdp-session.ts'
import { failedLoad, isUndecoded } from '../../browser/page/navigate.ts'
import { PageError } from '../../browser/world/isolated-world.ts'
import type { ActionContext, ActionHandler } from '../actions/action-context.ts'
import { fieldActions } from '../actions/field.ts'
import { navigationActions, waitAfterAction } from '../actions/navigation.ts'
import { observationActions } from '../actions/observe-page.ts'
import { pointerActions } from '../actions/pointer.ts'
import { scrollActions } from '../actions/scroll-and-wait.ts'
import { beginStep, endStep } from '../people.ts'
import type { LiveTab } from './live-tab.ts'
import type { TabEvents } from './tabs.ts'
import { type Attempted, loadFaultText, type ActionOutcome, type ActionType } from './text/remarks.ts'
import { type ActionLog, resultOf } from './text/action-result.ts'
import { readOutline, rememberedOf } from './snapshot.ts'
import { openDialogText, releasePage, untilDialog } from './blocked.ts'
import { ActionError } from '../../browser/acts/tab-frames.ts'

const tabLost = 'The page stopped responding, and its tab was closed.'

/** Handler of each type of action; does not compile if one is missing. */
const kinds: { [T in ActionType]: (...given: Parameters<ActionHandler<T>>) => Promise<ActionOutcome> } = {
  ...pointerActions,
  ...fieldActions,
  ...navigationActions,
  ...scrollActions,
  ...observationActions,
}
/** Actions after which the next one starts without waiting for the page. */
const withoutWait: ReadonlySet<string> = new Set(
  'fill type hover check uncheck wait dialog extract screenshot network console'.split(' '),
)
const maxActs = 30
const defaultActMs = 20_000
const longActMs = 70_000
const longActions: ReadonlySet<ActionType> = new Set(['navigate', 'tab', 'wait', 'scroll', 'back', 'forward', 'reload'])

const mergeEvents = (one: TabEvents, other: TabEvents): TabEvents => ({
  opened: [...one.opened, ...other.opened],
  closed: [...one.closed, ...other.closed],
  downloads: [...one.downloads, ...other.downloads],
})

/** Performs actions in order until one fails, and reports what changed. Rejects if aborted or without a browser. */
export async function performActions(
  context: Omit<ActionContext, 'tab'>,
  acts: readonly SessionAction[],
  signal: AbortSignal,
): Promise<ActionsResult> {
  const { tabs } = context
  const start = tabs.current()
  // Tabs opened or closed since the last call are visible in the list of tabs; downloads are reported only once, here.
  const { downloads } = await tabs.takeEvents()
  start.takeConsoleErrors()
  start.dialogs.past()
  const log: ActionLog = {
    acts,
    outcomes: [],
    events: { opened: [], closed: [], downloads },
    before: start.memory.last ?? (await readCurrent(start, signal)),
    start,
  }
  for (const each of acts.slice(0, maxActs)) {
    const reason = context.people && (await beginStep(context.people, each, tabs.current(), signal))
    if (reason !== undefined) {
      log.failure = reason
      break
    }
    const tab = tabs.current()
    const outcome = withRemarks(await attempt({ ...context, tab }, each, signal), tab.memory.remarks.splice(0))
    log.events = mergeEvents(log.events, await tabs.takeEvents())
    if (context.people) endStep(context.people, each, { before: tab, tabs, hasFailed: 'failure' in outcome })
    if ('failure' in outcome) {
      log.failure = outcome.failure
      break
    }
    log.outcomes.push(outcome.outcome)
    const open = tabs.current().dialogs.open()
    if (open && acts[log.outcomes.length]?.type !== 'dialog') break
  }
  return finish(context, log, signal)
}

function withRemarks(attempted: Attempted, remarks: readonly string[]): Attempted {
  if (remarks.length === 0) return attempted
  const all = remarks.join('; ')
  if ('failure' in attempted) return { failure: `${attempted.failure} Before that: ${all}.` }
  const { outcome } = attempted
  return { outcome: { ...outcome, remark: [all, outcome.remark].filter(Boolean).join('; ') } }
}

/** Reads the page; undefined if it does not respond, as actions may still navigate away. */
async function readCurrent(tab: LiveTab, signal: AbortSignal): Promise<ActionLog['before']> {
  const read = await untilDialog(tab, signal, (within) => readOutline(tab, undefined, within)).catch(() =>
    signal.throwIfAborted(),
  )
  return read && 'value' in read && read.value ? rememberedOf(read.value) : undefined
}

const isDetached = (error: unknown): boolean => error instanceof CdpError && error.why === 'detached'

/** Time limit in ms for the browser to report a closed tab after the end of its session. */
const closeMs = 2000

/** Waits until a detached tab has left the list of tabs. Returns false if it stays. */
async function untilClosed({ tabs, tab: { targetId } }: Pick<ActionContext, 'tabs' | 'tab'>): Promise<boolean> {
  await tabs.untilAttached()
  const isOpen = () => tabs.targetIds().includes(targetId)
  return poll(closeMs, undefined, async () => !isOpen(), Boolean, 20)
}

/** Remark on an action that made the page open a file chooser, which the model cannot use. */
const chooserRemark = ({ memory }: LiveTab, { type: kind }: SessionAction): ActionOutcome =>
  memory.chooser && kind !== 'upload'
    ? { remark: 'opened a file chooser, which was closed: use upload with the same target', hasEffect: true }
    : {}

/** Time limit in ms for an action to finish after its frame has left the page. */
const afterLeavingMs = 500
/** Actions that have succeeded if their frame leaves the page. */
const mayRemoveFrame: ReadonlySet<ActionType> = new Set(['click', 'doubleClick', 'drag', 'press'])

/** Aborts an action when its frame leaves the page, because input in that frame is never acknowledged then. */
async function abortWhenFrameLeaves(
  { frames }: Pick<LiveTab, 'frames'>,
  type: ActionType,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  const leaving = new AbortController()
  const left = new ActionError('The frame left the page while this was done in it.')
  const abortOnLeaving = async () => {
    await frames.whenActedLeaves()
    await sleep(afterLeavingMs)
    leaving.abort(left)
  }
  void abortOnLeaving()
  try {
    return await work(AbortSignal.any([signal, leaving.signal]))
  } catch (error) {
    if (error !== left || !mayRemoveFrame.has(type)) throw error
    return { remark: 'the frame left the page' }
  }
}

async function attempt(context: ActionContext, each: SessionAction, signal: AbortSignal): Promise<Attempted> {
  const open = context.tab.dialogs.open()
  if (open && each.type !== 'dialog' && each.type !== 'tab') return { failure: openDialogText(open) }
  if (!usesFocus(each)) context.tab.frames.acted = undefined
  Object.assign(context.tab.memory, { hasActed: false, chooser: undefined })
  context.tab.traffic.expectRequests()
  try {
    const handler = kinds[each.type] as ActionHandler<typeof each.type> | undefined
    if (!handler) return { failure: `There is no action "${each.type}".` }
    const done = await untilDialog(context.tab, signal, async (within) => {
      if (each.type === 'screenshot') await context.secrets?.requireHidden(context.tab, within)
      const result = await withDeadline(
        { step: each.type, ms: longActions.has(each.type) ? longActMs : (context.actMs ?? defaultActMs) },
        within,
        (own) => abortWhenFrameLeaves(context.tab, each.type, own, (inside) => handler(context, each as never, inside)),
      )
      // The previous tab may never become stable, for example after a crash.
      const tab = each.type === 'tab' ? context.tabs.current() : context.tab
      if (!withoutWait.has(each.type) || ('submit' in each && each.submit)) await settleTab({ ...context, tab }, within)
      return result
    })
    return { outcome: { ...('value' in done ? done.value : {}), ...chooserRemark(context.tab, each) } }
  } catch (error) {
    if (signal.aborted) throw error
    if (isDetached(error) && (await untilClosed(context))) {
      if (context.tab.memory.hasActed) return { outcome: { remark: 'closed the tab' } }
      // The tab was closed before the action reached it, so the current tab gets the action.
      return attempt({ ...context, tab: context.tabs.current() }, each, signal)
    }
    if (!(error instanceof DeadlineError) || (await releasePage(context.tab, signal)))
      return { failure: failureText(error) }
    return retryInNewTab(context, each, signal)
  }
}

/** True for keys and text without a target, which go to the frame of the previous action. */
const usesFocus = (each: SessionAction): boolean =>
  (each.type === 'press' || each.type === 'type') && each.target === undefined

/** Replaces the tab of a page that cannot be stopped, and repeats a navigation in the new tab. */
async function retryInNewTab(context: ActionContext, each: SessionAction, signal: AbortSignal): Promise<Attempted> {
  const tab = await context.tabs.replace(context.tab, signal)
  if (each.type !== 'navigate') return { failure: tabLost }
  const again = await attempt({ ...context, tab }, each, signal)
  if ('failure' in again) return again
  const remark = 'the previous page had stopped responding, and its tab was closed'
  return { outcome: { ...again.outcome, remark: [again.outcome.remark, remark].filter(Boolean).join('; ') } }
}

/** Waits until the tab is stable or closed. */
async function settleTab({ tabs, tab }: ActionContext, signal: AbortSignal, after: 'act' | 'all' = 'act') {
  try {
    await waitAfterAction(tab, after, signal)
  } catch (error) {
    if (!isDetached(error)) throw error
    await untilClosed({ tabs, tab })
  }
}

function failureText(error: unknown): string {
  if (error instanceof ActionError) return error.message
  if (error instanceof DeadlineError) return `The page did not answer within ${error.ms} ms; its script was stopped.`
  if (error instanceof PageError) return 'The page could not be read.'
  if (error instanceof AppError) return loadFaultText(error)
  if (error instanceof CdpError && error.why === 'crashed')
    return 'The page has crashed; continue in a new tab: {type: "tab", do: "open"}.'
  if (error instanceof CdpError && error.why !== 'closed') return 'The page was closed or replaced meanwhile.'
  throw error
}

const openMs = 3000

/** Waits for the URL of a tab opened by a page, which is blank until the server responds. */
async function waitUntilOpened(tab: LiveTab, signal: AbortSignal): Promise<void> {
  const look = () =>
    withDeadline({ step: 'look at the address', ms: openMs }, signal, (within) => tab.call('readLocation', [], within))
  await poll(openMs, signal, look, ({ url }) => url !== 'about:blank', 50)
}

/** Waits until the page is stable, and compares it with its earlier state. */
async function finish(context: Omit<ActionContext, 'tab'>, log: ActionLog, signal: AbortSignal) {
  const { tabs } = context
  const now = tabs.current()
  if (now !== log.start) await waitUntilOpened(now, signal).catch(() => signal.throwIfAborted())
  const looked = await untilDialog(now, signal, async (within) => {
    await settleTab({ ...context, tab: now }, within, 'all').catch((error) => {
      within.throwIfAborted()
      failureText(error)
    })
    return readOutline(tabs.current(), undefined, within)
  }).catch(async (error: unknown) => {
    signal.throwIfAborted()
    if (!(error instanceof DeadlineError) || (await releasePage(now, signal))) return { failure: failureText(error) }
    await tabs.replace(now, signal)
    return { failure: tabLost }
  })
  const events = mergeEvents(log.events, await tabs.takeEvents())
  const shown = tabs.current()
  const isFault = 'value' in looked && (looked.value?.url.startsWith('chrome-error:') || isUndecoded(shown))
  const result = isFault ? loadFault(context, log, shown) : looked
  return resultOf({ ...log, events, looked: result, now: shown, tabs: await tabs.list() })
}

function loadFault({ proxyErrorOf }: Pick<ActionContext, 'proxyErrorOf'>, { failure }: ActionLog, tab: LiveTab) {
  if (failure !== undefined) return { value: undefined }
  const error = failedLoad(tab, proxyErrorOf ?? (() => undefined))
  return { failure: `The page could not be loaded. ${error instanceof AppError ? loadFaultText(error) : ''}`.trim() }
}
