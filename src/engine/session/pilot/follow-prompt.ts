import type { Ctx } from '../../../kernel/ctx.ts'
import { abortReason } from '../../../util/async.ts'
import { fail } from '../../../kernel/error.ts'
import { type Command, commandsIn } from './commands.ts'
import { pilot, type PilotEnd, type PilotStep } from './pilot.ts'
import { onStage, type Stage } from './stage.ts'
import type { Performed } from './stage.ts'

/** Carries out plain commands one after the other, until one fails. Adds to `steps`. */
async function carryOut(
  { commands, steps }: { commands: readonly Command[]; steps: PilotStep[] },
  stage: Stage,
  ctx: Pick<Ctx, 'progress'>,
): Promise<PilotEnd> {
  const read: string[] = []
  let last = ''
  for (const command of commands) {
    if ('read' in command) {
      read.push((await stage.look())[command.read])
      continue
    }
    const performed = await firstThatWorks(command, stage)
    steps.push({ acts: performed.acts, ok: performed.ok })
    ctx.progress(steps.length, commands.length, `Step ${steps.length}: ${performed.acts.join(', ')}`)
    read.push(...performed.extracted)
    last = performed.text
    if (!performed.ok) return failed(performed, steps.length, commands.length)
  }
  return { output: read.length > 0 ? read.join('\n\n') : last }
}

type Ways = Extract<Command, { ways: unknown }>

async function firstThatWorks({ ways: [way = [], ...others], nextIf }: Ways, stage: Stage): Promise<Performed> {
  const performed = await stage.perform(way)
  // Once an act was done, its element was the right one.
  const isOver = performed.ok || performed.acts.length > 1 || others.length === 0
  const isSeveral = performed.text.includes('matches several elements')
  if (isOver || isSeveral !== (nextIf === 'several')) return performed
  return firstThatWorks({ ways: others, ...(nextIf && { nextIf }) }, stage)
}

const failed = ({ text, needsPerson }: Performed, at: number, count: number): PilotEnd => ({
  output: text,
  error: `Command ${at} of ${count} failed; output says why. Without a language model, commands name elements by what the page calls them.`,
  needsPerson,
})

/** A task that can be begun: by a language model, or as plain commands. */
export type Plan = { by: 'model' } | { by: 'commands'; commands: readonly Command[] }

/** Fails with MODEL_UNAVAILABLE where a prompt needs a model and there is none. */
export function planOf(prompt: string, { model }: Pick<Ctx['ports'], 'model'>): Plan {
  if (model.isSet()) return { by: 'model' }
  const commands = commandsIn(prompt)
  if (commands) return { by: 'commands', commands }
  return fail('MODEL_UNAVAILABLE', {
    hint: 'Without one, only plain commands are understood, such as: click "Next", then type Ann into Name, then press Enter. Otherwise send code, or use browser_snapshot and browser_act.',
  })
}

type Followed = PilotEnd & { steps: PilotStep[]; snapshot: string; isOutOfTime: boolean }
type Task = { sessionId: string; prompt: string; plan: Plan; timeoutMs: number }

const [leastCharacters, usualCharacters, mostCharacters] = [1500, 4000, 12_000]

/** Does what a prompt says in a session, within a time. Fails as Sessions.act and Model.object do. */
export async function followPrompt({ sessionId, prompt, plan, timeoutMs }: Task, ctx: Ctx): Promise<Followed> {
  // As many characters as the model's window has tokens are a third of it at most.
  const room = plan.by === 'model' ? ctx.ports.model.contextTokens('best') : usualCharacters
  const maxCharacters = Math.max(leastCharacters, Math.min(mostCharacters, room))
  const endsAt = performance.now() + timeoutMs
  const timeLeftMs = () => Math.max(1, endsAt - performance.now())
  const time = AbortSignal.timeout(timeoutMs)
  const within: Ctx = { ...ctx, signal: AbortSignal.any([ctx.signal, time]) }
  const steps: PilotStep[] = []
  const notes: string[] = []
  const work = (stage: Stage) =>
    plan.by === 'model'
      ? pilot({ prompt, maxCharacters, timeLeftMs, steps, notes }, stage, within)
      : carryOut({ commands: plan.commands, steps }, stage, within)
  try {
    return await onStage({ sessionId, prompt, maxCharacters }, within, async (stage) => {
      const end = await work(stage)
      return { ...end, steps, snapshot: (await stage.look()).text, isOutOfTime: false }
    })
  } catch (thrown) {
    if (ctx.signal.aborted) throw abortReason(ctx.signal)
    // The model may notice a moment before the clock that its time is up.
    if (!time.aborted && timeLeftMs() > 1) throw thrown
    const error = `The task was not finished within ${timeoutMs / 1000} s. The browser is still open: call again with a higher timeout to go on.`
    return { output: notes.join('\n'), error, steps, snapshot: '', isOutOfTime: true }
  }
}
