import { once } from 'node:events'
import type { ActionsResult } from '../../../src/contracts/render-port.ts'
import type { Sessions } from '../../../src/contracts/session-port.ts'
import { confine } from '../../../src/engine/session/confine.ts'
import { performActions } from '../../../src/engine/session/page/act.ts'
import { snapshot } from '../../../src/engine/session/page/snapshot.ts'
import { createTabs } from '../../../src/engine/session/page/tabs.ts'
import { createPersonWatch } from '../../../src/engine/session/acting-calls.ts'
import { followPrompt, planOf } from '../../../src/engine/session/pilot/follow-prompt.ts'
import type { AskPerson } from '../../../src/kernel/ctx.ts'
import { shareHere } from '../../browser/programs/shared.ts'
import { fakeModel, type ModelAnswers } from '../../helpers/fake-model.ts'
import { fakeCtx, fakeWorld } from '../../helpers/fakes.ts'
import { actRoutes } from '../../helpers/site/act.ts'
import { type Site, startSite } from '../../helpers/site.ts'
import { pilotRoutes } from './pages.ts'

/** The request that a model receives in one step, and the ref of an element by its line. */
export type Seen = { text: string; ref(part: string): string; nth: number }
/** Answers of the model, one per step; a further step fails the test. */
export type Script = readonly ((seen: Seen) => object)[]

type Options = { timeoutMs?: number; askPerson?: AskPerson; signal?: AbortSignal }

/** Starts a site, another site that tasks do not name, and a browser; each task has its own context. */
export async function openPilotStand() {
  const other = await startSite({ routes: pilotRoutes('') })
  const site = await startSite({ routes: { ...actRoutes, ...pilotRoutes(other.origin) } })
  const browser = await shareHere()
  return {
    site,
    other,
    /** Runs a task that starts on a page, with a model that answers by a script or function. */
    run: (path: string, prompt: string, model?: Script | ModelAnswers, options: Options = {}) =>
      runTask({ browser, site, path, prompt, model, options }),
    async close() {
      await browser.close()
      await site.close()
      await other.close()
    },
  }
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  throw signal.reason
}

type Run = {
  browser: Awaited<ReturnType<typeof shareHere>>
  site: Site
  path: string
  prompt: string
  model: Script | ModelAnswers | undefined
  options: Options
}

async function runTask({ browser: { connection }, site, path, prompt, model: given, options }: Run) {
  const { browser } = connection
  const { browserContextId: contextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true })
  const refusing = { behavior: 'deny', browserContextId: contextId, eventsEnabled: true } as const
  await browser.send('Browser.setDownloadBehavior', refusing)
  const soon = AbortSignal.timeout(240_000)
  const tabs = await createTabs(connection, { contextId }, soon)
  const wants = createPersonWatch()
  const announced: string[] = []
  const progress: string[] = []
  const sessions: Partial<Sessions> = {
    async act(_, acts, signal): Promise<ActionsResult> {
      const result = await performActions({ tabs, actMs: 8000 }, acts, signal)
      return { ...result, wants: await wants(tabs.current()) }
    },
    snapshot: (_, view, signal) => snapshot(tabs.current(), view, signal),
    confine: (_, bounds, signal) => confine({ connection, contextId, tabs }, bounds, signal),
    announce: async (_, text) => void announced.push(text),
    find: async () => ({ secrets: { cdp: 'c', view: 'v', control: 'k' }, streamWebView: true }) as never,
    baseUrl: async () => 'http://here',
    // The live view has no viewers.
    askViewers: async (_, { until }, signal) => (until === 'watched' ? 'waiting' : untilAborted(signal)),
  }
  const model = fakeModel(typeof given === 'object' ? scripted(given) : given)
  const ctx = {
    ...fakeCtx({ ports: { ...fakeWorld().ports, model: model.port, sessions: sessions as Sessions } }),
    signal: options.signal ?? soon,
    progress: (_: number, __: number | undefined, text: string) => void progress.push(text),
    ...(options.askPerson && { askPerson: options.askPerson }),
  }
  try {
    const start = [{ type: 'navigate', url: new URL(path, site.origin).href }] as const
    await performActions({ tabs }, start, soon)
    const task = { sessionId: 's', prompt, plan: planOf(prompt, ctx.ports), timeoutMs: options.timeoutMs ?? 45_000 }
    const done = await followPrompt(task, ctx)
    const questions = model.questions.map(({ input }) => input.map(({ text }) => text).join('\n'))
    return {
      ...done,
      questions,
      announced,
      progress,
      url: (await tabs.list()).find(({ isCurrent }) => isCurrent)?.url ?? '',
    }
  } finally {
    await browser.send('Target.disposeBrowserContext', { browserContextId: contextId })
  }
}

function scripted(script: Script): ModelAnswers {
  let nth = 0
  return ({ input }) => {
    const text = input.at(-1)?.text ?? ''
    const next = script[nth++]
    if (!next) throw new Error(`The script has ended, and the task goes on:\n${text}`)
    return next({ text, nth, ref: (part) => refIn(text, part) })
  }
}

function refIn(text: string, part: string): string {
  const line = text.split('\n').findLast((each) => each.includes(part) && /\be\d+\b/.test(each))
  const found = line && (/\be\d+\b/.exec(line.slice(line.indexOf(part))) ?? /\be\d+\b/.exec(line))
  if (!found) throw new Error(`No ref for "${part}" in:\n${text}`)
  return found[0]
}
