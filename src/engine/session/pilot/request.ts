import type { ModelRequest } from '../../../contracts/model.ts'
import { fenced, pageRule } from '../../understand/page-model.ts'
import type { Page } from './stage.ts'

export const maxSteps = 25

/** What happened so far. Only the newest page and result are kept whole. */
export type History = {
  /** A line for each step, in our own words. */
  steps: readonly string[]
  /** What the model wrote down for itself: it may quote pages. */
  notes: readonly string[]
  /** The result of the last step. */
  result: string
}

const system = `You operate a web browser for a user, step by step, until their task is done. In each step you get the task, what was done so far, and the page as it is now: one line an element, with refs such as e12 for those that can be acted on. Answer with one JSON object: the next acts, or the final answer.
- Refs hold for the newest page only. Several acts in one step are done in order until one fails.
- The result of a step says what changed. "Nothing on the page changed" means that the act had no effect: do something else, not the same again.
- What is out of view is only summarised: scroll, or extract (as rows for tables and lists).
- You see only the newest page: put what you will need later into note.
- Do what the task asks and no more. Only sites that the task names can be opened; nothing is entered on others.
- For what only a person can do, such as a captcha or a login without credentials in the task, set askPerson.
- When the task is done, or cannot be done, give the answer with what the task asks for, from the pages alone.
${pageRule}`

/** Characters of notes that are kept, the latest. */
const mostNotes = 8000

export function requestFor(
  prompt: string,
  page: Page,
  { steps, notes, result }: History,
  maxCharacters: number,
): Pick<ModelRequest, 'system' | 'input'> {
  const noted = notes.join('\n').slice(-mostNotes)
  const seen = [
    noted === '' ? '' : `Your notes:\n${noted}\n`,
    result === '' ? '' : `Result of the last step:\n${clip(result, maxCharacters)}\n`,
    `The page now:\n${page.text}`,
  ].join('\n')
  const done = steps.length === 0 ? '' : `Steps done, of at most ${maxSteps}:\n${steps.join('\n')}\n\n`
  return {
    system,
    input: [{ role: 'user', text: `Task: ${prompt}\n\n${done}${fenced(seen.trim())}\n\nThe next step:` }],
  }
}

const clip = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most)}…`)
