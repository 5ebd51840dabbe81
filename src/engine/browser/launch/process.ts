import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createPipe } from '../cdp/pipe.ts'
import type { Wire } from '../cdp/wire.ts'
import type { StartOutcome } from './start-error.ts'

export type BrowserProcess = {
  pid: number | undefined
  wire: Wire
  /** Resolves when the process has exited, or could not be started. Never rejects. */
  ended: Promise<Exclude<StartOutcome, { afterMs: number }>>
  /** The end of its stderr. */
  stderr(): string
  /** Kills it and all its child processes at once. */
  kill(): void
  /** Resolves when all its processes are gone, or after half a second, because zombies may never be reaped. */
  gone(): Promise<void>
}

const goneMs = 500
const pollMs = 10
const stderrMax = 8192

/** Starts a browser that speaks CDP over file descriptors 3 and 4: no port is open, and it exits with this process. */
export function startProcess(path: string, args: readonly string[], env: Record<string, string>, cwd: string) {
  const child = spawn(path, args, {
    env,
    cwd,
    // Its own process group, so that wrappers, renderers and helper processes are killed with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const started: BrowserProcess = {
    pid: child.pid,
    wire: createPipe(child.stdio[3] as Writable, child.stdio[4] as Readable),
    ended: outcomeOf(child),
    stderr: tailOf(child.stderr as Readable),
    kill: () => killAll(child),
    gone: () => waitUntilGone(child),
  }
  return started
}

const outcomeOf = (child: ChildProcess) =>
  new Promise<Awaited<BrowserProcess['ended']>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', (cause: NodeJS.ErrnoException) => resolve({ error: cause.code ?? cause.message }))
  })

function tailOf(stream: Readable): () => string {
  let tail = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-stderrMax)
  })
  stream.on('error', () => {})
  return () => tail
}

/** Kills the whole group: killing only a wrapper script would leave the browser behind. */
function killAll({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {})
    return
  }
  signalGroup(pid, 'SIGKILL')
}

async function waitUntilGone({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined || process.platform === 'win32') return
  const until = performance.now() + goneMs
  while (signalGroup(pid, 0) === 'sent' && performance.now() < until) await pause(pollMs)
}

function signalGroup(pid: number, signal: 'SIGKILL' | 0): 'sent' | 'nobody there' {
  try {
    process.kill(-pid, signal)
    return 'sent'
  } catch {
    return 'nobody there'
  }
}
