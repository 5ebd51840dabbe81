import { isRecord } from '../../../util/json.ts'
import type { AgentResult } from '../../../schema/workflow-schemas.ts'
import { fieldsOf, missingFrom } from '../../extract/merge.ts'
import { withoutRequired } from '../../understand/json/json-by-model.ts'
import { ask, roomFor, block, dataRule } from './agent-question.ts'
import {
  type AgentJob,
  spend,
  stepFault,
  type StepTools,
  fittingNotes,
  lineOf,
  type Note,
  notesOf,
  numberedNotes,
  type NumberedNote,
} from '../agent-job.ts'

/** Content of a result. */
export type Answer = Pick<AgentResult, 'data' | 'sources' | 'evidence' | 'conflicts' | 'notFound'>

const nothingFound = 'None of the pages that were read answers this.'

const rules = `You answer from numbered notes taken of web pages, and from nothing else: no knowledge of your own. Name the notes that bear out each part. Where sites contradict each other, say so and give both, with the notes of each. What no note says is not found; never guess.
${dataRule}`

const numbers = { type: 'array', items: { type: 'integer' }, description: 'Numbers of the notes.' }
const strict = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const contradictions = {
  type: 'array',
  items: strict({ about: { type: 'string', description: 'What the sites disagree about.' }, notes: numbers }),
}
const claimsSchema = strict({
  claims: {
    type: 'array',
    description:
      'The answer, sentence by sentence, in the language of the task; empty where the notes do not answer it.',
    items: strict({ text: { type: 'string' }, notes: numbers }),
  },
  contradictions,
})
const sourcesSchema = strict({
  sources: {
    type: 'array',
    items: strict({ field: { type: 'integer', description: 'Number of the field.' }, notes: numbers }),
  },
  contradictions,
})

/** Lets the model answer from the notes. Statements without a supporting note are dropped. */
export async function answerFromNotes(job: AgentJob): Promise<Answer | { error: string }> {
  const { input } = job
  if (job.notes.length === 0) return input.schema ? dataAnswer({}, [], input.schema, []) : textAnswer([], [])
  const outcome = await spend<{ answer: Answer; model: string } | { error: string }>(job, 'answer', async (tools) => {
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
  return outcome.answer
}

const material = (job: AgentJob, notes: readonly NumberedNote[]) =>
  `${block('task', job.input.prompt)}\n\n${block('notes', notes.map(lineOf).join('\n'))}`

async function textFrom(job: AgentJob, notes: readonly NumberedNote[], tools: StepTools) {
  const question = { system: rules, text: `${material(job, notes)}\n\nAnswer the task.`, schema: claimsSchema }
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
) {
  const first = await ask(job, tools, {
    system: `${rules}\nLeave out, or set to null, what the notes do not say. Of contradicting values take the best founded one.`,
    text: `${material(job, notes)}\n\nGive the data that the task asks for.`,
    schema: withoutRequired(schema),
    maxOutputTokens: 4000,
  })
  const leaves = leavesOf(first.value)
  const fields = leaves.map(({ path, value }, at) => `${at + 1} ${path}: ${String(value).slice(0, 200)}`)
  const { value, model } = await ask(job, tools, {
    system: rules,
    text: `${material(job, notes)}\n\n${block('fields', fields.join('\n'))}\n\nName the notes that bear out each field.`,
    schema: sourcesSchema,
    maxOutputTokens: 2500,
  })
  const cited = new Map(recordsIn(value['sources']).map(({ field, notes: named }) => [field, notesOf(named, notes)]))
  const founded = leaves.flatMap(({ path }, at) => {
    const own = cited.get(at + 1) ?? []
    return own.length > 0 ? [{ path, notes: own }] : []
  })
  return { answer: dataAnswer(first.value, founded, schema, conflictsIn(value, notes)), model }
}

function dataAnswer(
  value: unknown,
  founded: readonly { path: string; notes: readonly NumberedNote[] }[],
  schema: Record<string, unknown>,
  conflicts: Answer['conflicts'],
): Answer {
  const data = onlyLeaves(value, new Set(founded.map(({ path }) => path))) ?? {}
  return {
    data,
    sources: Object.fromEntries(founded.map(({ path, notes }) => [path, [...new Set(notes.map(({ url }) => url))]])),
    evidence: founded.flatMap(({ path, notes }) => evidenceOf(path, notes)),
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

const evidenceOf = (field: string, notes: Claim['cited']): Answer['evidence'] =>
  [...new Set(notes)].map(({ url, quote }) => ({ field, url, quote }))

const recordsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : [])

/** One value of an object, with its path, such as `offers[0].price`. */
type Leaf = { path: string; value: string | number | boolean }

const isLeaf = (value: unknown): value is Leaf['value'] =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' || typeof value === 'boolean'

export function leavesOf(value: unknown, path = ''): Leaf[] {
  if (isLeaf(value)) return [{ path, value }]
  if (Array.isArray(value)) return value.flatMap((each, at) => leavesOf(each, `${path}[${at}]`))
  return isRecord(value) ? Object.entries(value).flatMap(([key, each]) => leavesOf(each, within(path, key))) : []
}

const within = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

/** Keeps only the given leaves of a value; anything that becomes empty is removed too. */
function onlyLeaves(value: unknown, paths: ReadonlySet<string>, path = ''): unknown {
  if (isLeaf(value)) return paths.has(path) ? value : undefined
  if (Array.isArray(value)) {
    const kept = value.map((each, at) => onlyLeaves(each, paths, `${path}[${at}]`)).filter((each) => each !== undefined)
    return kept.length > 0 ? kept : undefined
  }
  if (!isRecord(value)) return undefined
  const kept = Object.entries(value).flatMap(([key, each]) => {
    const left = onlyLeaves(each, paths, within(path, key))
    return left === undefined ? [] : [[key, left] as const]
  })
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}
