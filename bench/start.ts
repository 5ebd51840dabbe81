/** Compares the cold start of our MCP server over stdio with that of peers: see README.md. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { baseline, contestants, ours, type Contestant } from './lib/contestants.ts'
import { commonFlags, positive, userPath, writeJson } from './lib/flags.ts'
import { initialize, type McpClient } from './lib/mcp-client.ts'
import { cpuMsOf, rssMbOf, treeOf } from './lib/process-tree.ts'
import { startServer } from './lib/server-process.ts'
import { median } from './lib/statistics.ts'
import { table } from './lib/table.ts'
import { describeTargets, exitCode, type Target } from './lib/targets.ts'
import { withWorkDir } from './lib/work-dir.ts'

type Sample = {
  wallMs: number
  cpuMs: number
  rssMb: number
  bytes: number
  tools: number
  /** Infinity if the server outlived its client and was killed. */
  exitMs: number
}
type Row = { name: string; version: string; samples: readonly Sample[] }

/** Rounds before the counted ones, which fill disk caches and compile caches for everyone. */
const warmUpRounds = 1
const idleMs = 1000

async function measure(contestant: Contestant): Promise<Sample> {
  const startedAt = performance.now()
  const server = startServer(contestant)
  try {
    await initialize(server.client)
    const { bytes, tools } = await listTools(server.client)
    const wallMs = performance.now() - startedAt
    const cpuMs = cpuMsOf(treeOf(server.pid))
    await sleep(idleMs)
    const rssMb = rssMbOf(treeOf(server.pid))
    return { wallMs, cpuMs, rssMb, bytes, tools, exitMs: (await server.end()) ?? Infinity }
  } catch (cause) {
    await server.end()
    throw new Error(`${contestant.name} did not start`, { cause })
  }
}

async function listTools(client: McpClient): Promise<{ bytes: number; tools: number }> {
  const result = await client.call('tools/list', {})
  if (result['nextCursor'] !== undefined) throw new Error('The list of tools has several pages')
  return { bytes: Buffer.byteLength(JSON.stringify(result)), tools: (result['tools'] as unknown[]).length }
}

/** Measures round by round, each in a different order, so that a busy machine affects all alike. */
async function interleaved(all: readonly Contestant[], rounds: number): Promise<Row[]> {
  const samples = new Map<Contestant, Sample[]>(all.map((contestant) => [contestant, []]))
  for (let round = -warmUpRounds; round < rounds; round++) {
    const first = (round + warmUpRounds) % all.length
    for (const contestant of [...all.slice(first), ...all.slice(0, first)]) {
      const sample = await measure(contestant)
      if (round >= 0) samples.get(contestant)?.push(sample)
    }
  }
  return all.map((contestant) => ({
    name: contestant.name,
    version: contestant.version,
    samples: samples.get(contestant) ?? [],
  }))
}

const valuesOf = ({ samples }: Row, key: keyof Sample) => samples.map((sample) => sample[key])
const medianOf = (row: Row, key: keyof Sample) => median(valuesOf(row, key))
const minOf = (row: Row, key: keyof Sample) => Math.min(...valuesOf(row, key))

function report(rows: readonly Row[], base: Row): string {
  const head = ['server', 'wall ms', 'min', 'CPU ms', 'min', 'RSS MB', 'min', 'tools', 'list bytes', 'exit ms', 'min']
  const both = (row: Row, key: keyof Sample) => [medianOf(row, key).toFixed(0), minOf(row, key).toFixed(0)]
  const cells = rows.map((row) => [
    `${row.name} ${row.version}`,
    ...both(row, 'wallMs'),
    ...both(row, 'cpuMs'),
    ...both(row, 'rssMb'),
    medianOf(row, 'tools').toFixed(0),
    medianOf(row, 'bytes').toFixed(0),
    ...both(row, 'exitMs'),
  ])
  return `${table(head, cells)}\n\n${ratios(rows, base)}`
}

/** Medians of each server, divided by those of `base`. */
function ratios(rows: readonly Row[], base: Row): string {
  const keys = ['wallMs', 'cpuMs', 'rssMb', 'bytes'] as const
  const cells = rows.map((row) => [row.name, ...keys.map((key) => `${ratio(row, base, key).toFixed(2)}×`)])
  return table([`ratio to ${base.name}`, 'wall', 'CPU', 'RSS', 'list'], cells)
}

const ratio = (row: Row, base: Row, key: keyof Sample) => medianOf(row, key) / medianOf(base, key)

function targetsOf(row: Row, base: Row): Target[] {
  return [
    { what: `wall over ${base.name}`, limit: 0.35, measured: ratio(row, base, 'wallMs'), unit: '×' },
    { what: 'CPU', limit: 150, measured: medianOf(row, 'cpuMs'), unit: 'ms' },
    { what: 'RSS', limit: 90, measured: medianOf(row, 'rssMb'), unit: 'MB' },
    { what: 'tools/list', limit: 28, measured: medianOf(row, 'bytes') / 1000, unit: 'kB' },
  ]
}

function rowOf(rows: readonly Row[], name: string): Row {
  const row = rows.find((candidate) => candidate.name === name)
  if (!row) throw new Error(`${name} took no part`)
  return row
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { ...commonFlags, rounds: { type: 'string', default: '11' } } })
  const rounds = positive('--rounds', values.rounds)
  const rows = await withWorkDir((dir) => interleaved(contestants(userPath(values.server), dir), rounds))
  const base = rowOf(rows, baseline)
  const targets = targetsOf(rowOf(rows, ours), base)
  console.log(`Node ${process.version}, ${rounds} rounds after ${warmUpRounds} to warm up; medians and minima\n`)
  console.log(`${report(rows, base)}\n\n${describeTargets(targets)}`)
  await writeJson(values.json, { node: process.version, rounds, rows, targets })
  process.exitCode = exitCode(targets, values.check)
}

if (process.platform !== 'linux') throw new Error('This benchmark reads /proc, so it runs on Linux only')
await main()
