import { readdirSync, readFileSync } from 'node:fs'

/** A process as described in /proc (proc_pid_stat(5)). */
export type Process = { pid: number; parent: number; startTime: string; cpuMs: number }

/** Linux counts CPU time for user space in hundredths of a second on every architecture. */
const tickMs = 10

/** A process and all its descendants; empty if it has exited. */
export function treeOf(rootPid: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)))
  const children = Map.groupBy(all, ({ parent }) => parent)
  const withDescendants = (process: Process): Process[] => [
    process,
    ...(children.get(process.pid) ?? []).flatMap(withDescendants),
  ]
  return all.filter(({ pid }) => pid === rootPid).flatMap(withDescendants)
}

/** CPU time so far of all processes, and of their children that have ended and been waited for. */
export const cpuMsOf = (tree: readonly Process[]): number => tree.reduce((sum, { cpuMs }) => sum + cpuMs, 0)

/** Resident memory in MB (10^6 bytes); shared memory counts for each process. */
export const rssMbOf = (tree: readonly Process[]): number =>
  tree.reduce((sum, { pid }) => sum + residentKb(pid), 0) * 1.024e-3

/** Processes that still run, except those that reuse the number of an ended one. */
export const aliveAmong = (tree: readonly Process[]): Process[] =>
  tree.filter(({ pid, startTime }) => readProcess(pid).some((now) => now.startTime === startTime))

function readProcess(pid: number): Process[] {
  const stat = readIfThere(`/proc/${pid}/stat`)
  // The program name is in parentheses and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent] = fields
  if (stat === '' || state === 'Z') return []
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return [{ pid, parent: Number(parent), startTime: fields[19] ?? '', cpuMs: ticks * tickMs }]
}

const residentKb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readIfThere(`/proc/${pid}/status`))?.[1] ?? 0)

/** A process may end between being listed and being read. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
