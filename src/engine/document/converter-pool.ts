import { fileURLToPath } from 'node:url'
import { failure, unpackThrown } from '../../kernel/error.ts'
import { createFairSemaphore } from '../../util/semaphore.ts'
import { createCrew, threadUrl } from '../../util/threads.ts'
import {
  type ConvertResponse,
  type ConvertTask,
  type ConvertMessage,
  type ConvertOrder,
  converterFd,
  frameReader,
  packed,
  sendFrame,
  unpacked,
} from './file-pipe.ts'
import type { Converted } from './converter.ts'
import type { DocumentKind, OfTeam } from '../../contracts/page-content.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { letGo } from '../../util/file-bytes.ts'

/** No answer when the child ended before it. */
type Outcome = { answer: ConvertResponse | undefined; pagesRead: number | undefined }

type ConverterChild = {
  /** Has the child do one task. Fails with the signal's reason, or when it cannot be started. */
  convert(task: ConvertTask, signal: AbortSignal): Promise<Outcome>
  /** Whether it can be given another task. */
  isThere(): boolean
  /** Whether it keeps the program alive. */
  ref(): void
  unref(): void
  /** Ends it and the programs it runs. */
  terminate(): void
  /** A child that could not be started never exits. */
  on(event: 'error' | 'exit', told: () => void): void
}

/** A child leads a group, so that the programs it runs for OCR end with it. */
const hasGroups = process.platform !== 'win32'

type ChildSettings = { program: string; maxMemoryMb: number; maxAnswerBytes: number }

function startChild({ program, maxMemoryMb, maxAnswerBytes }: ChildSettings): ConverterChild {
  const limits = [`--max-old-space-size=${maxMemoryMb}`, '--max-semi-space-size=8', '--expose-gc']
  const child = spawn(process.execPath, [...limits, program, String(maxMemoryMb)], {
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'overlapped'],
    detached: hasGroups,
  })
  const pipe = child.stdio[converterFd] as Socket
  const terminate = () => killChild(child)
  let hear = unheard
  // What a child sends was made of a file that may be anything: one that says what none of ours says is ended.
  const read = frameReader({
    maxBytes: maxAnswerBytes,
    take(frame) {
      try {
        hear(unpacked(frame) as ConvertMessage)
      } catch {
        terminate()
      }
    },
    tooLong: terminate,
  })
  pipe.on('data', read)
  // Its end is told by the child itself.
  pipe.on('error', () => {})
  return {
    convert: (task, signal) => convertIn(child, { pipe, hears: (heard) => void (hear = heard) }, task, signal),
    isThere: () => child.exitCode === null && child.signalCode === null && !pipe.destroyed,
    ref() {
      child.ref()
      pipe.ref()
    },
    unref() {
      child.unref()
      pipe.unref()
    },
    terminate,
    on: (event, told) => void child.on(event, told),
  }
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

/** Between two files a child has nothing to say. */
const unheard = (_message: ConvertMessage): void => {}

type Line = { pipe: Socket; hears(heard: (message: ConvertMessage) => void): void }

async function convertIn(child: ChildProcess, line: Line, task: ConvertTask, signal: AbortSignal): Promise<Outcome> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  let pagesRead: number | undefined
  const leave = () => reject(signal.reason as Error)
  const ended = () => resolve({ answer: undefined, pagesRead })
  const sending = sendTask(line.pipe, task)
  sending.catch(ended)
  line.hears((message) => {
    const isAnswer = !('pagesRead' in message)
    if (isAnswer) resolve({ answer: message, pagesRead })
    else pagesRead = message.pagesRead
    // A PDF that ends its child is read again, up to the page before; any other file is read once.
    const isDone = isAnswer || task.kind !== 'pdf'
    if (isDone && task.source.isGivenUp) void sending.then(() => letGo(task.source.bytes)).catch(() => {})
  })
  signal.addEventListener('abort', leave, { once: true })
  // By then all that it said was heard.
  child.on('close', ended).on('error', reject)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', leave)
    child.off('close', ended).off('error', reject)
    line.hears(unheard)
  }
}

async function sendTask(pipe: Socket, { kind, source }: ConvertTask): Promise<void> {
  const { bytes, ...rest } = source
  const order: ConvertOrder = { kind, source: rest }
  await sendFrame(pipe, packed(order))
  await sendFrame(pipe, bytes)
}

/** Converters need no settings; a path is there to find `tesseract` and the like. */
function childEnvironment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env
  const wanted = Object.entries({ PATH, SystemRoot, TMPDIR, TEMP }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(wanted)
}

export type PoolLimits = {
  /** Files converted at once; further ones wait, but the first of a team of which none is converted. */
  maxChildren?: number
  /** Memory of one child in all, MB. */
  maxMemoryMb?: number
  /** How long a child waits for the next file before it ends, ms. */
  idleMs?: number
  /** The program a child runs. */
  program?: URL
  /** The longest answer that is received from a child. */
  maxAnswerBytes?: number
}

/** More than is made of the largest file; a child that announces more is none of ours any more. */
const mostAnswered = 256 * 2 ** 20

export type ConverterPool = {
  /** Fails as the converter does; with the signal's reason when it aborts; SCRAPE_UNSUPPORTED_FILE_ERROR when the child dies of the file. */
  convert(task: ConvertTask & OfTeam, signal: AbortSignal): Promise<Converted>
  /** Ends all children and whatever they do. */
  close(): void
}

/** Processes that convert files. A file can take all memory and time of its process, and nothing else. */
export function createConverterPool(limits: PoolLimits = {}): ConverterPool {
  const { maxChildren = 2, maxMemoryMb = 768, idleMs = 15_000, maxAnswerBytes = mostAnswered } = limits
  const program = fileURLToPath(limits.program ?? threadUrl('convert-child', import.meta.url))
  const turns = createFairSemaphore({ usual: maxChildren })
  const closing = new AbortController()
  const crew = createCrew({ start: () => startChild({ program, maxMemoryMb, maxAnswerBytes }), idleMs })

  async function answerOf(child: ConverterChild, task: ConvertTask, signal: AbortSignal) {
    try {
      const outcome = await child.convert(task, signal)
      if (outcome.answer && !outcome.answer.isWorn && child.isThere()) crew.rest(child)
      else child.terminate()
      return outcome
    } catch (thrown) {
      child.terminate()
      throw thrown
    }
  }

  return {
    async convert({ teamId, ...task }, given) {
      const signal = AbortSignal.any([given, closing.signal])
      const leave = await turns.acquire(teamId, signal)
      try {
        const used = crew.wake()
        const known = used && (await answerOf(used, task, signal))
        // One that ended while it waited says nothing of this file.
        const { answer, pagesRead } = known && hasBegun(known) ? known : await answerOf(crew.start(), task, signal)
        if (answer || !pagesRead) return resultOf(answer, task.kind)
        const again = await answerOf(crew.start(), beginningOf(task, pagesRead), signal)
        return withNote(resultOf(again.answer, task.kind), pagesRead)
      } finally {
        leave()
      }
    },
    close() {
      closing.abort(new Error('the program ends'))
      void crew.close()
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
  if (answer.thrown) throw unpackThrown(answer.thrown)
  return answer.converted
}

const diedOf = (kind: DocumentKind) =>
  failure('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The ${kind} file takes more time or memory than one file may have.`,
    hint: 'Use a smaller file; for a PDF, set maxPages of the pdf parser.',
  })
