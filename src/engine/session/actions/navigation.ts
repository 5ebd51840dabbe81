import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from '../../../util/async.ts'
import { isNavigationError } from '../../browser/world/isolated-world.ts'
import { navigate as goTo } from '../../browser/page/navigate.ts'
import { waitUntilStable, type StabilityLimits } from '../../browser/page/wait-until-stable.ts'
import { addressReader } from '../page/read-address.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { ActionError } from '../../browser/acts/tab-frames.ts'
import type { ActionOutcome } from '../page/text/remarks.ts'
import type { ActionHandler, ActionContext } from './action-context.ts'

const historyMs = 30_000

const statuses: readonly (readonly [status: RegExp, words: string])[] = [
  [/^401$/, 'it requires a login: for one by name and password, navigate to https://name:password@host/…'],
  [/^403$/, 'the site refuses it: log in, or reach it by its links'],
  [/^(?:404|410)$/, 'there is no such page: check the address, or look for it from the home page'],
  [/^407$/, 'the proxy requires a login'],
  [/^429$/, 'too many requests: wait before the next one'],
  [/^5/, 'the site has an error: reload in a while'],
]

/** Explains an error status; returns undefined for a status below 400. */
function statusText(status: number): string | undefined {
  if (status < 400) return undefined
  const words = statuses.find(([pattern]) => pattern.test(String(status)))?.[1]
  return `the page was returned with status ${status}${words === undefined ? '' : ` (${words})`}`
}

/** Navigates to a URL, which may be relative to the page. Fails with the SCRAPE_* errors of a navigation. */
const navigate: ActionHandler<'navigate'> = async ({ tab, proxyErrorOf }, { url }, signal) => {
  const address = (await addressReader())(url, tab.traffic.document()?.url)
  if (!address) throw new ActionError('That is not a valid address; give one such as https://example.com/page.')
  const { kind } = await goTo(tab, address.href, proxyErrorOf ?? (() => undefined), signal)
  if (kind === 'download') return { remark: 'the address leads to a file, not to a page' }
  const remark = statusText(tab.traffic.document()?.status ?? 200)
  return remark === undefined ? {} : { remark }
}

const moveInHistory: ActionHandler<'back' | 'forward' | 'reload'> = async (stage, { type }, signal) => {
  if (type === 'reload') return leavePage(stage, signal, () => stage.tab.session.send('Page.reload', {}, signal))
  const { currentIndex, entries } = await stage.tab.session.send('Page.getNavigationHistory', {}, signal)
  const entry = entries[currentIndex + (type === 'back' ? -1 : 1)]
  if (!entry || (type === 'back' && entry.url === 'about:blank'))
    throw new ActionError(`There is no page to go ${type} to.`)
  return leavePage(stage, signal, () =>
    stage.tab.session.send('Page.navigateToHistoryEntry', { entryId: entry.id }, signal),
  )
}

/** Waits until the page changes, or its URL changes within the same document. */
function leavePage({ tab }: ActionContext, signal: AbortSignal, go: () => Promise<unknown>): Promise<ActionOutcome> {
  return withDeadline({ step: 'go to the page', ms: historyMs }, signal, async (within) => {
    const arrived = waitForArrival(tab, within)
    await go()
    await arrived
    return {}
  })
}

/** Stability limits between actions (`brief`) and after the last one (`whole`). */
const brief: StabilityLimits = { quietMs: 80, staticQuietMs: 30, maxMs: 2000, maxLoadMs: 8000 }
const whole: StabilityLimits = { quietMs: 200, staticQuietMs: 80, maxMs: 5000, maxLoadMs: 10_000 }
const arriveMs = 3000
const frameProbeMs = 1000

function waitForArrival({ session, targetId }: Pick<LiveTab, 'session' | 'targetId'>, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const ends = [
    session.on('Page.frameNavigated', ({ frame }) => frame.id === targetId && resolve()),
    session.on('Page.navigatedWithinDocument', ({ frameId }) => frameId === targetId && resolve()),
  ]
  const timer = setTimeout(resolve, arriveMs)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => [() => clearTimeout(timer), ...ends].forEach((end) => end()))
}

/** Waits until the page is stable after an action, and briefly for a page that it navigates to. */
export async function waitAfterAction(tab: LiveTab, after: 'act' | 'all', signal: AbortSignal): Promise<void> {
  try {
    await waitUntilStable(tab, after === 'all' ? whole : brief, signal)
    await waitForFrame(tab, after, signal)
  } catch (error) {
    if (!isNavigationError(error)) throw error
    await sleep(100, undefined, { signal })
  }
}

/** Waits until the frame of the last action is stable, which may take longer than the page around it. */
async function waitForFrame({ frames: { acted } }: LiveTab, after: 'act' | 'all', signal: AbortSignal): Promise<void> {
  if (!acted) return
  const frame = { call: acted.world.call, traffic: acted.traffic }
  const limits = { ...(after === 'all' ? whole : brief), probeMs: frameProbeMs }
  await waitUntilStable(frame, limits, signal).catch(() => signal.throwIfAborted())
}

const tab: ActionHandler<'tab'> = async (stage, { do: action, tab: id, url }, signal) => {
  const { tabs } = stage
  if (action === 'open') {
    const opened = await tabs.open(signal)
    return url === undefined ? {} : navigate({ ...stage, tab: opened }, { type: 'navigate', url }, signal)
  }
  const done =
    action === 'list' || (await (action === 'switch' ? tabs.switchTo : tabs.close)(id ?? current(await tabs.list())))
  const list = (await tabs.list()).map((each) =>
    `${each.id}${each.isCurrent ? ' (current)' : ''} ${each.title} ${each.url}`.slice(0, 200),
  )
  if (!done) throw new ActionError(`There is no tab ${id}. Tabs: ${list.join('; ')}.`)
  return { extracted: list.join('\n') }
}

const current = (list: readonly { id: string; isCurrent: boolean }[]) =>
  list.find(({ isCurrent }) => isCurrent)?.id ?? ''

const dialog: ActionHandler<'dialog'> = async (stage, { accept, value }) => {
  const how = await stage.tab.dialogs.answer({ accept, ...(value !== undefined && { text: value }) })
  return how === 'answered' ? {} : { remark: 'no dialog is open: this answers the next one' }
}

export const navigationActions = {
  navigate,
  back: moveInHistory,
  forward: moveInHistory,
  reload: moveInHistory,
  tab,
  dialog,
}
