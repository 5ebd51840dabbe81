import { once } from 'node:events'
import { DeadlineError, withDeadline } from '../../../util/deadline.ts'
import type { CdpMethods } from '../cdp/methods.ts'
import type { Session } from '../cdp/session.ts'
import { StalePageError, type Tab } from './tab.ts'

type Place = Pick<Tab, 'session' | 'targetId'>
type Answer = CdpMethods['Page.navigate']['result']

const commitMs = 2000
const blankMs = 3000

/**
 * Goes to an address, and resolves when the frame shows the new page, or when there is none to show. What a visit before
 * has left in the page does not keep it: fails with a StalePageError if it does.
 */
export async function goTo(tab: Tab, url: string, signal: AbortSignal): Promise<Answer> {
  if (!tab.reused?.isSetUp) return (await go(tab, url, signal)).answer
  await wake(tab, signal)
  const first = await go(tab, url, signal)
  if (first.how === 'shown' || (first.how === 'not shown' && !isAborted(first.answer))) return first.answer
  await goBlank(tab, signal)
  return (await go(tab, url, signal)).answer
}

/**
 * Lets scripts run again. What the page before does from here on is seen by where the frame ends. It is waited for, or the
 * new page might begin without its scripts.
 */
async function wake({ session }: Place, signal: AbortSignal): Promise<void> {
  const waking = withDeadline({ step: 'wake a page', ms: blankMs }, signal, (within) =>
    session.send('Emulation.setScriptExecutionDisabled', { value: false }, within),
  )
  await waking.catch(stale(signal))
}

/** A blank page, although the scripts of the one before would have it otherwise. Fails with a StalePageError. */
export async function goBlank(place: Place, signal: AbortSignal): Promise<void> {
  const { session } = place
  const leaving = withDeadline({ step: 'leave a page', ms: blankMs }, signal, async (within) => {
    await session.send('Emulation.setScriptExecutionDisabled', { value: true }, within)
    const { how } = await go(place, 'about:blank', within)
    if (how !== 'shown') throw new Error(`It is ${how}.`)
    await session.send('Emulation.setScriptExecutionDisabled', { value: false }, within)
  })
  await leaving.catch(stale(signal))
}

const stale = (signal: AbortSignal) => (cause: unknown) => {
  signal.throwIfAborted()
  throw new StalePageError('The page of an earlier visit does not go.', { cause })
}

type Gone = { answer: Answer; how: 'shown' | 'not shown' | 'same page' | 'elsewhere' }

async function go({ session, targetId }: Place, url: string, signal: AbortSignal): Promise<Gone> {
  const shown = watchLoaders(session, targetId)
  try {
    const answer = await session.send('Page.navigate', { url }, signal)
    const { loaderId, errorText, isDownload } = answer
    if (errorText !== undefined || isDownload) return { answer, how: 'not shown' }
    // An address that differs from that of the page before by its fragment alone leads to no new page.
    if (loaderId === undefined) return { answer, how: 'same page' }
    return { answer, how: await shown.until(loaderId, signal) }
  } finally {
    shown.end()
  }
}

/** A download ends so, and what another navigation has pushed aside. */
const isAborted = ({ errorText, isDownload }: Answer) => errorText === 'net::ERR_ABORTED' && !isDownload

/** The answer to a navigation may come before its page. */
function watchLoaders(session: Session, targetId: string) {
  const loaders = new Set<string>()
  const events = new EventTarget()
  const end = session.on('Page.frameNavigated', ({ frame: { id, loaderId } }) => {
    if (id !== targetId) return
    loaders.add(loaderId)
    events.dispatchEvent(new Event(loaderId))
  })
  async function until(loaderId: string, signal: AbortSignal): Promise<'shown' | 'elsewhere'> {
    if (loaders.has(loaderId)) return 'shown'
    return withDeadline({ step: 'show the page', ms: commitMs }, signal, (within) =>
      once(events, loaderId, { signal: within }),
    ).then(
      () => 'shown',
      (error: unknown) => {
        if (error instanceof DeadlineError) return 'elsewhere'
        throw error
      },
    )
  }
  return { until, end }
}
