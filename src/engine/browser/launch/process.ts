import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createPipe } from '../cdp/pipe.ts'
import type { Wire } from '../cdp/shapes.ts'
import type { StartEnd } from './failure.ts'

export type BrowserProcess = {
  pid: number | undefined
  wire: Wire
  /** Resolves when the process has ended, or could not be started. Never rejects. */
  ended: Promise<Exclude<StartEnd, { afterMs: number }>>
  /** The last of what it wrote to stderr. */
  stderr(): string
  /** Ends it and all that it has started, at once. */
  kill(): void
  /** Resolves when all of it has gone; not later than after half a second, because nobody may collect the dead. */
  gone(): Promise<void>
}

const goneMs = 500
const lookAgainMs = 10
const stderrMax = 8192

/** Starts a browser that is driven over file descriptors 3 and 4: no port is open, and it ends when this process does. */
export function startProcess(path: string, args: readonly string[], env: Record<string, string>, cwd: string) {
  const child = spawn(path, args, {
    env,
    cwd,
    // A group of its own, so that its end takes wrappers, renderers and helpers along.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const started: BrowserProcess = {
    pid: child.pid,
    wire: createPipe(child.stdio[3] as Writable, child.stdio[4] as Readable),
    ended: endOf(child),
    stderr: tailOf(child.stderr as Readable),
    kill: () => killAll(child),
    gone: () => goneOf(child),
  }
  return started
}

const endOf = (child: ChildProcess) =>
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

/** The group outlives its first process: a killed wrapper leaves the browser behind. */
function killAll({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {})
    return
  }
  signalGroup(pid, 'SIGKILL')
}

async function goneOf({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined || process.platform === 'win32') return
  const until = performance.now() + goneMs
  while (signalGroup(pid, 0) === 'sent' && performance.now() < until) await pause(lookAgainMs)
}

function signalGroup(pid: number, signal: 'SIGKILL' | 0): 'sent' | 'nobody there' {
  try {
    process.kill(-pid, signal)
    return 'sent'
  } catch {
    return 'nobody there'
  }
}
