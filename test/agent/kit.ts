import { agentWorkflow } from '../../src/engine/agent/agent-workflow.ts'
import { readHtml } from '../../src/engine/html/page/read-parts.ts'
import type { WorkflowRun } from '../../src/engine/workflow/run-workflow.ts'
import { AgentInput, type AgentResult } from '../../src/schema/workflow-schemas.ts'
import { fakeWorld, noon, type World } from '../helpers/fakes.ts'
import type { ModelAnswers } from '../helpers/fake-model.ts'
import { type ModelQuestion, researcher } from './researcher.ts'

/** HTML by URL. A page that is missing answers 404. */
export type Web = Readonly<Record<string, string>>

/** A web in memory, a search that finds its pages by the words of a query, and a model. */
export function webWorld(web: Web, answers: ModelAnswers | 'none' = honest()): World {
  const world = fakeWorld(async ({ url }) => {
    const body = web[url]
    return body === undefined ? { status: 404, body: '' } : { body }
  })
  world.ports.readHtml = async (request) => readHtml(request)
  world.ports.search = async ({ query, limit }) => {
    const words = query.text.toLowerCase().split(/\s+/)
    const hits = Object.entries(web)
      .filter(
        ([url, page]) =>
          !url.endsWith('/robots.txt') &&
          !page.includes('noindex') &&
          words.some((word) => page.toLowerCase().includes(word)),
      )
      .map(([url, page]) => ({ url, title: titleOf(page) }))
    return { hits: hits.slice(0, limit), notes: [], isUnanswered: false, isLate: false }
  }
  world.model.answers = answers === 'none' ? undefined : answers
  return world
}

const titleOf = (page: string) => /<title>(.*?)<\/title>/.exec(page)?.[1] ?? ''
export const page = (title: string, body: string) => `<title>${title}</title><main><h1>${title}</h1>${body}</main>`

export function honest(plan?: Parameters<typeof researcher>[0]): ModelAnswers {
  const say = researcher(plan)
  return ({ input, schema }) => say({ text: input[0]?.text ?? '', schema: schema as ModelQuestion['schema'] })
}

/** Journal of one workflow: another process can continue after its completed steps. */
export type Journal = { steps: Map<string, { value: unknown; credits: number }>; notes: string[]; progress: object[] }
export const newJournal = (): Journal => ({ steps: new Map(), notes: [], progress: [] })

export class Died extends Error {}

/** Runs an agent with a journal; the process dies after `dieAfter` new steps. */
export function run(
  world: World,
  input: object,
  {
    journal = newJournal(),
    dieAfter = Infinity,
    signal = new AbortController().signal,
  }: { journal?: Journal; dieAfter?: number; signal?: AbortSignal } = {},
): Promise<AgentResult> {
  let fresh = 0
  const workflow: WorkflowRun = {
    id: 'workflow-1',
    teamId: 'acme',
    keyName: 'laptop',
    request: AgentInput.parse(input),
    createdAt: noon,
    signal,
    async step<T>(name: string, work: () => Promise<{ value: T; credits: number }>) {
      signal.throwIfAborted()
      const known = journal.steps.get(name)
      if (known) return known.value as T
      if (fresh >= dieAfter) throw new Died()
      const { value, credits } = await work()
      fresh += 1
      journal.steps.set(name, { value: JSON.parse(JSON.stringify(value)), credits })
      return JSON.parse(JSON.stringify(value)) as T
    },
    report: async (progress) => void journal.progress.push(progress),
    warn: (note) => void journal.notes.push(note),
  }
  return agentWorkflow(world.ports).run(workflow) as Promise<AgentResult>
}
