import { isRecord } from '../../../util/json.ts'
import { numbered } from '../../understand/ask-model.ts'
import { createPageModel, type PageQuestion } from '../../understand/page-model.ts'
import { rank } from '../../../util/rank.ts'
import { callOf, roomFor } from './agent-question.ts'
import { type AgentJob, spend, stepFault, type Note, type ReadablePage } from '../agent-job.ts'

const mostNotes = 40
const mostLines = 4
const maxQuote = 600
const maxSays = 400

const system = `You read one web page for a person's task and take notes: each fact on it that helps with the task, in one short sentence, with the numbers of the lines that say so. The lines are numbered. Take no note of what the page does not say, and none at all where nothing helps. Notes that contradict what others may say are welcome.`

const schema = {
  type: 'object',
  properties: {
    notes: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          says: { type: 'string', description: 'The fact, in one sentence.' },
          lines: {
            type: 'array',
            items: { type: 'integer' },
            description: `Numbers of the lines that say so, at most ${mostLines}.`,
          },
        },
        required: ['says', 'lines'],
        additionalProperties: false,
      },
    },
  },
  required: ['notes'],
  additionalProperties: false,
}

/** Lets the model note what a page says about the task. It sees only this page, and refers to its lines by number. */
export async function takeNotes(job: AgentJob, page: ReadablePage): Promise<void> {
  const taken = await spend<{ notes: Note[]; model?: string; error?: string }>(
    job,
    `notes ${page.asked}`,
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
          system,
          page: lines.text,
          ask: `Task: ${job.input.prompt}${job.input.schema ? `\nFields that are wanted: ${JSON.stringify(job.input.schema).slice(0, 8000)}` : ''}`,
          schema,
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

/** Drops notes that no line of the page supports. */
function notesIn(value: unknown, lines: ReturnType<typeof numbered>, url: string): Note[] {
  const notes = isRecord(value) && Array.isArray(value['notes']) ? value['notes'].filter(isRecord) : []
  return notes.slice(0, mostNotes).flatMap(({ says, lines: named }) => {
    const quote = lines.at(named, mostLines).join('\n').slice(0, maxQuote)
    return typeof says === 'string' && quote !== '' ? [{ says: says.slice(0, maxSays), quote, url }] : []
  })
}

/** Returns the lines of a long page that are most relevant to the task, with adjacent lines, in reading order. */
export function excerptOf(markdown: string, words: string, maxCharacters: number): string {
  if (markdown.length <= maxCharacters) return markdown
  const lines = markdown.split('\n')
  const fits = rank(lines, words)
  const order = lines
    .map((_, at) => ({ at, score: fits[at]?.score ?? 0 }))
    .toSorted((one, other) => other.score - one.score)
  const chosen = new Set<number>()
  let left = maxCharacters
  for (const { at } of order)
    for (const near of [at, at - 1, at + 1]) {
      const line = lines[near]
      if (line === undefined || chosen.has(near) || line.length >= left) continue
      chosen.add(near)
      left -= line.length + 1
    }
  return lines.filter((_, at) => chosen.has(at)).join('\n')
}
