import type { ActionsResult, SessionAction } from '../../contracts/render-port.ts'
import type { CodeJob, CodeResult, Language } from '../../contracts/session-port.ts'
import { failure } from '../../kernel/error.ts'
import { createSemaphore } from '../../util/semaphore.ts'
import type { CodeRunners } from '../code/runners.ts'
import type { ActionContext } from './actions/context.ts'
import { ensureResponsive } from './cdp/answering.ts'
import { explainFailure, translateErrors } from './explain.ts'
import type { SessionBrowser } from './open-browser.ts'
import { performActions } from './page/act.ts'
import { type People, runningCode } from './people/people.ts'
import { createPersonWatch } from './people/person-watch.ts'

/** The calls that act. */
export function actingCalls(
  context: Omit<ActionContext, 'tab' | 'people'> & Pick<SessionBrowser, 'proxyErrorOf'> & { people: People },
  code: CodeRunners,
  inTurn: Queue['inTurn'],
) {
  const { tabs, people, proxyErrorOf } = context
  const findPersonTask = createPersonWatch()
  return {
    execute: (job: CodeJob & { language: Language }, signal: AbortSignal): Promise<CodeResult> =>
      inTurn(async (within) => {
        const result = await runningCode(people, within, () => code.run(job, within))
        return explainFailure(result, tabs.current(), proxyErrorOf)
      }, signal),
    act: (acts: readonly SessionAction[], signal: AbortSignal): Promise<ActionsResult> =>
      inTurn(async (within) => {
        const result = await performActions(context, acts, within).finally(people.doing.end)
        return { ...result, wants: await findPersonTask(tabs.current()) }
      }, signal),
  }
}

type Queue = ReturnType<typeof createQueue>
type Work<T> = (signal: AbortSignal) => Promise<T>

/** Actions run one after the other, read-only calls at any time; the end of the session aborts all of them. */
export function createQueue({ tabs, browser }: SessionBrowser, callbacks: { changed(): void }) {
  const turns = createSemaphore(1)
  const over = new AbortController()
  const end = () => over.abort(failure('SESSION_GONE'))
  void browser.connection.closed.then(end)
  const looking = <T>(work: Work<T>, caller: AbortSignal): Promise<T> => {
    const signal = AbortSignal.any([caller, over.signal])
    return translateErrors(async () => {
      // Code may have closed all tabs.
      if (tabs.targetIds().length === 0) await tabs.open(signal)
      await ensureResponsive(tabs, signal)
      return work(signal)
    })
  }
  return {
    looking,
    over: over.signal,
    end,
    async inTurn<T>(work: Work<T>, caller: AbortSignal): Promise<T> {
      await turns.acquire(AbortSignal.any([caller, over.signal]))
      try {
        return await looking(work, caller)
      } finally {
        turns.release()
        callbacks.changed()
      }
    },
  }
}
