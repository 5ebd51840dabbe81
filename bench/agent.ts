/** Tasks on the web, by our tools and by those of @playwright/mcp: see README.md. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Player, players } from './agent/contestants.ts'
import { play } from './agent/play.ts'
import { acrossTargets, faultsIn, type Match, tableOf, targetsOf } from './agent/report.ts'
import { tasks as allTasks } from './agent/tasks.ts'
import { findBrowser } from '../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../src/engine/browser/find/machine-probes.ts'
import { commonFlags, userPath, writeJson } from './lib/flags.ts'
import { type Site, startSite } from './lib/start-site.ts'
import { describeTargets, exitCode } from './lib/targets.ts'
import { withWorkDir } from './lib/work-dir.ts'

const { values } = parseArgs({
  options: {
    ...commonFlags,
    task: { type: 'string' },
    answers: { type: 'boolean', default: false },
  },
})
const tasks = allTasks.filter(({ name }) => name.includes(values.task ?? ''))
const print = (text: string) => {
  if (values.answers) console.log(text)
}

async function matches({ ours, peer }: Readonly<Record<'ours' | 'peer', Player>>, site: Site): Promise<Match[]> {
  const played: Match[] = []
  for (const style of ['tools', 'code'] as const)
    played.push({
      style,
      ours: await play(ours, style, tasks, site, print),
      peer: await play(peer, style, tasks, site, print),
    })
  return played
}

/** Both contestants use the browser that our program would choose. */
async function browserPath(): Promise<string> {
  const named = process.env['GOSSAMER_BROWSER_PATH']
  const found = await findBrowser('full', { browserPath: named }, machineProbes('/nonexistent'))
  if (found.from === 'remote') throw new Error('This benchmark starts a browser of this machine')
  return found.path
}

async function main(): Promise<void> {
  const site = await startSite(join(import.meta.dirname, 'agent', 'site.ts'))
  try {
    const browser = await browserPath()
    const all = await withWorkDir((dir) => matches(players(userPath(values.server), dir, browser), site))
    const targets = [...all.flatMap(targetsOf), ...acrossTargets(all)]
    console.log(`Node ${process.version}, @playwright/mcp ${all[0]?.peer.version}, ${browser}\n`)
    console.log(
      [...all.map(tableOf), all.flatMap(faultsIn).join('\n'), describeTargets(targets)].filter(Boolean).join('\n\n'),
    )
    await writeJson(values.json, { node: process.version, matches: all, targets })
    process.exitCode = exitCode(targets, values.check)
  } finally {
    await site.end()
  }
}

await main()
