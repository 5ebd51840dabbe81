/** Compares our crawls of a site with those of peers: see README.md. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { peerOf, peers } from './crawl/contestants.ts'
import type { Lane } from './crawl/lane.ts'
import { measureMemory, memoryTable, memoryTargets } from './crawl/memory.ts'
import { openOurs, ourIds } from './crawl/ours-lane.ts'
import { openPeer } from './crawl/peer-lane.ts'
import { measureSpeed, speedTable, speedTargets } from './crawl/speed.ts'
import { commonFlags, positive, userPath, writeJson } from './lib/flags.ts'
import { startSite } from './lib/start-site.ts'
import { describeTargets, exitCode, type Target } from './lib/targets.ts'
import { withWorkDir } from './lib/work-dir.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...commonFlags,
    only: { type: 'string' },
    pages: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '16' },
  },
})

type Part = { text: string; targets: readonly Target[]; figures: unknown }

const file = userPath(values.server)
const concurrency = positive('--concurrency', values.concurrency)
const pagesOr = (usual: number) => (values.pages === undefined ? usual : positive('--pages', values.pages))

async function speed(workDir: string): Promise<Part> {
  const pages = pagesOr(2000)
  const rounds = positive('--rounds', values.rounds)
  const ids = values.only?.split(',').map((id) => id.trim()) ?? ['raw', ...ourIds, ...peers.map(({ id }) => id)]
  const { lanes, notes } = await openLanes([...new Set(ids)], workDir)
  const site = await startSite(join(import.meta.dirname, 'crawl', 'site.ts'), [String(pages)])
  try {
    const rows = await measureSpeed(lanes, { origin: site.origin, pages, concurrency }, rounds)
    const faults = rows.flatMap(({ contestant, faults: all }) =>
      all.slice(0, 3).map((fault) => `${contestant.name}: ${fault}`),
    )
    return { text: [speedTable(rows), ...notes, ...faults].join('\n'), targets: speedTargets(rows), figures: rows }
  } finally {
    for (const lane of lanes) await lane.end()
    await site.end()
  }
}

/** Leaves out peers that cannot be loaded on this machine, with a message. */
async function openLanes(ids: readonly string[], workDir: string): Promise<{ lanes: Lane[]; notes: string[] }> {
  const lanes: Lane[] = []
  const notes: string[] = []
  for (const id of ids) {
    if (ourIds.includes(id)) lanes.push(await openOurs(id, file, workDir))
    else {
      const peer = peerOf(id)
      const lane = await openPeer(peer).catch(
        (cause: Error) => void notes.push(`${peer.name} left out: ${cause.message}`),
      )
      if (lane) lanes.push(lane)
    }
  }
  return { lanes, notes }
}

async function memory(workDir: string): Promise<Part> {
  const rows = await measureMemory({ file, workDir, pages: pagesOr(20_000), concurrency })
  return { text: memoryTable(rows), targets: memoryTargets(rows), figures: rows }
}

const parts: Readonly<Record<string, typeof speed>> = { speed, memory }

async function main(): Promise<void> {
  const wanted = positionals.length > 0 ? positionals : Object.keys(parts)
  const unknown = wanted.find((name) => !(name in parts))
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}; there are ${Object.keys(parts).join(', ')}`)
  console.log(`Node ${process.version}, ${concurrency} pages at once\n`)
  const done: Record<string, Part> = {}
  for (const name of wanted) {
    const part = await withWorkDir((dir) => parts[name]?.(dir) ?? Promise.reject(new Error(name)))
    done[name] = part
    console.log(`${name}\n\n${part.text}\n\n${describeTargets(part.targets)}\n`)
  }
  const figures = Object.fromEntries(Object.entries(done).map(([name, part]) => [name, part.figures]))
  await writeJson(values.json, { node: process.version, concurrency, ...figures })
  process.exitCode = exitCode(
    Object.values(done).flatMap((part) => [...part.targets]),
    values.check,
  )
}

if (process.platform !== 'linux') throw new Error('This benchmark reads /proc, so it runs on Linux only')
await main()
