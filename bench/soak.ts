/**
 * Runs all kinds of work for half an hour on hostile pages, while browsers and converters are killed: see README.md.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ourServer } from './lib/contestants.ts'
import { commonFlags, positive, userPath, writeJson } from './lib/flags.ts'
import { onLines } from './lib/lines.ts'
import { addressOf } from './lib/serve.ts'
import { startSite } from './lib/start-site.ts'
import { describeTargets, exitCode } from './lib/targets.ts'
import { withWorkDir } from './lib/work-dir.ts'
import { createClient } from './soak/client.ts'
import { createDice } from './soak/dice.ts'
import { makeFiles } from './soak/files.ts'
import { startHealth } from './soak/health.ts'
import { startKilling } from './soak/killer.ts'
import { createTally, runLoad, warmUp } from './soak/load.ts'
import { describe, type Measured, targetsOf } from './soak/report.ts'
import { sampleOf, startSampling, within } from './soak/samples.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...commonFlags,
    callers: { type: 'string', default: '8' },
    'kill-every': { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
})
const minuteMs = 60_000
const durationMs = positive('The length in minutes', positionals[0] ?? '30') * minuteMs
const callers = positive('--callers', values.callers)
const killEveryMs = positive('--kill-every', values['kill-every']) * 1000
const seed = positive('--seed', values.seed)
/** Longer than the idle time of converters and connections. */
const restMs = 70_000
const keys = ['red', 'green', 'blue'] as const

async function startProgram(workDir: string, origin: string) {
  const { file, env, cwd } = ourServer(userPath(values.server), workDir, {
    GOSSAMER_ALLOW_HOSTS: new URL(origin).host,
    GOSSAMER_API_KEYS: keys.map((team) => `${team}:key-of-${team}`).join(','),
    GOSSAMER_SEARXNG_URL: `${origin}/soak`,
    GOSSAMER_SEARCH_PROVIDERS: 'searxng',
    GOSSAMER_MAX_SESSIONS: '4',
    GOSSAMER_UNSANDBOXED_CODE: 'always',
  })
  const child = spawn(process.execPath, [file, 'serve', '--port', '0'], {
    env,
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  // Errors that the program logs, and messages of Node when it crashes.
  onLines(child.stderr, (line) => void (/^[^{]|"level":"error"/.test(line) && console.error(line)))
  return {
    pid: child.pid ?? 0,
    url: await addressOf(child),
    /** Fails if the program ends by itself, as then nothing is left to measure. */
    ended: exited.then(([code, signal]) => {
      throw new Error(`The server ended: ${String(signal ?? code)}`)
    }),
    async end() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function soak(workDir: string, origin: string): Promise<Measured> {
  const server = await startProgram(workDir, origin)
  try {
    return await Promise.race([measure(server, origin), server.ended])
  } finally {
    await server.end()
  }
}

async function measure(server: { pid: number; url: string }, origin: string): Promise<Measured> {
  const [first, ...others] = keys.map((team) => createClient(server.url, `key-of-${team}`))
  if (!first) throw new Error('There is no team')
  const teams = [first, ...others] as const
  const dice = createDice(seed)
  const world = { origin, files: await makeFiles(), dice }
  /** Samples at rest, each time after every task has run once, so that the same parts are loaded. */
  const rest = async () => {
    await warmUp(teams, world)
    await sleep(restMs)
    return sampleOf(server.pid)
  }
  const restBefore = await rest()

  const tally = createTally()
  const [sampling, health, killing] = [
    startSampling(server.pid, durationMs),
    startHealth(server.url),
    startKilling(server.pid, dice, killEveryMs),
  ]
  await runLoad(teams, world, callers, Date.now() + durationMs, tally)
  sampling.stop()
  killing.stop()
  const asked = await health.stop()
  const restAfter = await rest()

  const [tenthAt, spanMs] = [durationMs / 3, durationMs / 10]
  return {
    restBefore,
    tenth: within(sampling.samples, tenthAt - spanMs, tenthAt + spanMs),
    last: within(sampling.samples, durationMs - 2 * spanMs, durationMs),
    restAfter,
    health: asked,
    tally,
    killed: killing.killed,
  }
}

if (process.platform !== 'linux') throw new Error('This benchmark reads /proc, so it runs on Linux only')
console.log(`Node ${process.version}, ${durationMs / minuteMs} minutes, ${callers} callers of 3 teams, seed ${seed}\n`)
const site = await startSite(join(import.meta.dirname, 'soak', 'site.ts'))
const measured = await withWorkDir((dir) => soak(dir, site.origin)).finally(() => site.end())
const targets = targetsOf(measured)
console.log(`${describe(measured)}\n\n${describeTargets(targets)}`)
const { tally, killed, ...figures } = measured
await writeJson(values.json, {
  ...figures,
  killed: Object.fromEntries(killed),
  ended: Object.fromEntries([...tally.counts].map(([task, counts]) => [task, Object.fromEntries(counts)])),
  untyped: tally.untyped,
})
process.exitCode = exitCode(targets, values.check)
