import { instructions } from '../../model/instructions.ts'
import { counted } from '../../../util/amounts.ts'
import type { Candidate } from '../page-candidates.ts'
import { canSearch, plainQuery, type Searched } from '../choose-pages.ts'
import {
  type AgentJob,
  fittingNotes,
  isRead,
  lineOf,
  numberedNotes,
  spend,
  stepFault,
  type StepTools,
} from '../agent-job.ts'
import type { Model, ModelRequest } from '../../../contracts/model-port.ts'
import { isRecord } from '../../../util/json.ts'
import { closed, numbersOf } from '../../model/page/page-model.ts'

/** Names of the blocks that contain text from others. */
const names = ['task', 'fields', 'notes', 'candidates', 'steps'] as const

const anyTag = new RegExp(`<(?=/?(?:${names.join('|')}|page)\\b)`, 'gi')

/**
 * Returns a block of text that is data. A zero-width space breaks tags of these names in the text, so it cannot end its
 * block.
 */
export const block = (name: (typeof names)[number], text: string): string =>
  `<${name}>\n${text.replace(anyTag, '<\u200B')}\n</${name}>`

/** A question of the agent to its model; the answer is validated against the schema. */
type Question = Pick<ModelRequest, 'system' | 'maxOutputTokens'> & { text: string; schema: object }

const longestAnswerMs = 120_000

/** Asks the model, and returns the value with the name of the model. Fails like the model. */
export async function ask(
  job: AgentJob,
  { model, signal, leftMs }: Pick<StepTools, 'model' | 'signal' | 'leftMs'>,
  { text, ...question }: Question,
): Promise<{ value: Record<string, unknown>; model: string }> {
  const answer = await model.object({ ...question, ...callOf(job, signal, leftMs()), input: [{ role: 'user', text }] })
  return { value: isRecord(answer.value) ? answer.value : {}, model: answer.model }
}

/** Returns the parameters common to all questions. */
export const callOf = (
  { workflow: { teamId, keyName } }: Pick<AgentJob, 'workflow'>,
  signal: AbortSignal,
  leftMs: number,
) => ({
  task: 'agent',
  effort: 'best' as const,
  teamId,
  keyName,
  signal,
  timeoutMs: Math.min(longestAnswerMs, leftMs),
})

/** Returns how many characters of notes and candidates fit into a question. */
export const roomFor = (model: Pick<Model, 'contextTokens'>): number => Math.min(60_000, model.contextTokens('best'))

/** Next action of the agent. It has no other actions. */
export type Act =
  | { act: 'search'; query: string }
  | { act: 'read'; numbers: number[] }
  | { act: 'answer' }
  /** The model cannot continue. */
  | { act: 'stop'; error: string }

/** Maximum number of pages per turn. */
export const maxAtOnce = 4
const maxShown = 30

const schemaOf = (acts: readonly Act['act'][]) =>
  closed(
    {
      action: { type: 'string', enum: acts },
      query: { type: 'string', description: 'For search: the words. Else empty.' },
      numbers: numbersOf('For read: numbers of candidates. Else empty.'),
    },
    ['action'],
  )

/** Lets the model choose the next action. */
export async function decide(job: AgentJob, turn: number, searched: readonly Searched[]): Promise<Act> {
  const offered = job.candidates.best([job.input.prompt, searched.at(-1)?.query ?? ''].join(' '), maxShown)
  const acts: Act['act'][] = [
    ...(canSearch(job) ? ['search' as const] : []),
    ...(offered.length > 0 ? ['read' as const] : []),
    'answer',
  ]
  if (acts.length === 1) return { act: 'answer' }
  const { act, model } = await spend<{ act: Act; model?: string }>(job, `decide ${turn}`, async (tools) => {
    try {
      const text = situation(job, offered, searched, roomFor(tools.model))
      const { value, model: name } = await ask(job, tools, {
        system: instructions.agentAct(maxAtOnce),
        text,
        schema: schemaOf(acts),
        maxOutputTokens: 500,
      })
      return { value: { act: actIn(value, job), model: name } }
    } catch (thrown) {
      return { value: { act: { act: 'stop', ...stepFault(thrown, job, tools) } } }
    }
  })
  job.model = model ?? job.model
  return act
}

function actIn({ action, query, numbers }: Record<string, unknown>, { input }: AgentJob): Act {
  if (action === 'search')
    return { act: 'search', query: plainQuery(typeof query === 'string' ? query : '', input.prompt) ?? '' }
  if (action !== 'read') return { act: 'answer' }
  const whole = Array.isArray(numbers) ? numbers.filter((each): each is number => Number.isInteger(each)) : []
  return { act: 'read', numbers: [...new Set(whole)].slice(0, maxAtOnce) }
}

function situation(job: AgentJob, offered: readonly Candidate[], searched: readonly Searched[], room: number): string {
  const { input, meter } = job
  const notes = fittingNotes(numberedNotes(job.notes), input.prompt, room / 2)
  const { pages } = meter.left()
  return [
    block('task', input.prompt),
    ...(input.schema ? [block('fields', JSON.stringify(input.schema).slice(0, room / 4))] : []),
    block('steps', stepsOf(job, searched).join('\n') || 'None yet.'),
    block('notes', notes.map(lineOf).join('\n') || 'None yet.'),
    block(
      'candidates',
      offered
        .map(offer)
        .join('\n')
        .slice(0, room / 2) || 'None. Search first.',
    ),
    `You may still read ${counted(pages, 'page')}. Choose the next action.`,
  ].join('\n\n')
}

const offer = ({ number, title, url, about }: Candidate) =>
  `${number} ${title} — ${url}${about === '' ? '' : ` — ${about}`}`

function stepsOf({ pages, notes }: AgentJob, searched: readonly Searched[]): string[] {
  return [
    ...searched.map(({ query, found, error }) => `Searched for “${query}”: ${error ?? `${found} results`}`),
    ...pages.map((page) =>
      isRead(page)
        ? `Read ${page.url}: ${notes.filter(({ url }) => url === page.url).length} notes`
        : `Could not read ${page.asked}`,
    ),
  ]
}
