import { once } from 'node:events'
import type { Protocol } from 'devtools-protocol'
import { DeadlineError, withDeadline } from '../../../util/async.ts'
import type { Session } from '../cdp/session.ts'
import { StalePageError, type Tab } from './tab.ts'

type NavigationTarget = Pick<Tab, 'session' | 'targetId'>
type NavigateResult = Protocol.Page.NavigateResponse

const commitMs = 2000
const blankMs = 3000

/**
 * Navigates to a URL, and resolves when the frame has committed the new document, or when there is none. Fails with a
 * StalePageError when the document of an earlier request keeps the page from navigating.
 */
export async function goTo(tab: Tab, url: string, signal: AbortSignal): Promise<NavigateResult> {
  if (!tab.reuse?.isSetUp) return (await navigateOnce(tab, url, signal)).result
  await resumeScripts(tab, signal)
  const first = await navigateOnce(tab, url, signal)
  if (first.how === 'committed' || (first.how === 'not committed' && !isAborted(first.result))) return first.result
  await goBlank(tab, signal)
  return (await navigateOnce(tab, url, signal)).result
}

/**
 * Enables scripts again, and waits for that, or the new page might start without its scripts. What the old page does from
 * here on shows in where the frame ends up.
 */
async function resumeScripts({ session }: NavigationTarget, signal: AbortSignal): Promise<void> {
  const resumed = withDeadline({ step: 'resume a page', ms: blankMs }, signal, (within) =>
    session.send('Emulation.setScriptExecutionDisabled', { value: false }, within),
  )
  await resumed.catch(staleError(signal))
}

/** Navigates to a blank page with scripts disabled, so that the old page cannot prevent it. Fails with a StalePageError. */
export async function goBlank(target: NavigationTarget, signal: AbortSignal): Promise<void> {
  const { session } = target
  const leaving = withDeadline({ step: 'leave a page', ms: blankMs }, signal, async (within) => {
    await session.send('Emulation.setScriptExecutionDisabled', { value: true }, within)
    const { how } = await navigateOnce(target, 'about:blank', within)
    if (how !== 'committed') throw new Error(`It is ${how}.`)
    await session.send('Emulation.setScriptExecutionDisabled', { value: false }, within)
  })
  await leaving.catch(staleError(signal))
}

const staleError = (signal: AbortSignal) => (cause: unknown) => {
  signal.throwIfAborted()
  throw new StalePageError('The page of an earlier request cannot be left.', { cause })
}

type NavigationOutcome = {
  result: NavigateResult
  how: 'committed' | 'not committed' | 'same document' | 'pushed aside'
}

async function navigateOnce(
  { session, targetId }: NavigationTarget,
  url: string,
  signal: AbortSignal,
): Promise<NavigationOutcome> {
  const commits = watchCommits(session, targetId)
  try {
    const answer = await session.send('Page.navigate', { url }, signal)
    const { loaderId, errorText, isDownload } = answer
    if (errorText !== undefined || isDownload) return { result: answer, how: 'not committed' }
    // A URL that differs only by its fragment loads no new document.
    if (loaderId === undefined) return { result: answer, how: 'same document' }
    return { result: answer, how: await commits.until(loaderId, signal) }
  } finally {
    commits.end()
  }
}

/** Another navigation has replaced this one; downloads end with the same error. */
const isAborted = ({ errorText, isDownload }: NavigateResult) => errorText === 'net::ERR_ABORTED' && !isDownload

/** Watches for committed documents, because the result of Page.navigate may come before its document. */
function watchCommits(session: Session, targetId: string) {
  const loaders = new Set<string>()
  const events = new EventTarget()
  const end = session.on('Page.frameNavigated', ({ frame: { id, loaderId } }) => {
    if (id !== targetId) return
    loaders.add(loaderId)
    events.dispatchEvent(new Event(loaderId))
  })
  async function until(loaderId: string, signal: AbortSignal): Promise<'committed' | 'pushed aside'> {
    if (loaders.has(loaderId)) return 'committed'
    return withDeadline({ step: 'show the page', ms: commitMs }, signal, (within) =>
      once(events, loaderId, { signal: within }),
    ).then(
      () => 'committed',
      (error: unknown) => {
        if (error instanceof DeadlineError) return 'pushed aside'
        throw error
      },
    )
  }
  return { until, end }
}
