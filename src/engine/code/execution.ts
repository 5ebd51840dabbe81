import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Duplex, Readable } from 'node:stream'
import { killGroup, untilGroupGone } from '../browser/launch/process-group.ts'
import { type Command, startCommand } from './sandbox/run-in-sandbox.ts'

export type CodeLimits = {
  /** Total memory of all processes of the code, in bytes. */
  maxMemoryBytes: number
  maxProcesses: number
  /** Limit for each of stdout and stderr, in bytes; the rest is cut. */
  maxOutputBytes: number
  /** Size limit of one message between code and browser, in bytes. */
  maxMessageBytes: number
}

export const defaultLimits: CodeLimits = {
  maxMemoryBytes: 768 * 1024 * 1024,
  maxProcesses: 64,
  maxOutputBytes: 1024 * 1024,
  maxMessageBytes: 128 * 1024 * 1024,
}

export type ProcessEnd = { code: number | null; signal: NodeJS.Signals | null; error?: string }

export type Execution = ReturnType<typeof startExecution>

/** Time limit in ms for the process group to disappear, which zombies could delay forever. */
const goneMs = 100
/** Time limit in ms to read the output after the exit, because other processes may keep its descriptors open. */
const lastOutputMs = 2000

/** Starts a process that will receive code. */
export function startExecution(command: Command, limits: CodeLimits) {
  const child = startCommand(command)
  const kill = () => killGroup(child.pid)
  let isOver = false
  let stopWatch: (() => void) | undefined
  const ended = endOf(child, kill).then((end) => {
    isOver = true
    stopWatch?.()
    return end
  })
  return {
    socket: child.stdio[3] as Duplex,
    stdout: collect(child.stdout as Readable, limits.maxOutputBytes),
    stderr: collect(child.stderr as Readable, limits.maxOutputBytes),
    /**
     * Resolves after its exit, when its output has been read and its process group is gone, or soon after. Never
     * rejects.
     */
    ended,
    hasEnded: () => isOver || child.exitCode !== null || child.signalCode !== null,
    /** Enforces the limits from now on. */
    watch(exceeded: (what: Excess) => void) {
      if (child.pid !== undefined) stopWatch = watchTree(child.pid, limits, exceeded)
    },
    kill,
  }
}

async function endOf(child: ChildProcess, kill: () => void): Promise<ProcessEnd> {
  const end = await new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      // Child processes may keep the output open.
      kill()
      const hangUp = setTimeout(() => child.stdio.forEach((stream) => stream?.destroy()), lastOutputMs)
      child.once('close', () => {
        clearTimeout(hangUp)
        resolve({ code, signal })
      })
    })
    child.once('error', (cause: NodeJS.ErrnoException) =>
      resolve({ code: null, signal: null, error: cause.code ?? cause.message }),
    )
  })
  await untilGroupGone(child.pid, goneMs)
  return end
}

/** Collects up to `maxBytes` of a stream; the rest is read and dropped, so the writer does not block. */
function collect(stream: Readable, maxBytes: number): () => string {
  const parts: Buffer[] = []
  let size = 0
  let dropped = 0
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, maxBytes - size)
    if (part.length > 0) parts.push(part)
    size += part.length
    dropped += chunk.length - part.length
  })
  return () => {
    const text = new TextDecoder().decode(Buffer.concat(parts))
    return dropped > 0 ? `${text}\n[cut: ${dropped} more bytes]` : text
  }
}

const pollMs = 100

const pageBytes = 4096

export type Excess = 'memory' | 'processes'

/**
 * Polls a process tree until stopped, and reports if it exceeds its limits. Without cgroups nothing else limits memory
 * outside the JavaScript heap, nor the number of processes of root. Linux only.
 */
function watchTree(
  pid: number,
  { maxMemoryBytes, maxProcesses }: Pick<CodeLimits, 'maxMemoryBytes' | 'maxProcesses'>,
  exceeded: (what: Excess) => void,
): () => void {
  if (process.platform !== 'linux') return () => {}
  const timer = setInterval(() => {
    const all = treeOf(pid, maxProcesses)
    if (all.length > maxProcesses) exceeded('processes')
    else if (all.reduce((sum, each) => sum + memoryOf(each), 0) > maxMemoryBytes) exceeded('memory')
  }, pollMs).unref()
  return () => clearInterval(timer)
}

/** Returns the processes of a tree; stops as soon as there are more than `max`. */
function treeOf(pid: number, max: number): number[] {
  const pids = [pid]
  for (let at = 0; at < pids.length && pids.length <= max; at++) pids.push(...childrenOf(pids[at]!))
  return pids
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
