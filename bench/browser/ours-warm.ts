import { createLog } from '../../src/core/log.ts'
import type { Session } from '../../src/engine/browser/cdp/session.ts'
import { openTab } from '../../src/engine/browser/context.ts'
import { findBrowser } from '../../src/engine/browser/find/find.ts'
import { machineProbes } from '../../src/engine/browser/find/machine.ts'
import { openBrowser } from '../../src/engine/browser/launch/launch.ts'
import { render } from '../../src/engine/browser/render.ts'
import { createTab } from '../../src/engine/browser/tab.ts'
import { type Contestant, onLines } from './contestant.ts'
import { requestOf, usualEgress } from './ours.ts'

/**
 * What a warm mode of the pool could be, for the pages of one crawl or profile: one context, whose pages are used again.
 * All that a visit hears is unheard after it, so that nothing of a page reaches the next one but cookies and cache.
 */
export const oursWarm: Contestant = {
  id: 'warm',
  name: 'gossamer, pages used again (a trial)',
  pages: 'shared context',
  async open(browserPath) {
    const log = createLog('error', (line) => process.stderr.write(line))
    const egress = usualEgress()
    const found = await findBrowser('shell', { browserPath }, machineProbes('/nonexistent'))
    const { connection, version, close } = await openBrowser(found, { log })
    const never = new AbortController().signal
    const first = await openTab(connection, { proxyServer: await egress.addressOf({ blockAds: true }) }, never)
    const { contextId } = first.tab
    const lines: { session: Session; targetId: string }[] = [first.tab]

    async function pageOf(line: number): Promise<{ session: Session; targetId: string }> {
      const known = lines[line]
      if (known) return known
      const wish = { url: 'about:blank', browserContextId: contextId }
      const { targetId } = await connection.browser.send('Target.createTarget', wish)
      const session = await connection.attach(targetId)
      const limits = { maxTotalBufferSize: 1, maxResourceBufferSize: 1 }
      await Promise.all([session.send('Page.enable', {}), session.send('Network.enable', limits)])
      return (lines[line] = { session, targetId })
    }

    const facts = { version, faultOf: (url: string) => egress.faultOf(url) }
    return {
      run: onLines(async (url, line) => {
        const { session, targetId } = await pageOf(line)
        const visit = hearing(session)
        try {
          const page = await render(createTab(visit.session, targetId, contextId), requestOf(url), facts)
          return 'body' in page ? Buffer.from(page.body).toString() : ''
        } finally {
          visit.end()
        }
      }),
      async close() {
        await close()
        await egress.close()
      },
    }
  },
}

/** A session whose listeners end together. */
function hearing(session: Session): { session: Session; end(): void } {
  const ends: (() => void)[] = []
  const on: Session['on'] = (event, listener) => {
    const end = session.on(event, listener)
    ends.push(end)
    return end
  }
  return { session: { ...session, on }, end: () => ends.forEach((end) => end()) }
}
