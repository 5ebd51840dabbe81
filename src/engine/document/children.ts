import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError, failure } from '../../core/error.ts'
import type { DocumentKind } from '../../core/ports.ts'
import { threadUrl } from '../../core/thread-url.ts'
import { createTurns } from '../../core/turns.ts'
import type { Converted, Source } from './converter.ts'

export type ConvertTask = { kind: DocumentKind; source: Source }
export type ConvertAnswer =
  | { converted: Converted; error?: undefined }
  | { converted?: undefined; error: ConstructorParameters<typeof AppError>[1] & { code: string } }

export type ChildLimits = {
  /** Files converted at once; further ones wait. */
  maxChildren?: number
  /** Memory of one child in all, MB. */
  maxMemoryMb?: number
  /** How long a child waits for the next file before it ends, ms. */
  idleMs?: number
  /** The program a child runs. */
  program?: URL
}

export type Children = {
  /** Fails as the converter does; with the signal's reason when it aborts; SCRAPE_UNSUPPORTED_FILE_ERROR when the child dies of the file. */
  convert(task: ConvertTask, signal: AbortSignal): Promise<Converted>
  close(): void
}

/** Processes that convert files. A file can take all memory and time of its process, and nothing else. */
export function createChildren(limits: ChildLimits = {}): Children {
  const { maxChildren = 2, maxMemoryMb = 768, idleMs = 15_000 } = limits
  const program = fileURLToPath(limits.program ?? threadUrl('convert-child', import.meta.url))
  const turns = createTurns(maxChildren)
  const all = new Set<ChildProcess>()
  const idle = new Map<ChildProcess, NodeJS.Timeout>()

  function start(): ChildProcess {
    const child = fork(program, [String(maxMemoryMb)], {
      env: childEnvironment(),
      execArgv: [`--max-old-space-size=${maxMemoryMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    all.add(child)
    child.once('exit', () => forget(child))
    return child
  }

  function forget(child: ChildProcess): void {
    all.delete(child)
    clearTimeout(idle.get(child))
    idle.delete(child)
  }

  function taken(): ChildProcess {
    const [known] = idle.keys()
    if (!known) return start()
    clearTimeout(idle.get(known))
    idle.delete(known)
    known.ref()
    known.channel?.ref()
    return known
  }

  /** An idle child keeps nobody alive: neither the program nor, after a while, itself. */
  function rest(child: ChildProcess): void {
    if (!child.connected) return
    child.unref()
    child.channel?.unref()
    idle.set(child, setTimeout(() => child.kill('SIGKILL'), idleMs).unref())
  }

  return {
    async convert(task, signal) {
      await turns.take(signal)
      const child = taken()
      try {
        const converted = await ask(child, task, signal)
        rest(child)
        return converted
      } catch (thrown) {
        if (thrown instanceof AppError && child.connected && !signal.aborted) rest(child)
        else child.kill('SIGKILL')
        throw thrown
      } finally {
        turns.release()
      }
    },
    close: () => all.forEach((child) => child.kill('SIGKILL')),
  }
}

async function ask(child: ChildProcess, task: ConvertTask, signal: AbortSignal): Promise<Converted> {
  const { promise, resolve, reject } = Promise.withResolvers<Converted>()
  const leave = () => reject(signal.reason as Error)
  const told = ({ converted, error }: ConvertAnswer) =>
    converted ? resolve(converted) : reject(new AppError(error.code, error))
  const ended = () => reject(diedOf(task.kind))
  const failed = (cause: Error) => reject(cause)
  signal.addEventListener('abort', leave, { once: true })
  child.on('message', told).on('exit', ended).on('error', failed)
  child.send(task, (fault) => fault && reject(fault))
  try {
    signal.throwIfAborted()
    return await promise
  } finally {
    signal.removeEventListener('abort', leave)
    child.off('message', told).off('exit', ended).off('error', failed)
  }
}

const diedOf = (kind: DocumentKind) =>
  failure('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The ${kind} file is too large to be read: it needs more memory than a file may take.`,
    hint: 'Use a smaller file; for a PDF, set maxPages of the pdf parser.',
  })

/** Converters need no settings; a path is there to find `tesseract` and the like. */
function childEnvironment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env
  const wanted = Object.entries({ PATH, SystemRoot, TMPDIR, TEMP }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(wanted)
}
