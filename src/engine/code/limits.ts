import { readFileSync } from 'node:fs'

export type CodeLimits = {
  /** Memory of all its processes, bytes. */
  maxMemoryBytes: number
  maxProcesses: number
  /** Of stdout and stderr each; the rest is cut. */
  maxOutputBytes: number
  /** One message between the code and the browser. */
  maxMessageBytes: number
}

export const defaultLimits: CodeLimits = {
  maxMemoryBytes: 768 * 1024 * 1024,
  maxProcesses: 64,
  maxOutputBytes: 1024 * 1024,
  maxMessageBytes: 128 * 1024 * 1024,
}

const lookEveryMs = 100

const pageBytes = 4096

export type Excess = 'memory' | 'processes'

/**
 * Polls a process tree until stopped, and reports when it exceeds its limits. Without cgroups nothing else limits memory
 * outside the JavaScript heap, or the number of processes of root. Linux only.
 */
export function watchTree(
  pid: number,
  { maxMemoryBytes, maxProcesses }: Pick<CodeLimits, 'maxMemoryBytes' | 'maxProcesses'>,
  exceeded: (what: Excess) => void,
): () => void {
  if (process.platform !== 'linux') return () => {}
  const timer = setInterval(() => {
    const all = treeOf(pid, maxProcesses)
    if (all.length > maxProcesses) exceeded('processes')
    else if (all.reduce((sum, each) => sum + memoryOf(each), 0) > maxMemoryBytes) exceeded('memory')
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}

/** Stops as soon as there are too many. */
function treeOf(pid: number, max: number): number[] {
  const found = [pid]
  for (let at = 0; at < found.length && found.length <= max; at++) found.push(...childrenOf(found[at]!))
  return found
}

const childrenOf = (pid: number) => read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

const memoryOf = (pid: number) => Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * pageBytes

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
