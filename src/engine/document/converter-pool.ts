import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError, failure } from '../../kernel/error.ts'
import { createFairSemaphore } from '../../util/fair/semaphore.ts'
import { threadUrl } from '../../util/thread-url.ts'
import type { Converted, Source } from './converter.ts'
import type { DocumentKind, OfTeam } from '../../contracts/page-content.ts'

export type PoolLimits = {
  /** Files converted at once; further ones wait, but the first of a team of which none is converted. */
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
  convert(task: ConvertTask & OfTeam, signal: AbortSignal): Promise<Converted>
  /** Ends all children and whatever they do. */
  close(): void
}

/** Processes that convert files. A file can take all memory and time of its process, and nothing else. */
export function createConverterPool(limits: PoolLimits = {}): ConverterPool {
  const { maxChildren = 2, maxMemoryMb = 768, idleMs = 15_000 } = limits
  const program = fileURLToPath(limits.program ?? threadUrl('convert-child', import.meta.url))
  const turns = createFairSemaphore({ usual: maxChildren })
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
      const outcome = await convertIn(child, task, signal)
      if (outcome.answer && !outcome.answer.isWorn) idle.rest(child)
      else killChild(child)
      return outcome
    } catch (thrown) {
      killChild(child)
      throw thrown
    }
  }

  return {
    async convert({ teamId, ...task }, given) {
      const signal = AbortSignal.any([given, closing.signal])
      const leave = await turns.acquire(teamId, signal)
      try {
        const used = idle.woken()
        const known = used && (await answerOf(used, task, signal))
        // One that ended while it waited says nothing of this file.
        const { answer, pagesRead } = known && hasBegun(known) ? known : await answerOf(start(), task, signal)
        if (answer || !pagesRead) return resultOf(answer, task.kind)
        const again = await answerOf(start(), beginningOf(task, pagesRead), signal)
        return withNote(resultOf(again.answer, task.kind), pagesRead)
      } finally {
        leave()
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

const hasBegun = ({ answer, pagesRead }: Outcome) => answer !== undefined || pagesRead !== undefined

/** The pages before the one that ended the process. */
const beginningOf = ({ kind, source }: ConvertTask, maxPages: number): ConvertTask => ({
  kind,
  source: { ...source, pdf: { ...source.pdf, maxPages } },
})

function withNote(converted: Converted, pages: number): Converted {
  const note = `Only the first ${pages === 1 ? 'page was' : `${pages} pages were`} read, because the next one takes more time or memory than one file may have.`
  return { ...converted, warning: [note, converted.warning].filter(Boolean).join(' ') }
}

function resultOf(answer: ConvertResponse | undefined, kind: DocumentKind): Converted {
  if (!answer) throw diedOf(kind)
  if (answer.error) throw new AppError(answer.error.code, answer.error)
  return answer.converted
}

const diedOf = (kind: DocumentKind) =>
  failure('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The ${kind} file takes more time or memory than one file may have.`,
    hint: 'Use a smaller file; for a PDF, set maxPages of the pdf parser.',
  })

export type ConvertTask = { kind: DocumentKind; source: Source }
/** Whoever is worn converts no other file. */
export type ConvertResponse =
  | { converted: Converted; error?: undefined; isWorn?: boolean }
  | { converted?: undefined; error: ConstructorParameters<typeof AppError>[1] & { code: string }; isWorn?: boolean }
/** A child says first that it has begun, then how many pages of a PDF it has read, and last what came of it. */
export type ConvertMessage = ConvertResponse | { pagesRead: number }
/** No answer when the child ended before it. */
type Outcome = { answer: ConvertResponse | undefined; pagesRead: number | undefined }

/** A child leads a group, so that the programs it runs for OCR end with it. */
const hasGroups = process.platform !== 'win32'

type ChildSettings = { program: string; maxMemoryMb: number }

function startChild({ program, maxMemoryMb }: ChildSettings): ChildProcess {
  return fork(program, [String(maxMemoryMb)], {
    env: childEnvironment(),
    execArgv: [`--max-old-space-size=${maxMemoryMb}`, '--max-semi-space-size=8', '--expose-gc'],
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

/** Has a child do one task. Fails with the signal's reason, or when it cannot be started. */
async function convertIn(child: ChildProcess, task: ConvertTask, signal: AbortSignal): Promise<Outcome> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  let pagesRead: number | undefined
  const leave = () => reject(signal.reason as Error)
  const ended = () => resolve({ answer: undefined, pagesRead })
  const hear = (message: ConvertMessage) => {
    if ('pagesRead' in message) pagesRead = message.pagesRead
    else resolve({ answer: message, pagesRead })
  }
  signal.addEventListener('abort', leave, { once: true })
  child.on('message', hear).on('exit', ended).on('error', reject)
  child.send(task, (fault) => fault && ended())
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', leave)
    child.off('message', hear).off('exit', ended).off('error', reject)
  }
}

/** Converters need no settings; a path is there to find `tesseract` and the like. */
function childEnvironment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env
  const wanted = Object.entries({ PATH, SystemRoot, TMPDIR, TEMP }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(wanted)
}
