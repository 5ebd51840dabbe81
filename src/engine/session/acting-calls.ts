import type { ActionsResult, SessionAction } from '../../contracts/render-port.ts'
import type { CodeJob, CodeResult, Language } from '../../contracts/session-port.ts'
import { AppError, fail, failure } from '../../kernel/error.ts'
import { createSemaphore } from '../../util/semaphore.ts'
import type { ProxyErrorOf } from '../browser/page/navigate.ts'
import type { CodeRunners } from '../code/runners.ts'
import type { ActionContext } from './actions/action-context.ts'
import { translateErrors } from './registry/session-errors.ts'
import type { SessionBrowser } from './open-browser.ts'
import { performActions } from './page/act.ts'
import { type People, runningCode } from './people.ts'
import { DeadlineError, withDeadline } from '../../util/async.ts'
import type { LiveTab } from './page/live-tab.ts'
import { releasePage, untilDialog } from './page/blocked.ts'
import type { Tabs } from './page/tabs.ts'
import type { TypedSecrets } from './secrets/typed-secrets.ts'
import type { HumanTask } from '../page-script/page/load-state.ts'

export function actingCalls(
  context: Omit<ActionContext, 'tab' | 'people'> &
    Pick<SessionBrowser, 'proxyErrorOf'> & { people: People; secrets: TypedSecrets },
  code: CodeRunners,
  inTurn: ReturnType<typeof createQueue>['inTurn'],
) {
  const { tabs, people, secrets, proxyErrorOf } = context
  const findPersonTask = createPersonWatch()
  return {
    execute: (job: CodeJob & { language: Language }, signal: AbortSignal): Promise<CodeResult> =>
      inTurn(async (within) => {
        const result = await runningCode(people, () => code.run(job, within), { tabs, signal: within })
        return secrets.hide(explainFailure(result, tabs.current(), proxyErrorOf))
      }, signal),
    act: (acts: readonly SessionAction[], signal: AbortSignal): Promise<ActionsResult> =>
      inTurn(async (within) => {
        const result = await performActions(context, acts, within).finally(people.doing.end)
        return secrets.hide({ ...result, wants: await findPersonTask(tabs.current()) })
      }, signal),
  }
}

/** Adds a reason that code cannot see: our proxy refused a URL, or an open dialog blocked the page. */
export function explainFailure(
  result: CodeResult,
  tab: Pick<LiveTab, 'dialogs' | 'traffic'>,
  proxyErrorOf: ProxyErrorOf,
): CodeResult {
  const why = failureReason(result, tab, proxyErrorOf)
  if (why === undefined) return result
  const { error, stderr } = result
  return { ...result, stderr: `${stderr}[note] ${why}\n`, ...(error !== undefined && { error: `${error} ${why}` }) }
}

function failureReason(
  { error = '', stderr, killed }: CodeResult,
  { dialogs, traffic }: Pick<LiveTab, 'dialogs' | 'traffic'>,
  proxyErrorOf: ProxyErrorOf,
): string | undefined {
  const kind = dialogs.open()?.kind
  if (killed && kind) return `A dialog (${kind}) is open, and the page does not respond until it is answered.`
  const [, url] = /net::ERR_\w+ at (https?:\/\/\S+)/.exec(`${error}\n${stderr}`) ?? []
  if (url === undefined) return undefined
  // The error has the URL that the code requested; the tab knows the URL after redirects.
  const fault = proxyErrorOf(url) ?? proxyErrorOf(traffic.requestedUrl() ?? url)
  return fault instanceof AppError ? [fault.message, fault.hint].filter(Boolean).join(' ') : undefined
}

type Work<T> = (signal: AbortSignal) => Promise<T>

/** Runs actions one at a time and read-only calls at any time; the end of the session aborts all of them. */
export function createQueue({ tabs, browser }: SessionBrowser, callbacks: { changed(): void }) {
  const turns = createSemaphore(1)
  const over = new AbortController()
  const end = () => over.abort(failure('SESSION_GONE'))
  void browser.connection.closed.then(end)
  const withPage = <T>(work: Work<T>, caller: AbortSignal): Promise<T> => {
    const signal = AbortSignal.any([caller, over.signal])
    return translateErrors(async () => {
      // Code may have closed all tabs.
      if (tabs.targetIds().length === 0) await tabs.open(signal)
      await ensureResponsive(tabs, signal)
      return work(signal)
    })
  }
  return {
    withPage,
    over: over.signal,
    end,
    async inTurn<T>(work: Work<T>, caller: AbortSignal): Promise<T> {
      await turns.acquire(AbortSignal.any([caller, over.signal]))
      try {
        return await withPage(work, caller)
      } finally {
        turns.release()
        callbacks.changed()
      }
    },
  }
}

const detectMs = 1000

/**
 * Returns a function that detects tasks for a person in a tab, and does not return the same one twice in a row. Create
 * one per session.
 */
export function createPersonWatch(): (tab: LiveTab) => Promise<HumanTask | undefined> {
  let reported = ''
  return async (tab) => {
    if (tab.dialogs.open()) return undefined
    const task = await withDeadline({ step: 'look for a person’s task', ms: detectMs }, undefined, (within) =>
      tab.call('findHumanTask', [], within),
    ).catch(() => null)
    const key = `${task} ${tab.targetId} ${tab.traffic.document()?.url ?? ''}`
    if (task === null || key === reported) return undefined
    reported = key
    return task
  }
}

/** Time limit in ms after which a blocking script is assumed never to end. */
const answerMs = 10_000

/** Waits until the page responds or shows a dialog; stops its script, or replaces the tab and fails. */
async function ensureResponsive(tabs: Tabs, signal: AbortSignal): Promise<void> {
  const tab = tabs.current()
  if (tab.dialogs.open() || (await responds(tab, signal)) || (await releasePage(tab, signal))) return
  await tabs.replace(tab, signal)
  fail('SESSION_FAILED', {
    message: 'The page stopped responding, and its tab was closed.',
    hint: 'Continue in the blank tab that replaced it.',
  })
}

async function responds({ session, dialogs }: LiveTab, signal: AbortSignal): Promise<boolean> {
  try {
    await withDeadline({ step: 'answer', ms: answerMs }, signal, (within) =>
      untilDialog({ dialogs }, within, (during) => session.send('Runtime.evaluate', { expression: '0' }, during)),
    )
  } catch (error) {
    signal.throwIfAborted()
    // The call itself meets any other error, and reports it.
    return !(error instanceof DeadlineError)
  }
  return true
}
