import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError, failure } from '../../kernel/error.ts'
import { createSemaphore } from '../../util/semaphore.ts'
import { threadUrl } from '../../util/thread-url.ts'
import type { Converted, Source } from './converter.ts'
import type { DocumentKind } from '../../contracts/page-content.ts'

export type PoolLimits = {
  /** Files converted at once; further ones wait. */
  maxChildren?: number
  /** Memory of one child in all, MB. */
  maxMemoryMb?: number
  /** How long a child waits for the next file before it ends, ms. */
  idleMs?: number
  /** The program a child runs. */
  program?: URL
}

export type ConverterPool = {
  /** Fails as the converter does; with the signal's reason when it aborts; SCRAPE_UNSUPPORTED_FILE_ERROR when the child dies of the file. */
  convert(task: ConvertTask, signal: AbortSignal): Promise<Converted>
  /** Ends all children and whatever they do. */
  close(): void
}

/** Processes that convert files. A file can take all memory and time of its process, and nothing else. */
export function createConverterPool(limits: PoolLimits = {}): ConverterPool {
  const { maxChildren = 2, maxMemoryMb = 768, idleMs = 15_000 } = limits
  const program = fileURLToPath(limits.program ?? threadUrl('convert-child', import.meta.url))
  const turns = createSemaphore(maxChildren)
  const closing = new AbortController()
  const all = new Set<ChildProcess>()
  const idle = createIdle(idleMs)

  function start(): ChildProcess {
    const child = startChild({ program, maxMemoryMb })
    const forget = () => {
      all.delete(child)
      idle.forget(child)
    }
    all.add(child)
    // One that could not be started never exits.
    child.once('exit', forget).on('error', forget)
    return child
  }

  async function answerOf(child: ChildProcess, task: ConvertTask, signal: AbortSignal) {
    try {
      const answer = await convertIn(child, task, signal)
      if (answer) idle.rest(child)
      return answer
    } catch (thrown) {
      killChild(child)
      throw thrown
    }
  }

  return {
    async convert(task, given) {
      const signal = AbortSignal.any([given, closing.signal])
      await turns.acquire(signal)
      try {
        const used = idle.woken()
        // One that has read other files may have died of those, so its end says nothing of this one.
        const known = used && (await answerOf(used, task, signal))
        return resultOf(known ?? (await answerOf(start(), task, signal)), task.kind)
      } finally {
        turns.release()
      }
    },
    close() {
      closing.abort(new Error('the program ends'))
      all.forEach(killChild)
    },
  }
}

/** Children that wait for the next file. They keep nobody alive: neither the program nor, after a while, themselves. */
function createIdle(idleMs: number) {
  const timers = new Map<ChildProcess, NodeJS.Timeout>()

  function forget(child: ChildProcess): void {
    clearTimeout(timers.get(child))
    timers.delete(child)
  }

  return {
    forget,
    rest(child: ChildProcess): void {
      if (!child.connected) return
      child.unref()
      child.channel?.unref()
      timers.set(child, setTimeout(() => killChild(child), idleMs).unref())
    },
    woken(): ChildProcess | undefined {
      const [child] = timers.keys()
      if (!child) return undefined
      forget(child)
      child.ref()
      child.channel?.ref()
      return child
    },
  }
}

function resultOf(answer: ConvertResponse | undefined, kind: DocumentKind): Converted {
  if (!answer) throw diedOf(kind)
  if (answer.error) throw new AppError(answer.error.code, answer.error)
  return answer.converted
}

const diedOf = (kind: DocumentKind) =>
  failure('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The ${kind} file needs more memory than is allowed.`,
    hint: 'Use a smaller file; for a PDF, set maxPages of the pdf parser.',
  })

export type ConvertTask = { kind: DocumentKind; source: Source }
export type ConvertResponse =
  | { converted: Converted; error?: undefined }
  | { converted?: undefined; error: ConstructorParameters<typeof AppError>[1] & { code: string } }

/** A child leads a group, so that the programs it runs for OCR end with it. */
const hasGroups = process.platform !== 'win32'

type ChildSettings = { program: string; maxMemoryMb: number }

function startChild({ program, maxMemoryMb }: ChildSettings): ChildProcess {
  return fork(program, [String(maxMemoryMb)], {
    env: childEnvironment(),
    execArgv: [`--max-old-space-size=${maxMemoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: hasGroups,
  })
}

/** Ends a child and the programs it runs; one that has ended is left alone, since its number may be another's by now. */
function killChild(child: ChildProcess): void {
  const { pid, exitCode, signalCode } = child
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(hasGroups ? -pid : pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

/** Has a child do one task. Undefined when it ends before it answers; fails with the signal's reason, or when it cannot be started. */
async function convertIn(
  child: ChildProcess,
  task: ConvertTask,
  signal: AbortSignal,
): Promise<ConvertResponse | undefined> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<ConvertResponse | undefined>()
  const leave = () => reject(signal.reason as Error)
  const ended = () => resolve(undefined)
  signal.addEventListener('abort', leave, { once: true })
  child.on('message', resolve).on('exit', ended).on('error', reject)
  child.send(task, (fault) => fault && ended())
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', leave)
    child.off('message', resolve).off('exit', ended).off('error', reject)
  }
}

/** Converters need no settings; a path is there to find `tesseract` and the like. */
function childEnvironment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env
  const wanted = Object.entries({ PATH, SystemRoot, TMPDIR, TEMP }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(wanted)
}
