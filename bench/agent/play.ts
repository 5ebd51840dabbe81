import { isDeepStrictEqual } from 'node:util'
import { initialize } from '../lib/mcp-client.ts'
import { startServer } from '../lib/server-process.ts'
import type { Site } from '../lib/start-site.ts'
import type { Player, Style } from './contestants.ts'
import { createHand, type Hand, type Spent } from './hand.ts'
import type { Task } from './task.ts'

export type Outcome = Spent & { task: string; fault?: string }
export type Played = { name: string; version: string; outcomes: Outcome[] }

/** Runs all tasks in one session of a separate server. Reports the fault of each unsolved task. */
export async function play(
  player: Player,
  style: Style,
  tasks: readonly Task[],
  site: Site,
  print: (text: string) => void,
): Promise<Played> {
  const { name, server } = player
  const running = startServer(server)
  const handFor = (wording: string): Hand =>
    createHand(running.client, wording, (tool, text) =>
      print(`\n── ${name} ${tool}, ${text.length} characters\n${text}`),
    )
  try {
    await initialize(running.client)
    const session = { id: undefined, origin: site.origin }
    const outcomes: Outcome[] = []
    for (const task of tasks) {
      const hand = handFor(task.wording)
      const fault = await faultOf(task, site, () => player.solve[style](task, hand, session))
      outcomes.push({ task: task.name, ...hand.spent(), ...(fault !== undefined && { fault }) })
    }
    return { name, version: server.version, outcomes }
  } finally {
    await running.end()
  }
}

/**
 * Why a task is not solved. The answer must be right, and the site must have accepted the expected submission exactly
 * once.
 */
async function faultOf(task: Task, site: Site, solve: () => Promise<unknown>): Promise<string | undefined> {
  const recorded = async () => (await (await fetch(`${site.origin}/recorded`)).json()) as unknown[]
  await recorded()
  try {
    const answer = await solve()
    if (!isDeepStrictEqual(answer, task.answer)) return `answered ${JSON.stringify(answer)?.slice(0, 300)}`
    const accepted = await recorded()
    return isDeepStrictEqual(accepted, task.recorded ? [task.recorded] : [])
      ? undefined
      : `the site accepted ${JSON.stringify(accepted)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
