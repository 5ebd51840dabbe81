import { withDeadline } from '../../../util/deadline.ts'
import type { Connection } from '../cdp/connection.ts'
import { goBlank } from '../page/go-to.ts'
import { answerDialogs } from '../page/tab.ts'
import { closePage, type OpenPage } from './context.ts'
import type { SharedContext } from './shared-context.ts'

/** What a page is for: the context that it is in, and what it is set up for. */
export type Visit = { context: SharedContext; look: string }
export type SharedPage = OpenPage & Visit & { uses: number }

type IdlePage = {
  page: SharedPage
  /** Whether it has let go of its last visit. */
  isFit: Promise<boolean>
  wake(): Promise<void>
}

const leaveMs = 3000
/** A navigation costs a quarter of a visit: it is left out where the next visit follows at once. */
const blankAfterMs = 300

/** Pages between two visits, at most so many: the last used ones. */
export function createIdlePages(connection: Connection, most: number) {
  const all: IdlePage[] = []

  function remove(idle: IdlePage): void {
    const at = all.indexOf(idle)
    if (at < 0) return
    all.splice(at, 1)
    void idle.wake()
  }

  function drop(idle: IdlePage): void {
    remove(idle)
    void closePage(connection, idle.page.targetId)
  }

  return {
    /** One that fits, if there is any. It is blank, or shows what the last visit has left. */
    async take(visit: Visit): Promise<SharedPage | undefined> {
      for (;;) {
        const idle = all.findLast(({ page }) => page.context === visit.context && page.look === visit.look)
        if (!idle) return undefined
        remove(idle)
        if (await idle.isFit) return idle.page
        void closePage(connection, idle.page.targetId)
      }
    },
    add(page: SharedPage): void {
      const idle = idleOf(page)
      all.push(idle)
      void idle.isFit.then((isFit) => isFit || drop(idle))
      void page.session.ended.then(() => remove(idle))
      if (all[0] && all.length > most) drop(all[0])
    },
  }
}

function idleOf(page: SharedPage): IdlePage {
  const silence = answerDialogs(page.session)
  const timer = setTimeout(() => {
    idle.isFit = idle.isFit.then((isFit) => isFit && isDone((within) => goBlank(page, within)))
  }, blankAfterMs).unref()
  const idle: IdlePage = {
    page,
    isFit: isDone((within) => fallStill(page, within)),
    async wake() {
      clearTimeout(timer)
      await idle.isFit
      silence()
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

/** Nothing of a page goes on while nobody looks. */
async function fallStill({ session }: SharedPage, signal: AbortSignal): Promise<void> {
  await Promise.all([
    session.send('Runtime.evaluate', { expression: stopActivity }, signal),
    session.send('Emulation.setScriptExecutionDisabled', { value: true }, signal),
  ])
}

/** A page that does not even answer cannot be used again. */
function isDone(work: (within: AbortSignal) => Promise<unknown>): Promise<boolean> {
  return withDeadline({ step: 'leave a page', ms: leaveMs }, undefined, work).then(
    () => true,
    () => false,
  )
}
