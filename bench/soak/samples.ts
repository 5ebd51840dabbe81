import { readdirSync, readlinkSync } from 'node:fs'
import { rssMbOf, treeOf } from '../lib/process-tree.ts'
import { median } from '../lib/statistics.ts'

/** Resources of a program and its descendants at one moment. */
export type Sample = { atMs: number; figures: Figures }
export type Figures = Readonly<Record<keyof typeof labels, number>>

export const labels = {
  rssMb: 'RSS of all processes, MB',
  serverMb: 'of the server alone, MB',
  files: 'open files of all processes',
  serverFiles: 'of the server alone',
  sockets: 'sockets of all processes',
  serverSockets: 'of the server alone',
  processes: 'processes',
}

const everyMs = 10_000
/** The number for half an hour, so that shorter runs have samples in each span. */
const fewest = 180

export function sampleOf(pid: number): Figures {
  const tree = treeOf(pid)
  const server = tree.filter((each) => each.pid === pid)
  const open = tree.flatMap((each) => openFilesOf(each.pid))
  const ofServer = openFilesOf(pid)
  return {
    rssMb: rssMbOf(tree),
    serverMb: rssMbOf(server),
    files: open.length,
    serverFiles: ofServer.length,
    sockets: socketsIn(open),
    serverSockets: socketsIn(ofServer),
    processes: tree.length,
  }
}

const socketsIn = (open: readonly string[]) => open.filter((target) => target.startsWith('socket:')).length

/** Targets of the file descriptors of a process, which may end meanwhile. */
function openFilesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return entriesOf(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)]
    } catch {
      return []
    }
  })
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Samples until stopped, at least every ten seconds. */
export function startSampling(pid: number, durationMs: number): { samples: readonly Sample[]; stop(): void } {
  const samples: Sample[] = []
  const startedAt = Date.now()
  const take = () => void samples.push({ atMs: Date.now() - startedAt, figures: sampleOf(pid) })
  const timer = setInterval(take, Math.min(everyMs, durationMs / fewest))
  return { samples, stop: () => clearInterval(timer) }
}

/** The medians of all samples in a span, since the number of open browsers varies. */
export function within(samples: readonly Sample[], fromMs: number, toMs: number): Figures {
  const some = samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  const of = (name: keyof Figures) => (some.length > 0 ? median(some.map(({ figures }) => figures[name])) : Number.NaN)
  return {
    rssMb: of('rssMb'),
    serverMb: of('serverMb'),
    files: of('files'),
    serverFiles: of('serverFiles'),
    sockets: of('sockets'),
    serverSockets: of('serverSockets'),
    processes: of('processes'),
  }
}
