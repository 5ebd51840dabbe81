import type { Session } from '../../browser/cdp/session.ts'

/** What is told of a tab beside its picture. */
export type TabPlace = { url: string; title: string; back: boolean; forward: boolean; loading: boolean }

const mostUrl = 2000
const mostTitle = 200

/** Follows where a tab is. The history is the browser's own: it is told while the page stands still, too. */
export function watchPlace(session: Session, targetId: string, changed: () => void) {
  let place: TabPlace = { url: '', title: '', back: false, forward: false, loading: false }
  let isAsking = false
  let isStale = false

  function put(news: Partial<TabPlace>): void {
    const { url, title } = { ...place, ...news }
    place = { ...place, ...news, url: url.slice(0, mostUrl), title: title.slice(0, mostTitle) }
    changed()
  }

  async function ask(): Promise<void> {
    const { currentIndex, entries } = await session.send('Page.getNavigationHistory', {})
    const { url = '', title = '' } = entries[currentIndex] ?? {}
    put({ url, title, back: currentIndex > 0, forward: currentIndex < entries.length - 1 })
  }

  async function refresh(): Promise<void> {
    isStale = true
    if (isAsking) return
    isAsking = true
    while (isStale) {
      isStale = false
      await ask().catch(() => undefined)
    }
    isAsking = false
  }

  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId === undefined) void refresh()
  })
  session.on('Page.navigatedWithinDocument', ({ frameId }) => {
    if (frameId === targetId) void refresh()
  })
  session.on('Page.frameStartedLoading', ({ frameId }) => {
    if (frameId === targetId) put({ loading: true })
  })
  session.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (frameId !== targetId) return
    put({ loading: false })
    void refresh()
  })

  return {
    place: () => place,
    refresh: () => void refresh(),
    known({ url, title }: { url: string; title: string }): void {
      if (url !== place.url || title !== place.title) put({ url, title })
    },
  }
}
