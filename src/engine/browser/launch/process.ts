import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { createPipe } from '../cdp/cdp-wire.ts'
import { readdir, readFile } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import { AppError, failure } from '../../../kernel/error.ts'
import { scrubUrls } from '../../../kernel/log.ts'
import type { Connection } from '../cdp/cdp-connection.ts'
import { killGroup, untilGroupGone } from './process-group.ts'

export type BrowserProcess = ReturnType<typeof startProcess>

const goneMs = 500
const stderrMax = 8192

/** Starts a browser that uses CDP over file descriptors 3 and 4: it opens no port, and exits with this process. */
export function startProcess(path: string, args: readonly string[], env: Record<string, string>, cwd: string) {
  const child = spawn(path, args, {
    env,
    cwd,
    // A separate process group, so wrappers, renderers and helper processes are killed too.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  return {
    pid: child.pid,
    wire: createPipe(child.stdio[3] as Writable, child.stdio[4] as Readable),
    /** Resolves when the process has exited or could not be started. Never rejects. */
    ended: outcomeOf(child),
    stderr: tailOf(child.stderr as Readable),
    /** Kills the whole group: killing only a wrapper script would leave the browser behind. */
    kill: () => killGroup(child.pid),
    gone: () => untilGroupGone(child.pid, goneMs),
  }
}

const outcomeOf = (child: ChildProcess) =>
  new Promise<Exclude<StartOutcome, { afterMs: number }>>((resolve) => {
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

export type BrowserVersion = { product: string; protocolVersion: string; userAgent: string }

export type Browser = {
  readonly connection: Connection
  /** Undefined for a remote browser. */
  readonly pid: number | undefined
  /** Folder with its files on this machine; undefined for a remote browser. */
  readonly profileDir: string | undefined
  readonly version: BrowserVersion
  /** Resolves when its processes and its profile folder are gone. Never rejects. */
  readonly closed: Promise<BrowserEnd>
  /** Closes the browser, and kills it after two seconds. A remote browser is only disconnected. */
  close(): Promise<void>
  /** Kills the browser, without a clean shutdown. A remote browser is only disconnected. */
  kill(): Promise<void>
}

/** `closed` by us, or `died`, with a detail for the log. */
export type BrowserEnd = { why: 'closed' | 'died'; detail: string }

/** Outcome of a failed start: a system error, an exit code or signal, or a timeout. */
type StartOutcome = { error: string } | { code: number | null; signal: string | null } | { afterMs: number }

const maxTextLength = 400
const fatal = /\bFATAL\b/
const explanation = /error while loading|not found|not supported|cannot|failed to|No usable sandbox|already in use/i
/** Chromium starts its lines with "[process:thread:time:LEVEL:file] ". */
const logPrefix = /^\[[^\]]*\]\s*/
const libraryMissing = /error while loading shared libraries/i
const noise = /dbus|bluez|vaapi|gcm|crashpad|InitializeSandbox\(\) called/i

const sandboxRefused = /No usable sandbox|zygote_host_impl_linux|Failed to move to new namespace|SUID sandbox/i
export const isSandboxRefused = (thrown: unknown): boolean =>
  thrown instanceof AppError && sandboxRefused.test(String(thrown.cause))

/** Creates the error of a failed start; `cause` contains all of stderr. */
export function startError(end: StartOutcome, stderr: string): AppError {
  const output = summarizeStderr(stderr)
  return failure('BROWSER_UNAVAILABLE', {
    message: `The browser did not start: ${describeOutcome(end)}${output ? `; its output: ${output}` : ''}.`,
    cause: stderr,
    ...(libraryMissing.test(stderr) && {
      hint: 'Install the libraries it needs with "npx playwright-core install-deps chromium-headless-shell" or "apt-get install chromium", or set GOSSAMER_BROWSER_PATH to another browser.',
    }),
  })
}

export function describeOutcome(end: StartOutcome): string {
  if ('error' in end) return `the system says ${end.error}`
  if ('afterMs' in end) return `it did not respond within ${end.afterMs} ms`
  return end.signal ? `it was killed by ${end.signal}` : `it exited with code ${end.code}`
}

/** Returns the most informative lines of stderr as one line, without control characters and secrets. */
export function summarizeStderr(stderr: string): string {
  const lines = stripVTControlCharacters(stderr)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '' && !noise.test(line))
  const best = [fatal, explanation].map((pattern) => lines.filter((line) => pattern.test(line)).slice(0, 2))
  const chosen = best.find((matching) => matching.length > 0) ?? lines.slice(-2)
  const texts = chosen.map((line) => line.replace(logPrefix, '').replaceAll(/\p{C}/gu, '').trim())
  return scrubUrls(texts.join(' | ')).slice(0, maxTextLength).replace(/\.$/, '')
}

/** Returns the anonymous memory of a process group in MB; 0 if unknown (only Linux reports it, through /proc). */
export async function groupMemoryMb(groupId: number): Promise<number> {
  if (process.platform !== 'linux') return 0
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const sizes = await Promise.all(ids.map((id) => memberMb(id, groupId).catch(() => 0)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function memberMb(id: string, groupId: number): Promise<number> {
  // The process name may contain spaces and brackets, so the fields start after the last bracket (proc(5)).
  const stat = await readFile(`/proc/${id}/stat`, 'utf8')
  const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (Number(group) !== groupId) return 0
  const status = await readFile(`/proc/${id}/status`, 'utf8')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}
