/** Solves small one-task pages with our tools and with those of @playwright/mcp: see README.md. */
import { parseArgs } from 'node:util'
import { type Player, players } from './agent/contestants.ts'
import { createHand } from './agent/hand.ts'
import { findBrowser } from '../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../src/engine/browser/find/machine-probes.ts'
import { commonFlags, positive, userPath, writeJson } from './lib/flags.ts'
import { initialize } from './lib/mcp-client.ts'
import { startServer } from './lib/server-process.ts'
import { table } from './lib/table.ts'
import { describeTargets, exitCode } from './lib/targets.ts'
import { withWorkDir } from './lib/work-dir.ts'
import { createRandom } from './search/random.ts'
import { type Agent, createOurs, peerAgent } from './widgets/agents.ts'
import { choices } from './widgets/pages/choices.ts'
import { fields } from './widgets/pages/fields.ts'
import { panels } from './widgets/pages/panels.ts'
import { programs } from './widgets/pages/programs.ts'
import { startTaskSite, type TaskSite } from './widgets/site.ts'

const { values } = parseArgs({
  options: {
    ...commonFlags,
    seeds: { type: 'string', default: '3' },
    task: { type: 'string', default: '' },
    answers: { type: 'boolean', default: false },
  },
})
const kinds = [...choices, ...panels, ...fields, ...programs].filter(({ name }) => name.includes(values.task))
const seeds = Array.from({ length: positive('--seeds', values.seeds) }, (_, at) => at + 1)

type Outcome = { name: string; seed: number; calls: number; tokens: number; fault?: string }

async function play(player: Player, agent: Agent): Promise<Outcome[]> {
  const site = await startTaskSite()
  const running = startServer(player.server)
  const outcomes: Outcome[] = []
  try {
    await initialize(running.client)
    const all = seeds.flatMap((seed) =>
      kinds.map(({ name, make }, at) => ({ name, seed, task: make(createRandom(seed * 1000 + at)) })),
    )
    for (const { name, seed, task } of all) {
      const hand = createHand(running.client, task.ask, (tool, text) => {
        if (values.answers) console.log(`\n── ${name} ${tool}\n${text}`)
      })
      const fault = await faultOf(agent(hand, site.show(task), task.steps), site)
      if (fault !== undefined) console.log(`${player.name}, ${name} ${seed}: ${fault.slice(0, 300)}`)
      outcomes.push({ name, seed, ...hand.spent(), ...(fault !== undefined && { fault }) })
    }
    return outcomes
  } finally {
    await running.end()
    site.close()
  }
}

/** Why a task is not solved: an act failed, or the page judged the result wrong. */
async function faultOf(acting: Promise<void>, site: TaskSite): Promise<string | undefined> {
  try {
    await acting
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const isRight = await site.judged()
  return isRight ? undefined : isRight === false ? 'judged wrong' : 'not ended'
}

const isSolved = ({ fault }: Outcome) => fault === undefined
const sumOf = (outcomes: readonly Outcome[], of: (each: Outcome) => number) =>
  outcomes.reduce((sum, each) => sum + of(each), 0)

function rowOf(name: string, outcomes: readonly Outcome[]): string[] {
  const whole = [...Map.groupBy(outcomes, (each) => each.name).values()].filter((all) => all.every(isSolved))
  const solved = `${outcomes.filter(isSolved).length} of ${outcomes.length}`
  const spent = [sumOf(outcomes, ({ calls }) => calls), sumOf(outcomes, ({ tokens }) => tokens)]
  return [name, `${whole.length} of ${kinds.length}`, solved, ...spent.map(String)]
}

async function main(): Promise<void> {
  const found = await findBrowser(
    'full',
    { browserPath: process.env['GOSSAMER_BROWSER_PATH'] },
    machineProbes('/nonexistent'),
  )
  if (found.from === 'remote') throw new Error('This benchmark starts a browser of this machine')
  const [ours, peer] = await withWorkDir(async (dir) => {
    const both = players(userPath(values.server), dir, found.path)
    return Promise.all([play(both.ours, createOurs()), play(both.peer, peerAgent)])
  })
  console.log(
    table(
      ['contestant', 'kinds solved with all seeds', 'tasks', 'calls', 'tokens'],
      [rowOf('gossamer', ours), rowOf('@playwright/mcp', peer)],
    ),
  )
  const unsolved = ours.filter((each) => !isSolved(each)).length
  const targets = [{ what: 'not solved', limit: Math.floor(ours.length * 0.046), measured: unsolved, unit: 'tasks' }]
  console.log(describeTargets(targets))
  await writeJson(values.json, { ours, peer, targets })
  process.exitCode = exitCode(targets, values.check)
}

await main()
