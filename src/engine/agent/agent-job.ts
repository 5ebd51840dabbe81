import type { Model, ModelUsage } from '../../contracts/model-port.ts'
import type { Ports, Clock } from '../../contracts/ports.ts'
import { AppError, failure } from '../../kernel/error.ts'
import { type AgentInput, type AgentLimits, limitsOf } from '../../schema/workflow-schemas.ts'
import { tokensOf } from '../model/page/page-model.ts'
import type { SearchPorts } from '../search/search.ts'
import { rethrowPause } from '../store/store.ts'
import type { WorkflowRun } from '../workflow/run-workflow.ts'
import { type Candidates, createCandidates } from './page-candidates.ts'
import { rank } from '../../util/rank.ts'

/** Cost of one step; `workedMs`: working time of the job until the end of the step. */
type StepCost = { pages: number; credits: number; tokens: number; workedMs: number }

/**
 * Used part of an agent's budget. It counts only what is in the journal, so a resumed run makes the same decisions as
 * the first one, and time without a running process does not count.
 */
type Meter = ReturnType<typeof createMeter>

function createMeter(clock: Clock, limits: AgentLimits) {
  const sum = { pages: 0, credits: 0, tokens: 0 }
  let journalledMs = 0
  let started: { at: number; workedMs: number } | undefined
  return {
    add({ pages, credits, tokens, workedMs }: StepCost): void {
      sum.pages += pages
      sum.credits += credits
      sum.tokens += tokens
      journalledMs = Math.max(journalledMs, workedMs)
    },
    left: () => ({
      pages: limits.pages - sum.pages,
      credits: limits.credits - sum.credits,
      tokens: limits.tokens - sum.tokens,
      ms: limits.seconds * 1000 - journalledMs,
    }),
    used: () => ({ ...sum }),
    /**
     * Returns the working time so far in ms. The first call starts the timer, so call it only in steps that really run.
     */
    workedMs(): number {
      started ??= { at: clock.now(), workedMs: journalledMs }
      return started.workedMs + clock.now() - started.at
    },
  }
}

export type AgentPorts = SearchPorts & Pick<Ports, 'account'>

/** One run of an agent. Its results so far are derived from the completed steps. */
export type AgentJob = {
  input: AgentInput
  workflow: WorkflowRun
  ports: AgentPorts
  limits: AgentLimits
  meter: Meter
  candidates: Candidates
  pages: PageRead[]
  notes: Note[]
  /** Reasons why the model could not read fetched pages, one per page. */
  unread: string[]
  /** Name of the model that answered last. */
  model: string | undefined
}

export function openJob(ports: AgentPorts, workflow: WorkflowRun): AgentJob {
  const input = workflow.request as AgentInput
  const limits = limitsOf(input)
  const reach = input.strictConstrainToURLs ? 'only the given' : 'web'
  return {
    input,
    workflow,
    ports,
    limits,
    meter: createMeter(ports.clock, limits),
    candidates: createCandidates({ reach, pages: limits.pages }),
    pages: [],
    notes: [],
    unread: [],
    model: undefined,
  }
}

/** Resources of a step. */
export type StepTools = {
  /** Aborts when the time of the whole job is up. */
  signal: AbortSignal
  /** Returns the remaining time in ms. */
  leftMs(): number
  /** The language model; it refuses a question that the remaining tokens might not cover. */
  model: Model
}
type Done<T> = { value: T; pages?: number; credits?: number }

/** Runs one step of the job, or takes its result from the journal. Its cost is counted against the budget. */
export async function spend<T>(job: AgentJob, name: string, work: (tools: StepTools) => Promise<Done<T>>): Promise<T> {
  const { meter, workflow, limits } = job
  const { value: result, spent } = await workflow.step<{ value: T; spent: StepCost }>(name, async () => {
    const leftMs = () => Math.max(1, limits.seconds * 1000 - meter.workedMs())
    const signal = AbortSignal.any([workflow.signal, AbortSignal.timeout(leftMs())])
    const used = { tokens: 0 }
    const left = meter.left().tokens
    const model = metered(
      job.ports.model,
      () => left - used.tokens,
      ({ inputTokens, outputTokens }) => {
        used.tokens += inputTokens + outputTokens
      },
    )
    const { value, pages = 0, credits = 0 } = await work({ signal, leftMs, model })
    workflow.signal.throwIfAborted()
    const cost = { pages, credits, tokens: used.tokens, workedMs: meter.workedMs() }
    return { value: { value, spent: cost }, credits }
  })
  meter.add(spent)
  return result
}

/** A question whose answer violates its schema is asked again, so the remaining tokens must cover it twice. */
const maxRounds = 2

function metered(model: Model, left: () => number, record: (usage: ModelUsage) => void): Model {
  const check = ({ system, input, maxOutputTokens }: Parameters<Model['text']>[0], schema?: object): void => {
    const inputTokens = tokensOf(system) + input.reduce((sum, { text }) => sum + tokensOf(text), 0)
    const maxTokens = maxRounds * (inputTokens + maxOutputTokens + (schema ? tokensOf(JSON.stringify(schema)) : 0))
    if (maxTokens > left()) throw outOfTokens()
  }
  return {
    isSet: () => model.isSet(),
    contextTokens: (effort) => model.contextTokens(effort),
    async text(request) {
      check(request)
      const answer = await model.text(request)
      record(answer.usage)
      return answer
    },
    async object(request) {
      check(request, request.schema)
      const answer = await model.object(request)
      record(answer.usage)
      return answer
    },
  }
}

const outOfTokens = () =>
  failure('MODEL_FAILED', {
    message: 'The rest of maxTokens does not cover another question to the language model.',
  })

/** Returns the error of a step that may fail without ending the job. Rethrows errors that end it. */
export function stepFault(
  thrown: unknown,
  { workflow }: Pick<AgentJob, 'workflow'>,
  { signal }: Pick<StepTools, 'signal'>,
): { error: string } {
  rethrowPause(thrown, workflow)
  if (signal.aborted) return { error: 'The time was up.' }
  if (thrown instanceof AppError) return { error: `${thrown.code}: ${thrown.message}` }
  throw thrown
}

/** A statement of a page that helps with the task. `quote` is verbatim; `says` is worded by a model. */
export type Note = { says: string; quote: string; url: string }
/** A note with the number by which a model refers to it. */
export type NumberedNote = Note & { number: number }

export const numberedNotes = (notes: readonly Note[]): NumberedNote[] =>
  notes.map((note, at) => ({ ...note, number: at + 1 }))

/** Returns the notes that are most relevant to the words, as many as fit, in their original order. */
export function fittingNotes(notes: readonly NumberedNote[], words: string, maxCharacters: number): NumberedNote[] {
  const fits = rank(
    notes.map(({ says, quote }) => `${says} ${quote}`),
    words,
  )
  const order = notes.map((note, at) => ({ note, score: fits[at]?.score ?? 0 }))
  let left = maxCharacters
  const chosen = new Set<number>()
  for (const { note } of order.toSorted((one, other) => other.score - one.score)) {
    left -= lineOf(note).length + 1
    if (left < 0) break
    chosen.add(note.number)
  }
  return notes.filter(({ number }) => chosen.has(number))
}

/** Includes the site, so a model can compare sources. */
export const lineOf = ({ number, says, quote, url }: NumberedNote): string =>
  `${number} [${new URL(url).host}] ${says} — “${quote}”`

export type Link = { url: string; text: string }
/**
 * A page that was read, or the reason why it could not be. `filled`: the data for the caller's schema that the built-in
 * extraction took from this page.
 */
export type PageRead = { requestedUrl: string } & (
  | { url: string; title: string; markdown: string; links: Link[]; filled?: unknown }
  | { error: string }
)
export type ReadablePage = Extract<PageRead, { url: string }>
export const isRead = (page: PageRead): page is ReadablePage => 'url' in page
