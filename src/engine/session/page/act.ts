import type { SessionAction, ActionsResult } from '../../../contracts/page-action.ts'
import { AppError } from '../../../kernel/error.ts'
import { DeadlineError, withDeadline } from '../../../util/deadline.ts'
import { CdpError } from '../../browser/cdp/error.ts'
import { PageError } from '../../browser/page/tab.ts'
import type { ActionHandler, ActionContext } from '../actions/context.ts'
import { extract } from '../actions/extract.ts'
import { check, fill, press, select, type as write } from '../actions/field.ts'
import { begun, dialog, navigate, rested, tab as besides, travel } from '../actions/navigation.ts'
import { click, doubleClick, drag, hover } from '../actions/pointer.ts'
import { upload } from '../actions/upload.ts'
import { scroll, wait } from '../actions/waiting.ts'
import type { LiveTab } from './live-tab.ts'
import { resultOf, type Story } from './result.ts'
import { lookInto, rememberedOf } from './snapshot.ts'
import { freed, untilDialog, waitingFor } from './blocked.ts'
import type { TabNews } from './tabs.ts'
import { ActionError, type ActionType, type Said } from './types.ts'

const isLost = 'The page stopped answering for good, and its tab was closed.'

/** How each kind of act is done. A kind that is missing here does not compile. */
const kinds: { [T in ActionType]: (...given: Parameters<ActionHandler<T>>) => Promise<Said> } = {
  click,
  doubleClick,
  hover,
  drag,
  fill,
  type: write,
  press,
  select,
  check,
  uncheck: check,
  upload,
  scroll,
  wait,
  navigate,
  back: travel,
  forward: travel,
  reload: travel,
  tab: besides,
  dialog,
  extract,
}
/** After these the page has hardly anything to do that the next act would have to wait for. */
const quiet: ReadonlySet<ActionType> = new Set([
  'fill',
  'type',
  'hover',
  'check',
  'uncheck',
  'wait',
  'dialog',
  'extract',
])
const mostActs = 30
const usualActMs = 20_000
const longActMs = 70_000
const long: ReadonlySet<ActionType> = new Set(['navigate', 'tab', 'wait', 'back', 'forward', 'reload'])

/**
 * Does acts one after the other in the current tab, and tells what changed by them. One that cannot be done ends it, and the
 * result says which and why. Fails only when the browser is gone or the signal aborts.
 */
export async function act(
  stage: Omit<ActionContext, 'tab'>,
  acts: readonly SessionAction[],
  signal: AbortSignal,
): Promise<ActionsResult> {
  const { tabs } = stage
  const start = tabs.current()
  await tabs.news()
  start.complaints()
  start.dialogs.past()
  const story: Story = {
    acts,
    said: [],
    news: { opened: [], closed: [], downloads: [] },
    before: start.memory.last ?? (await seen(start, signal)),
    start,
  }
  for (const each of acts.slice(0, mostActs)) {
    const outcome = await attempt({ ...stage, tab: tabs.current() }, each, signal)
    story.news = joined(story.news, await tabs.news())
    if ('failure' in outcome) {
      story.failure = outcome.failure
      break
    }
    story.said.push(outcome.said)
    const open = tabs.current().dialogs.open()
    if (open && acts[story.said.length]?.type !== 'dialog') break
  }
  return finish(stage, story, signal)
}

/** What is on the page now, if that can be told: one that stands still may yet be left. */
async function seen(tab: LiveTab, signal: AbortSignal): Promise<Story['before']> {
  const looked = await untilDialog(tab, signal, (within) => lookInto(tab, undefined, within)).catch(() =>
    signal.throwIfAborted(),
  )
  return looked && 'value' in looked && looked.value ? rememberedOf(looked.value) : undefined
}

async function attempt(
  stage: ActionContext,
  each: SessionAction,
  signal: AbortSignal,
): Promise<{ said: Said } | { failure: string }> {
  const open = stage.tab.dialogs.open()
  if (open && each.type !== 'dialog' && each.type !== 'tab') return { failure: waitingFor(open) }
  try {
    const doing = kinds[each.type] as ActionHandler<typeof each.type> | undefined
    if (!doing) return { failure: `There is no act "${each.type}".` }
    const outcome = await untilDialog(stage.tab, signal, async (within) => {
      const said = await withDeadline(
        { step: each.type, ms: long.has(each.type) ? longActMs : (stage.actMs ?? usualActMs) },
        within,
        (own) => doing(stage, each as never, own),
      )
      // The tab that was left may never come to rest: it has crashed perhaps.
      const tab = each.type === 'tab' ? stage.tabs.current() : stage.tab
      if (!quiet.has(each.type)) await rest({ ...stage, tab }, within)
      return said
    })
    return { said: 'value' in outcome ? outcome.value : {} }
  } catch (error) {
    if (signal.aborted) throw error
    if (!(error instanceof DeadlineError) || (await freed(stage.tab, signal))) return { failure: failureOf(error) }
    return replaced(stage, each, signal)
  }
}

/** A page that cannot be stopped is left with its tab; what was to be gone to is gone to in the one that takes its place. */
async function replaced(stage: ActionContext, each: SessionAction, signal: AbortSignal): ReturnType<typeof attempt> {
  const tab = await stage.tabs.replace(stage.tab, signal)
  if (each.type !== 'navigate') return { failure: isLost }
  const again = await attempt({ ...stage, tab }, each, signal)
  if ('failure' in again) return again
  const remark = 'the page before had stopped answering for good, and its tab was closed'
  return { said: { ...again.said, remark: [again.said.remark, remark].filter(Boolean).join('; ') } }
}

/** A page may have closed itself by what was done. */
async function rest({ tabs, tab }: ActionContext, signal: AbortSignal, after: 'act' | 'all' = 'act'): Promise<void> {
  try {
    await rested(tab, after, signal)
  } catch (error) {
    const isClosed = error instanceof CdpError && error.why === 'detached'
    if (!isClosed) throw error
    await tabs.news()
  }
}

function failureOf(error: unknown): string {
  if (error instanceof ActionError) return error.message
  if (error instanceof DeadlineError)
    return `The page did not answer within ${error.ms} ms; what its script was doing was stopped.`
  if (error instanceof PageError) return 'The page could not be read.'
  if (error instanceof AppError) return `${error.message} ${error.hint ?? ''}`.trim()
  if (error instanceof CdpError && error.why === 'crashed')
    return 'The page has crashed; go on in a new tab: {type: "tab", do: "open"}.'
  if (error instanceof CdpError && error.why !== 'closed') return 'The page has gone away meanwhile.'
  throw error
}

/** The page comes to rest, and is compared with what it was. */
async function finish(stage: Omit<ActionContext, 'tab'>, story: Story, signal: AbortSignal): Promise<ActionsResult> {
  const { tabs } = stage
  const now = tabs.current()
  if (now !== story.start) await begun(now, signal).catch(() => signal.throwIfAborted())
  const looked = await untilDialog(now, signal, async (within) => {
    await rest({ ...stage, tab: now }, within, 'all').catch((error) => {
      within.throwIfAborted()
      failureOf(error)
    })
    return lookInto(tabs.current(), undefined, within)
  }).catch(async (error: unknown) => {
    signal.throwIfAborted()
    if (!(error instanceof DeadlineError) || (await freed(now, signal))) return { failure: failureOf(error) }
    await tabs.replace(now, signal)
    return { failure: isLost }
  })
  const news = joined(story.news, await tabs.news())
  return resultOf({ ...story, news, looked, now: tabs.current(), tabs: await tabs.list() })
}

const joined = (one: TabNews, other: TabNews): TabNews => ({
  opened: [...one.opened, ...other.opened],
  closed: [...one.closed, ...other.closed],
  downloads: [...one.downloads, ...other.downloads],
})
