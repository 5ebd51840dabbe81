import { withDeadline } from '../../../util/deadline.ts'
import type { Connection } from '../cdp/connection.ts'
import { goBlank } from '../page/go-to.ts'
import { acceptDialogs } from '../page/tab.ts'
import { closePage, type OpenPage } from './context.ts'
import type { SharedContext } from './shared-context.ts'

/** The context of a page, and what the page is set up for. */
export type PageSetup = { context: SharedContext; setup: string }
export type SharedPage = OpenPage & PageSetup & { uses: number }

type IdlePage = {
  page: SharedPage
  /** Whether its last document has stopped. */
  isReusable: Promise<boolean>
  resume(): Promise<void>
}

const leaveMs = 3000
/** A navigation costs a quarter of a request: it is skipped when the next request follows at once. */
const blankAfterMs = 300

/** Pages between two requests: at most `most`, the last used ones. */
export function createIdlePages(connection: Connection, most: number) {
  const all: IdlePage[] = []

  function remove(idle: IdlePage): void {
    const at = all.indexOf(idle)
    if (at < 0) return
    all.splice(at, 1)
    void idle.resume()
  }

  function drop(idle: IdlePage): void {
    remove(idle)
    void closePage(connection, idle.page.targetId)
  }

  return {
    /** A page with this setup, if there is one. It is blank, or still shows its last document. */
    async take(wanted: PageSetup): Promise<SharedPage | undefined> {
      for (;;) {
        const idle = all.findLast(({ page }) => page.context === wanted.context && page.setup === wanted.setup)
        if (!idle) return undefined
        remove(idle)
        if (await idle.isReusable) return idle.page
        void closePage(connection, idle.page.targetId)
      }
    },
    add(page: SharedPage): void {
      const idle = createIdlePage(page)
      all.push(idle)
      void idle.isReusable.then((isReusable) => isReusable || drop(idle))
      void page.session.ended.then(() => remove(idle))
      if (all[0] && all.length > most) drop(all[0])
    },
  }
}

function createIdlePage(page: SharedPage): IdlePage {
  const stopAccepting = acceptDialogs(page.session)
  const timer = setTimeout(() => {
    idle.isReusable = idle.isReusable.then((isReusable) => isReusable && succeeds((within) => goBlank(page, within)))
  }, blankAfterMs).unref()
  const idle: IdlePage = {
    page,
    isReusable: succeeds((within) => silence(page, within)),
    async resume() {
      clearTimeout(timer)
      await idle.isReusable
      stopAccepting()
    },
  }
  return idle
}

/** Ends the timers and requests of a page, so that it does not navigate while the next one loads. */
const stopActivity = `{
  const last = setTimeout(() => {}, 0)
  for (let id = last; id > 0 && id > last - 20_000; id--) clearTimeout(id)
  stop()
}`

/** Stops the scripts of an idle page. */
async function silence({ session }: SharedPage, signal: AbortSignal): Promise<void> {
  await Promise.all([
    session.send('Runtime.evaluate', { expression: stopActivity }, signal),
    session.send('Emulation.setScriptExecutionDisabled', { value: true }, signal),
  ])
}

/** A page that does not answer cannot be reused. */
function succeeds(work: (within: AbortSignal) => Promise<unknown>): Promise<boolean> {
  return withDeadline({ step: 'leave a page', ms: leaveMs }, undefined, work).then(
    () => true,
    () => false,
  )
}
