import type { Model, ModelRequest } from '../../contracts/model-port.ts'
import type { AgentResult } from '../../schema/workflow-schemas.ts'
import { counted } from '../../util/amounts.ts'
import { isRecord, recordsIn } from '../../util/json.ts'
import { excerptOf } from '../../util/rank.ts'
import { fieldsOf, missingFrom } from '../extract/merge.ts'
import { instructions } from '../model/instructions.ts'
import { relaxed } from '../model/json/schema-forms.ts'
import { numbered } from '../model/page/ask-model.ts'
import { completed } from '../model/page/complete.ts'
import { containsWords, isLeaf, type Leaf, leavesOf, within } from '../model/page/json-by-model.ts'
import { closed, createPageModel, numbersOf, type PageQuestion } from '../model/page/page-model.ts'
import {
  type AgentJob,
  fittingNotes,
  isRead,
  lineOf,
  type Note,
  type NumberedNote,
  numberedNotes,
  type ReadablePage,
  spend,
  stepFault,
  type StepTools,
} from './agent-job.ts'
import type { Candidate } from './page-candidates.ts'
import { canSearch, plainQuery, type Searched } from './search-and-read.ts'

/** Names of the blocks that contain text from others. */
const blockNames = ['task', 'fields', 'notes', 'candidates', 'steps'] as const

const anyTag = new RegExp(`<(?=/?(?:${blockNames.join('|')}|page)\\b)`, 'gi')

/**
 * Returns a block of text that is data. A zero-width space breaks tags of these names in the text, so the text cannot
 * end its block.
 */
export const block = (name: (typeof blockNames)[number], text: string): string =>
  `<${name}>\n${text.replace(anyTag, '<\u200B')}\n</${name}>`

/** A question of the agent to its model; the answer is validated against the schema. */
type Question = Pick<ModelRequest, 'system' | 'maxOutputTokens'> & { text: string; schema: object }

const longestAnswerMs = 120_000

/** Asks the model, and returns the value with the name of the model. Fails like the model. */
async function ask(
  job: AgentJob,
  { model, signal, leftMs }: Pick<StepTools, 'model' | 'signal' | 'leftMs'>,
  { text, ...question }: Question,
): Promise<{ value: Record<string, unknown>; model: string }> {
  const answer = await model.object({ ...question, ...callOf(job, signal, leftMs()), input: [{ role: 'user', text }] })
  return { value: isRecord(answer.value) ? answer.value : {}, model: answer.model }
}

/** Returns the parameters common to all questions. */
const callOf = (
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

/** Returns the number of characters for notes or candidates: one per token of context leaves room for other text. */
const roomFor = (model: Pick<Model, 'contextTokens'>): number => Math.min(60_000, model.contextTokens('best'))

/** Next action of the agent. */
export type Act =
  | { act: 'search'; query: string }
  | { act: 'read'; numbers: number[] }
  | { act: 'answer' }
  /** The model failed, so the agent cannot continue with it. */
  | { act: 'stop'; error: string }

/** Maximum number of pages per turn. */
export const maxAtOnce = 4
const maxShown = 30

const schemaOf = (acts: readonly Act['act'][]) =>
  closed(
    {
      action: { type: 'string', enum: acts },
      query: { type: 'string', description: 'For search: the query. Otherwise empty.' },
      numbers: numbersOf('For read: numbers of candidates. Otherwise empty.'),
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
        : `Could not read ${page.requestedUrl}`,
    ),
  ]
}

/** Content of a result. */
export type Answer = Pick<AgentResult, 'data' | 'sources' | 'evidence' | 'conflicts' | 'notFound'>

const nothingFound = 'None of the pages that were read answers this.'

const noteNumbers = numbersOf('Numbers of the notes.')
const withNotes = (name: string, field: object) => closed({ [name]: field, notes: noteNumbers }, [name])
const contradictions = {
  type: 'array',
  items: withNotes('about', { type: 'string', description: 'What the sites disagree about.' }),
}
const claimList = {
  type: 'array',
  description: 'The answer, sentence by sentence, in the language of the task; empty if the notes do not answer it.',
  items: withNotes('text', { type: 'string' }),
}
const sources = {
  type: 'array',
  items: withNotes('field', { type: 'integer', description: 'Number of the field.' }),
}
const claimsSchema = closed({ claims: claimList, contradictions }, ['claims'])
const sourcesSchema = closed({ sources, contradictions }, ['sources'])

/**
 * Lets the model answer from the notes. Statements without a supporting note are dropped; data is kept as a whole if
 * the model failed to name its sources.
 */
export async function answerFromNotes(job: AgentJob): Promise<Answer | { error: string }> {
  const { input } = job
  if (job.notes.length === 0) return input.schema ? dataAnswer({}, [], input.schema, []) : textAnswer([], [])
  const outcome = await spend<Outcome | { error: string }>(job, 'answer', async (tools) => {
    const notes = fittingNotes(numberedNotes(job.notes), input.prompt, roomFor(tools.model))
    try {
      const { schema } = input
      return { value: await (schema ? dataFrom(job, notes, schema, tools) : textFrom(job, notes, tools)) }
    } catch (thrown) {
      return { value: stepFault(thrown, job, tools) }
    }
  })
  if ('error' in outcome) return outcome
  job.model = outcome.model
  if (outcome.sourcesError !== undefined)
    job.workflow.warn(
      `The language model named no usable sources (${outcome.sourcesError}): the notes were searched for each value.`,
    )
  return outcome.answer
}

/** `sourcesError`: reason why the model did not name the notes that support the data. */
type Outcome = { answer: Answer; model: string; sourcesError?: string }

const material = (job: AgentJob, notes: readonly NumberedNote[]) =>
  `${block('task', job.input.prompt)}\n\n${block('notes', notes.map(lineOf).join('\n'))}`

async function textFrom(job: AgentJob, notes: readonly NumberedNote[], tools: StepTools) {
  const question = {
    system: instructions.agentAnswer,
    text: `${material(job, notes)}\n\nAnswer the task.`,
    schema: claimsSchema,
  }
  const { value, model } = await ask(job, tools, { ...question, maxOutputTokens: 2500 })
  const claims = recordsIn(value['claims']).flatMap(({ text, notes: named }) => {
    const cited = notesOf(named, notes)
    return typeof text === 'string' && text.trim() !== '' && cited.length > 0 ? [{ text: text.trim(), cited }] : []
  })
  return { answer: textAnswer(claims, conflictsIn(value, notes)), model }
}

type Claim = { text: string; cited: readonly Pick<Note, 'url' | 'quote'>[] }

/** Adds the numbers of its sources, as listed, to each sentence. */
export function textAnswer(claims: readonly Claim[], conflicts: Answer['conflicts']): Answer {
  const cited = claims.flatMap((claim) => claim.cited)
  const urls = [...new Set(cited.map(({ url }) => url))]
  const marks = (claim: Claim) => [...new Set(claim.cited.map(({ url }) => `[${urls.indexOf(url) + 1}]`))].join('')
  const text = claims.map((claim) => `${claim.text} ${marks(claim)}`).join('\n')
  return {
    data: { answer: text === '' ? nothingFound : text },
    sources: urls.length > 0 ? { answer: urls } : {},
    evidence: evidenceOf('answer', cited),
    conflicts,
    notFound: claims.length === 0 ? ['answer'] : [],
  }
}

async function dataFrom(
  job: AgentJob,
  notes: readonly NumberedNote[],
  schema: Record<string, unknown>,
  tools: StepTools,
): Promise<Outcome> {
  const first = await ask(job, tools, {
    system: instructions.agentData,
    text: `${material(job, notes)}\n\nGive the data that the task asks for.`,
    schema: relaxed(schema),
    maxOutputTokens: 4000,
  })
  const leaves = leavesOf(first.value)
  const fields = leaves.map(({ path, value }, at) => `${at + 1} ${path}: ${String(value).slice(0, 200)}`)
  const named = await ask(job, tools, {
    system: instructions.agentAnswer,
    text: `${material(job, notes)}\n\n${block('fields', fields.join('\n'))}\n\nName the notes that support each field.`,
    schema: sourcesSchema,
    maxOutputTokens: 2500,
  }).catch((thrown: unknown) => stepFault(thrown, job, tools))
  const sourcesError = 'error' in named ? named.error : undefined
  const value = 'value' in named ? named.value : {}
  const cited = new Map(recordsIn(value['sources']).map(({ field, notes: own }) => [field, notesOf(own, notes)]))
  const supported = leaves.map((leaf, at) => {
    const own = cited.get(at + 1) ?? []
    return { path: leaf.path, notes: own.length > 0 ? own : notes.filter((note) => supports(note, leaf)) }
  })
  const accepted = sourcesError === undefined ? supported.filter((each) => each.notes.length > 0) : supported
  const answer = dataAnswer(first.value, accepted, schema, conflictsIn(value, notes))
  return { answer, model: first.model, ...(sourcesError !== undefined && { sourcesError }) }
}

const supports = ({ says, quote }: Note, { value }: Leaf) =>
  typeof value !== 'boolean' && containsWords(`${says} ${quote}`, String(value))

function dataAnswer(
  value: unknown,
  supported: readonly { path: string; notes: readonly NumberedNote[] }[],
  schema: Record<string, unknown>,
  conflicts: Answer['conflicts'],
): Answer {
  const data = onlyLeaves(value, new Set(supported.map(({ path }) => path))) ?? {}
  const proved = supported.filter(({ notes }) => notes.length > 0)
  return {
    data: completed(data, schema).value,
    sources: Object.fromEntries(proved.map(({ path, notes }) => [path, [...new Set(notes.map(({ url }) => url))]])),
    evidence: supported.flatMap(({ path, notes }) => evidenceOf(path, notes)),
    conflicts,
    notFound: missingFrom(data, fieldsOf(schema)),
  }
}

/** Requires at least two notes of two pages, because one page that corrects itself is not a contradiction. */
const conflictsIn = (value: Record<string, unknown>, notes: readonly NumberedNote[]): Answer['conflicts'] =>
  recordsIn(value['contradictions']).flatMap(({ about, notes: named }) => {
    const statements = notesOf(named, notes).map(({ says, url }) => ({ says, url }))
    const isReal = new Set(statements.map(({ url }) => url)).size > 1
    return typeof about === 'string' && isReal ? [{ about, statements }] : []
  })

/** Returns the notes with these numbers, each once; unknown numbers are skipped. */
function notesOf(numbers: unknown, notes: readonly NumberedNote[]): NumberedNote[] {
  const named = new Set(Array.isArray(numbers) ? numbers : [])
  return notes.filter(({ number }) => named.has(number))
}

const evidenceOf = (field: string, notes: Claim['cited']): Answer['evidence'] =>
  [...new Set(notes)].map(({ url, quote }) => ({ field, url, quote }))

/** Keeps only the given leaves of a value; anything that becomes empty is removed too. */
function onlyLeaves(value: unknown, paths: ReadonlySet<string>, path = ''): unknown {
  if (isLeaf(value)) return paths.has(path) ? value : undefined
  if (Array.isArray(value)) {
    const items = value.map((each, at) => onlyLeaves(each, paths, `${path}[${at}]`))
    const present = items.filter((each) => each !== undefined)
    return present.length > 0 ? present : undefined
  }
  if (!isRecord(value)) return undefined
  const entries = Object.entries(value).flatMap(([key, each]) => {
    const left = onlyLeaves(each, paths, within(path, key))
    return left === undefined ? [] : [[key, left] as const]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

const maxNotes = 40
const maxLines = 4
const maxQuote = 600
const maxSays = 400

const note = closed({
  says: { type: 'string', description: 'The fact, in one sentence.' },
  lines: numbersOf(`Numbers of the lines that say so, at most ${maxLines}.`),
})
const notesSchema = closed({ notes: { type: 'array', items: note } })

/** Lets the model note what a page says about the task. It sees only this page, and refers to its lines by number. */
export async function takeNotes(job: AgentJob, page: ReadablePage): Promise<void> {
  const taken = await spend<{ notes: Note[]; model?: string; error?: string }>(
    job,
    `notes ${page.requestedUrl}`,
    async (tools) => {
      try {
        const model = createPageModel(tools.model, {
          ...callOf(job, tools.signal, tools.leftMs()),
          timeoutMs: tools.leftMs,
        })
        const lines = numbered(excerptOf(page.markdown, job.input.prompt, roomFor(tools.model)))
        const question: PageQuestion & { schema: object } = {
          task: 'agent',
          effort: 'best',
          maxOutputTokens: 2000,
          system: instructions.agentTakeNotes,
          page: lines.text,
          ask: `Task: ${job.input.prompt}${job.input.schema ? `\nFields that are wanted: ${JSON.stringify(job.input.schema).slice(0, 8000)}` : ''}`,
          schema: notesSchema,
        }
        const answer = await model.object(question)
        return { value: { notes: notesIn(answer.value, lines, page.url), model: answer.model } }
      } catch (thrown) {
        return { value: { notes: [], ...stepFault(thrown, job, tools) } }
      }
    },
  )
  job.model = taken.model ?? job.model
  job.notes.push(...taken.notes)
  if (taken.error !== undefined) job.unread.push(taken.error)
}

/** Drops notes that refer to no line of the page. */
function notesIn(value: unknown, lines: ReturnType<typeof numbered>, url: string): Note[] {
  const notes = isRecord(value) && Array.isArray(value['notes']) ? value['notes'].filter(isRecord) : []
  return notes.slice(0, maxNotes).flatMap(({ says, lines: named }) => {
    const quote = lines.at(named, maxLines).join('\n').slice(0, maxQuote)
    return typeof says === 'string' && quote !== '' ? [{ says: says.slice(0, maxSays), quote, url }] : []
  })
}
