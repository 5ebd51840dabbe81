import { instructions } from '../../model/instructions.ts'
import type { ModelRequest } from '../../../contracts/model-port.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import type { PersonNeeded } from '../browser-sessions.ts'
import type { Page, Performed, Stage } from './stage.ts'
import type { SessionAction } from '../../../contracts/render-port.ts'
import { Acts } from '../../../schema/page-actions.ts'
import { isRecord } from '../../../util/json.ts'
import { fenced } from '../../model/page/page-model.ts'

const maxSteps = 25

/** Earlier steps. Only the newest page and result are sent to the model in full. */
type History = {
  steps: readonly string[]
  /** Notes of the model, which may quote pages. */
  notes: readonly string[]
  result: string
}

const maxNotes = 8000

function questionOf(
  { prompt, maxCharacters, timeLeftMs }: Task,
  page: Page,
  { steps, notes, result }: History,
  { team, signal }: Ctx,
): ModelRequest & { schema: object } {
  const noted = notes.join('\n').slice(-maxNotes)
  const seen = [
    noted === '' ? '' : `Your notes:\n${noted}\n`,
    result === '' ? '' : `Result of the last step:\n${clip(result, maxCharacters)}\n`,
    `The page now:\n${page.text}`,
  ].join('\n')
  const done = steps.length === 0 ? '' : `Steps done, of at most ${maxSteps}:\n${steps.join('\n')}\n\n`
  return {
    task: 'interact',
    teamId: team.id,
    keyName: team.key,
    effort: 'best',
    maxOutputTokens,
    timeoutMs: timeLeftMs(),
    signal,
    schema: stepSchema,
    system: instructions.browse,
    input: [{ role: 'user', text: `Task: ${prompt}\n\n${done}${fenced(seen.trim())}\n\nThe next step:` }],
  }
}

const clip = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most)}…`)

export type PilotStep = { acts: string[]; ok: boolean }
/** Outcome of a task; `error` is the reason if there is no answer. */
export type PilotEnd = { output: string; error?: string; needsPerson?: PersonNeeded | undefined }

type Task = {
  prompt: string
  maxCharacters: number
  timeLeftMs(): number
  steps: PilotStep[]
  notes: string[]
}

/** Token limit of a task: twice the size of 25 usual pages and answers. */
const maxTokens = 200_000
const maxOutputTokens = 2000
/** Number of repetitions of the same actions on the same page that count as a loop. */
const loopCount = 3

/** Lets a model carry out a task step by step. Adds to `steps` and `notes`. Fails like Model.object. */
export async function pilot(task: Task, stage: Stage, ctx: Ctx): Promise<PilotEnd> {
  const { steps, notes } = task
  const history = { steps: [] as string[], notes, result: '' } satisfies History
  const isLoop = createLoopWatch()
  let tokens = 0
  const record = (acts: string[], ok: boolean, how: string) => {
    steps.push({ acts, ok })
    history.steps.push(`${steps.length}. ${acts.join(', ')}: ${how}`)
    ctx.progress(steps.length, maxSteps, `Step ${steps.length}: ${acts.join(', ')}`)
  }

  while (steps.length < maxSteps) {
    const page = await stage.look()
    const { value, usage } = await ctx.ports.model.object(questionOf(task, page, history, ctx))
    tokens += usage.inputTokens + usage.outputTokens
    const step = readStep(value)
    notes.push(...[noteOf(value)].filter(Boolean))
    if (step.kind === 'answer') return { output: step.answer }
    if (tokens > maxTokens) return unfinished(history, `it used up its ${maxTokens} tokens`)
    if (step.kind === 'problem') {
      history.result = step.problem
      record(['nothing'], false, 'the answer was not usable')
    } else if (step.kind === 'person') {
      const answered = await stage.askPerson(step.ask)
      if (answered.outcome !== 'done') return blocked(answered)
      history.result = 'The person says that it is done.'
      record(['ask a person'], true, 'done')
    } else {
      if (isLoop(`${JSON.stringify(step.acts)}\n${page.url}\n${page.text.replaceAll(' focused', '')}`))
        return unfinished(history, 'it repeated the same actions on the same page')
      const performed = await stage.perform(step.acts)
      history.result = performed.text
      record(performed.acts, performed.ok, outcomeOf(performed))
      const { needsPerson } = performed
      if (needsPerson && needsPerson.reason !== 'login' && needsPerson.outcome !== 'done') return blocked(needsPerson)
    }
  }
  return unfinished(history, `it took ${maxSteps} steps`)
}

function outcomeOf({ ok, text }: Performed): string {
  if (!ok) return 'failed'
  return /(?:^|\n)Nothing on the page changed\.[^\n]*$/.test(text) ? 'no effect' : 'done'
}

function createLoopWatch(): (state: string) => boolean {
  const counts = new Map<string, number>()
  return (state) => {
    const count = (counts.get(state) ?? 0) + 1
    counts.set(state, count)
    return count >= loopCount
  }
}

const unfinished = ({ notes }: History, why: string): PilotEnd => ({
  output: notes.join('\n'),
  error: `The task was not finished: ${why}. The notes so far are in output, and the browser is still open.`,
})

const blocked = (needsPerson: PersonNeeded): PilotEnd => ({
  output: `A person is needed: ${needsPerson.message}`,
  error: 'The task was not finished: it needs a person, at the interactive live view. Then call again.',
  needsPerson,
})

/** Next step of the model. `problem`: the reason why its answer is unusable. */
type Step =
  | { kind: 'answer'; answer: string }
  | { kind: 'person'; ask: string }
  | { kind: 'acts'; acts: SessionAction[] }
  | { kind: 'problem'; problem: string }

const maxActs = 8
const textField = (description: string) => ({ type: 'string', description })
const whole = (description: string) => ({ type: 'integer', description })

const actFields = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: {
      type: 'string',
      enum: 'click doubleClick hover drag fill type press select check uncheck scroll wait navigate back forward reload tab dialog extract'.split(
        ' ',
      ),
    },
    target: textField('Ref of the newest page (e12), or what the element says: button "Save", Email.'),
    value: textField('fill: the new value of the field; type: text to add; dialog: answer.'),
    text: textField('wait: text to wait for.'),
    key: textField('press: Enter, Escape, Control+A.'),
    options: { type: 'array', items: { type: 'string' }, description: 'select: what the options say.' },
    url: textField('navigate, tab open.'),
    to: textField('drag: target.'),
    direction: textField('scroll: up, down, top, end.'),
    screens: { type: 'number', description: 'scroll: how many screens.' },
    until: textField('scroll: until this text is in view.'),
    gone: textField('wait: text that has to disappear.'),
    milliseconds: whole('wait: how long.'),
    do: textField('tab: open, switch, close.'),
    tab: textField('tab: its id (t2).'),
    accept: { type: 'boolean', description: 'dialog: accept or dismiss.' },
    as: textField('extract: text, markdown, rows.'),
    from: whole('extract: where to go on reading.'),
  },
}

const stepSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['acts'],
  properties: {
    note: textField('What you will need later: only the newest page is kept.'),
    acts: { type: 'array', items: actFields, description: `At most ${maxActs}, done in order; empty with answer.` },
    answer: textField('The final answer, once the task is done or cannot be done.'),
    askPerson: textField('What a person has to do for you, such as solving a captcha.'),
  },
}

function readStep(value: unknown): Step {
  const { acts, answer, askPerson } = isRecord(value) ? value : {}
  const wanted = Array.isArray(acts) ? acts.slice(0, maxActs).map((each) => withoutEmpty(each)) : []
  if (wanted.length > 0) {
    const { data, error } = Acts.safeParse(wanted)
    if (data) return { kind: 'acts', acts: data }
    const faults = error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`)
    return { kind: 'problem', problem: `These acts are not valid. ${faults.join('; ')}` }
  }
  if (isText(askPerson)) return { kind: 'person', ask: askPerson.slice(0, 1000) }
  if (isText(answer)) return { kind: 'answer', answer: answer.trim() }
  return { kind: 'problem', problem: 'Give acts or an answer.' }
}

const noteOf = (value: unknown): string =>
  isRecord(value) && isText(value['note']) ? value['note'].trim().slice(0, maxNote) : ''

const maxNote = 2000
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Removes empty fields that models add; only `fill` may have an empty value. */
function withoutEmpty(each: unknown): unknown {
  if (!isRecord(each)) return each
  const entries = Object.entries(each).filter(
    ([name, value]) => value !== null && (value !== '' || (name === 'value' && each['type'] === 'fill')),
  )
  return Object.fromEntries(entries)
}
