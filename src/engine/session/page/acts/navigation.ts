import { withDeadline } from '../../../browser/deadline.ts'
import { navigate as goTo } from '../../../browser/navigate.ts'
import { ActError, type Said } from '../types.ts'
import { arrival } from './rest.ts'
import type { Doing, Stage } from './stage.ts'

const historyMs = 30_000

/** Goes to an address; a relative one is read against that of the page. Fails with SCRAPE_* errors of a navigation. */
export const navigate: Doing<'navigate'> = async ({ tab, faultOf }, { url }, signal) => {
  const base = tab.traffic.document()?.url
  const address = URL.parse(url, base) ?? URL.parse(`https://${url}`)
  if (!address) throw new ActError('This is no address.')
  const { kind } = await goTo(tab, address.href, faultOf ?? (() => undefined), signal)
  if (kind === 'saved file') return { remark: 'the address leads to a file, not to a page' }
  const status = tab.traffic.document()?.status ?? 200
  return status >= 400 ? { remark: `the page came with status ${status}` } : {}
}

export const travel: Doing<'back' | 'forward' | 'reload'> = async (stage, { type }, signal) => {
  if (type === 'reload') return leaving(stage, signal, () => stage.tab.session.send('Page.reload', {}, signal))
  const { currentIndex, entries } = await stage.tab.session.send('Page.getNavigationHistory', {}, signal)
  const entry = entries[currentIndex + (type === 'back' ? -1 : 1)]
  if (!entry || (type === 'back' && entry.url === 'about:blank'))
    throw new ActError(`There is no page to go ${type} to.`)
  return leaving(stage, signal, () =>
    stage.tab.session.send('Page.navigateToHistoryEntry', { entryId: entry.id }, signal),
  )
}

/** Within one document nothing but the address changes. */
function leaving({ tab }: Stage, signal: AbortSignal, go: () => Promise<unknown>): Promise<Said> {
  return withDeadline({ step: 'go to the page', ms: historyMs }, signal, async (within) => {
    const arrived = arrival(tab, within)
    await go()
    await arrived
    return {}
  })
}
