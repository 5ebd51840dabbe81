/** Measures the memory of the server and its child processes before, during and after demanding work: see README.md. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ourServer } from './lib/contestants.ts'
import { commonFlags, positive, userPath, writeJson } from './lib/flags.ts'
import { rssMbOf, treeOf } from './lib/process-tree.ts'
import { addressOf } from './lib/serve.ts'
import { table } from './lib/table.ts'
import { describeTargets, exitCode } from './lib/targets.ts'
import { withWorkDir } from './lib/work-dir.ts'
import { type Case, openWorld } from './memory/cases.ts'

const { values } = parseArgs({
  options: { ...commonFlags, rest: { type: 'string', default: '60' }, only: { type: 'string' } },
})
const restMs = positive('--rest', values.rest) * 1000
/** Longer than the idle time of converters and of the thread for bodies. */
const settleMs = 20_000
const everyMs = 50
const maxKeptMb = 60

type Measured = {
  name: string
  beforeMb: number
  peakMb: number
  afterMb: number
  serverPeakMb: number
  tookMs: number
}

/** Memory of the server alone, and with all its child processes. */
function held(pid: number): { server: number; all: number } {
  const tree = treeOf(pid)
  return { server: rssMbOf(tree.slice(0, 1)), all: rssMbOf(tree) }
}

async function measure({ name, small, large }: Case, workDir: string): Promise<Measured> {
  const { file, env, cwd } = ourServer(userPath(values.server), workDir, { GOSSAMER_ALLOW_HOSTS: '127.0.0.1' })
  const child = spawn(process.execPath, [file, 'serve', '--port', '0'], {
    env,
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  const { pid = 0 } = child
  try {
    const url = await addressOf(child)
    await small(url)
    await sleep(settleMs)
    const before = held(pid)
    let peak = before
    const sampling = setInterval(() => {
      const { server, all } = held(pid)
      peak = { server: Math.max(peak.server, server), all: Math.max(peak.all, all) }
    }, everyMs)
    const startedAt = performance.now()
    await large(url).finally(() => clearInterval(sampling))
    const tookMs = performance.now() - startedAt
    await sleep(restMs)
    return { name, beforeMb: before.all, peakMb: peak.all, afterMb: held(pid).all, serverPeakMb: peak.server, tookMs }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

const row = ({ name, beforeMb, peakMb, serverPeakMb, afterMb, tookMs }: Measured) => [
  name,
  ...[beforeMb, peakMb, serverPeakMb, afterMb].map((mb) => mb.toFixed(0)),
  (tookMs / 1000).toFixed(1),
]

if (process.platform !== 'linux') throw new Error('This benchmark reads /proc, so it runs on Linux only')
const world = await openWorld()
const all: Measured[] = []
try {
  const chosen = world.cases.filter(({ name }) => values.only === undefined || name.includes(values.only))
  for (const each of chosen) all.push(await withWorkDir((workDir) => measure(each, workDir)))
} finally {
  await world.end()
}

console.log(`Node ${process.version}, RSS in MB, ${restMs / 1000} s of rest\n`)
console.log(table(['work', 'before', 'peak', 'of the server alone', 'after', 's'], all.map(row)))
const targets = all.map(({ name, beforeMb, afterMb }) => ({
  what: `${name}: kept`,
  limit: maxKeptMb,
  measured: afterMb - beforeMb,
  unit: 'MB',
}))
console.log(`\n${describeTargets(targets)}`)
await writeJson(values.json, { restMs, all })
process.exitCode = exitCode(targets, values.check)
