/** Measures reading in threads: speed with one and two, and the cost of the hardest pages. See README.md. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { commonFlags, positive, writeJson } from './lib/flags.ts'
import { median } from './lib/statistics.ts'
import { table } from './lib/table.ts'
import { describeTargets, exitCode, type Target } from './lib/targets.ts'
import { hardPages } from './read/pages.ts'
import { idleDelayMs, measureScaling, type Scaling } from './read/scaling.ts'

type Cost = { name: string; mb: number; cpuMs: number; peakMb: number; outcome: string }

const run = promisify(execFile)
const limitMs = 120_000

async function costOf(name: string): Promise<Cost> {
  const file = join(import.meta.dirname, 'read', 'one.ts')
  const { stdout } = await run(process.execPath, [file, name], { timeout: limitMs })
  return { name, ...(JSON.parse(stdout) as Omit<Cost, 'name'>) }
}

const fastest = ({ wallMs }: Scaling) => Math.min(...wallMs)

function targetsOf(costs: readonly Cost[]): Target[] {
  return costs.flatMap(({ name, cpuMs, peakMb }) => [
    { what: `CPU, ${name}`, limit: 2000, measured: cpuMs, unit: 'ms' },
    { what: `memory, ${name}`, limit: 300, measured: peakMb, unit: 'MB' },
  ])
}

function scalingTable(rows: readonly Scaling[]): string {
  const [one] = rows
  const head = ['threads', 'wall ms', 'min', 'CPU ms', 'speed', 'longest delay ms']
  return table(
    head,
    rows.map((row) => [
      String(row.threads),
      median(row.wallMs).toFixed(0),
      fastest(row).toFixed(0),
      median(row.cpuMs).toFixed(0),
      `${(one ? fastest(one) / fastest(row) : Number.NaN).toFixed(2)}×`,
      row.delayMs.toFixed(0),
    ]),
  )
}

function costTable(costs: readonly Cost[]): string {
  const cells = ({ name, mb, cpuMs, peakMb, outcome }: Cost) => [
    name,
    mb.toFixed(1),
    cpuMs.toFixed(0),
    peakMb.toFixed(0),
    outcome,
  ]
  return table(['page', 'MB', 'CPU ms', 'memory MB', 'read'], costs.map(cells))
}

async function main(): Promise<void> {
  const { json, check } = commonFlags
  const { values } = parseArgs({ options: { json, check, rounds: { type: 'string', default: '7' } } })
  const scaling = await measureScaling(positive('--rounds', values.rounds))
  const idle = await idleDelayMs()
  const costs: Cost[] = []
  for (const name of Object.keys(hardPages)) costs.push(await costOf(name))
  const targets = targetsOf(costs)
  console.log(
    `Node ${process.version}\n\n${scalingTable(scaling)}\n\nDelay with nothing to do: ${idle.toFixed(0)} ms.\n`,
  )
  console.log(`${costTable(costs)}\n\n${describeTargets(targets.filter((target) => target.measured > target.limit))}`)
  await writeJson(values.json, { node: process.version, scaling, idleDelayMs: idle, costs })
  process.exitCode = exitCode(targets, values.check)
}

await main()
