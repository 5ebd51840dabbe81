import type { ChildProcess } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchTree, type CodeLimits, type Excess } from './limits.ts'
import type { Command } from './sandbox/sandbox.ts'
import { startCommand } from './sandbox/start.ts'

export type Ended = { code: number | null; signal: NodeJS.Signals | null; error?: string }

/** A process that waits for its code or runs it. */
export type Execution = {
  /** File descriptor 3 of the process. */
  readonly socket: Duplex
  stdout(): string
  stderr(): string
  /** Resolves when its process group has exited and all output was read. Never rejects. */
  readonly ended: Promise<Ended>
  hasEnded(): boolean
  /** Enforces its limits from now on. */
  watch(exceeded: (what: Excess) => void): void
  kill(): void
}

/** Zombies that nobody reaps seem to exist for ever. */
const goneMs = 100
/** Time to read the last output after the exit; processes that keep its descriptors open longer are not waited for. */
const lastWordsMs = 2000
const lookAgainMs = 5

export function startExecution(command: Command, limits: CodeLimits): Execution {
  const child = startCommand(command)
  const kill = () => killGroup(child)
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
    ended,
    hasEnded: () => isOver || child.exitCode !== null || child.signalCode !== null,
    watch(exceeded) {
      if (child.pid !== undefined) stopWatch = watchTree(child.pid, limits, exceeded)
    },
    kill,
  }
}

async function endOf(child: ChildProcess, kill: () => void): Promise<Ended> {
  const end = await new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => {
      // Its children may keep the output open.
      kill()
      const hangUp = setTimeout(() => child.stdio.forEach((stream) => stream?.destroy()), lastWordsMs)
      child.once('close', () => {
        clearTimeout(hangUp)
        resolve({ code, signal })
      })
    })
    child.once('error', (cause: NodeJS.ErrnoException) =>
      resolve({ code: null, signal: null, error: cause.code ?? cause.message }),
    )
  })
  const until = performance.now() + goneMs
  while (isGroupThere(child) && performance.now() < until) await sleep(lookAgainMs)
  return end
}

/** A process group outlives its first process. */
function killGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined) return
  try {
    if (process.platform !== 'win32') process.kill(-pid, 'SIGKILL')
    else if (exitCode === null) process.kill(pid, 'SIGKILL')
  } catch {
    // The whole group has exited.
  }
}

function isGroupThere({ pid }: ChildProcess): boolean {
  if (pid === undefined || process.platform === 'win32') return false
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}

/** Collects up to `maxBytes` of a stream; the rest is read and dropped, so that the writer does not block. */
function collect(stream: Readable, maxBytes: number): () => string {
  const parts: Buffer[] = []
  let held = 0
  let left = 0
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, maxBytes - held)
    if (kept.length > 0) parts.push(kept)
    held += kept.length
    left += chunk.length - kept.length
  })
  return () => {
    const text = new TextDecoder().decode(Buffer.concat(parts))
    return left > 0 ? `${text}\n[cut: ${left} more bytes]` : text
  }
}
