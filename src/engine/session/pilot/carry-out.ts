import type { Ctx } from '../../../kernel/ctx.ts'
import type { Command } from './commands.ts'
import type { PilotEnd, PilotStep } from './pilot.ts'
import type { Performed, Stage } from './stage.ts'

/** Carries out plain commands one after the other, until one fails. Adds to `steps`. */
export async function carryOut(
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
