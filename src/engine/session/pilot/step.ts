import type { SessionAction } from '../../../contracts/render-port.ts'
import { Acts } from '../../../schema/page-actions.ts'
import { isRecord } from '../../../util/json.ts'

/** What the model wants next. `problem`: why its answer cannot be used. */
export type Step =
  | { kind: 'answer'; answer: string }
  | { kind: 'person'; ask: string }
  | { kind: 'acts'; acts: SessionAction[] }
  | { kind: 'problem'; problem: string }

const mostActs = 8
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

/** One step: acts, or the answer, or a person's help. */
export const stepSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['acts'],
  properties: {
    note: textField('What you will need later: only the newest page is kept.'),
    acts: { type: 'array', items: actFields, description: `At most ${mostActs}, done in order; empty with answer.` },
    answer: textField('The final answer, once the task is done or cannot be done.'),
    askPerson: textField('What a person has to do for you, such as solving a captcha.'),
  },
}

export function readStep(value: unknown): Step {
  const { acts, answer, askPerson } = isRecord(value) ? value : {}
  const wanted = Array.isArray(acts) ? acts.slice(0, mostActs).map((each) => given(each)) : []
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

export const noteOf = (value: unknown): string =>
  isRecord(value) && isText(value['note']) ? value['note'].trim().slice(0, mostNote) : ''

const mostNote = 2000
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Models that must give every field leave those empty that they do not mean; only a field may be emptied. */
function given(each: unknown): unknown {
  if (!isRecord(each)) return each
  const entries = Object.entries(each).filter(
    ([name, value]) => value !== null && (value !== '' || (name === 'value' && each['type'] === 'fill')),
  )
  return Object.fromEntries(entries)
}

/** An act in our own words: never what is typed, nor what a page says. */
export function actInWords(each: SessionAction): string {
  if (each.type === 'press') return `press ${/^[\w+]{2,30}$/.test(each.key) ? each.key : 'a key'}`
  if (each.type === 'tab') return `${each.do} a tab`
  const target = 'target' in each ? each.target : undefined
  return target !== undefined && /^e\d+$/.test(target) ? `${each.type} ${target}` : each.type
}
