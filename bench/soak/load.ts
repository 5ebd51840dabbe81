import type { Client, Ended } from './client.ts'
import { tasks, type World } from './tasks.ts'

type Team = readonly [Client, ...Client[]]

/** Number of outcomes by task and kind. */
export type Tally = {
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly untyped: readonly string[]
}

export function createTally(): Tally & { add(task: string, ended: readonly Ended[]): void } {
  const counts = new Map<string, Map<string, number>>()
  const untyped: string[] = []
  return {
    counts,
    untyped,
    add(task, ended) {
      const ofTask = counts.get(task) ?? new Map<string, number>()
      counts.set(task, ofTask)
      for (const { how, isTyped } of ended) {
        const name = isTyped ? how : 'UNTYPED'
        ofTask.set(name, (ofTask.get(name) ?? 0) + 1)
        if (!isTyped) untyped.push(`${task}: ${how}`)
      }
    },
  }
}

/** Runs every task once, so that everything that starts on first use is running. */
export async function warmUp(teams: Team, world: World): Promise<void> {
  for (const { run } of Object.values(tasks)) await run(teams[0], world)
  await closeSessions(teams)
}

/** Runs concurrent callers, each doing one task after another for a random team. */
export async function runLoad(
  teams: Team,
  world: World,
  callers: number,
  untilMs: number,
  tally: ReturnType<typeof createTally>,
) {
  const [first = '', ...others] = Object.entries(tasks).flatMap(([name, { share }]) => Array<string>(share).fill(name))
  const caller = async () => {
    while (Date.now() < untilMs) {
      const name = world.dice.one([first, ...others])
      tally.add(name, (await tasks[name]?.run(world.dice.one(teams), world)) ?? [])
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  await closeSessions(teams)
}

async function closeSessions(teams: Team): Promise<void> {
  for (const client of teams) {
    const { sessions } = (await client.call('GET', 'browser?status=active')).body
    for (const { id } of Array.isArray(sessions) ? (sessions as { id: string }[]) : [])
      await client.call('DELETE', `browser/${id}`)
  }
}
