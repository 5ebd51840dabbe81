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
import { releaseBuffer } from '../../util/file-bytes.ts'

/** `answer` is undefined if the child ended before answering. */
type Outcome = { answer: ConvertResponse | undefined; pagesRead: number | undefined }

type ConverterChild = ReturnType<typeof startChild>

/** A child leads a process group, so the programs it runs for OCR end with it. */
const hasGroups = process.platform !== 'win32'

type ChildSettings = { program: string; maxMemoryMb: number; maxAnswerBytes: number }

function startChild({ program, maxMemoryMb, maxAnswerBytes }: ChildSettings) {
  const limits = [`--max-old-space-size=${maxMemoryMb}`, '--max-semi-space-size=8', '--expose-gc']
  const child = spawn(process.execPath, [...limits, program, String(maxMemoryMb)], {
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'overlapped'],
    detached: hasGroups,
  })
  const pipe = child.stdio[converterFd] as Socket
  /** Ends the child and the programs it runs. */
  const terminate = () => killChild(child)
  let receive = ignored
  // A child's messages derive from an untrusted file; a child that sends an unknown message is ended.
  const read = frameReader({
    maxBytes: maxAnswerBytes,
    take(frame) {
      try {
        receive(unpacked(frame) as ConvertMessage)
      } catch {
        terminate()
      }
    },
    tooLong: terminate,
  })
  pipe.on('data', read)
  // The child's 'exit' event reports its end.
  pipe.on('error', () => {})
  return {
    /** Runs one task in the child. Fails with the signal's reason, or if the child cannot be started. */
    convert: (task: ConvertTask, signal: AbortSignal) =>
      convertIn(child, { pipe, onMessage: (listener) => void (receive = listener) }, task, signal),
    /** True if the child can take another task. */
    isRunning: () => child.exitCode === null && child.signalCode === null && !pipe.destroyed,
    /** Makes the child keep the program alive; `unref` reverts this. */
    ref() {
      child.ref()
      pipe.ref()
    },
    unref() {
      child.unref()
      pipe.unref()
    },
    terminate,
    /** A child that could not be started emits no 'exit'. */
    on: (event: 'error' | 'exit', callback: () => void) => void child.on(event, callback),
  }
}

/** Ends a child and the programs it runs. An exited child is skipped, because its process id may have been reused. */
function killChild(child: ChildProcess): void {
  const { pid, exitCode, signalCode } = child
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(hasGroups ? -pid : pid, 'SIGKILL')
  } catch {
    // The child has just exited.
  }
}

/** Ignores messages between two files. */
const ignored = (_message: ConvertMessage): void => {}

type ChildPipe = { pipe: Socket; onMessage(listener: (message: ConvertMessage) => void): void }

async function convertIn(
  child: ChildProcess,
  { pipe, onMessage }: ChildPipe,
  task: ConvertTask,
  signal: AbortSignal,
): Promise<Outcome> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  let pagesRead: number | undefined
  const onAbort = () => reject(signal.reason as Error)
  const onClose = () => resolve({ answer: undefined, pagesRead })
  const sending = sendTask(pipe, task)
  sending.catch(onClose)
  onMessage((message) => {
    const isAnswer = !('pagesRead' in message)
    if (isAnswer) resolve({ answer: message, pagesRead })
    else pagesRead = message.pagesRead
    // A PDF that ends its child is read again, up to the page before; any other file is read once.
    const isDone = isAnswer || task.kind !== 'pdf'
    if (isDone && task.source.isGivenUp) void sending.then(() => releaseBuffer(task.source.bytes)).catch(() => {})
  })
  signal.addEventListener('abort', onAbort, { once: true })
  // 'close' instead of 'exit': by then, all messages of the child have been received.
  child.on('close', onClose).on('error', reject)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', onAbort)
    child.off('close', onClose).off('error', reject)
    onMessage(ignored)
  }
}

async function sendTask(pipe: Socket, { kind, source }: ConvertTask): Promise<void> {
  const { bytes, ...rest } = source
  const order: ConvertOrder = { kind, source: rest }
  await sendFrame(pipe, packed(order))
  await sendFrame(pipe, bytes)
}

/** Contains no settings, only the paths for finding programs such as `tesseract` and for temporary files. */
function childEnvironment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env
  const wanted = Object.entries({ PATH, SystemRoot, TMPDIR, TEMP }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(wanted)
}

export type PoolLimits = {
  /**
   * Maximum number of files converted concurrently; further files wait, except the first of a team that has none in
   * progress.
   */
  maxChildren?: number
  /** Total memory of one child in MB. */
  maxMemoryMb?: number
  /** Time in ms before an idle child ends. */
  idleMs?: number
  /** Program that a child runs. */
  program?: URL
  /** Maximum number of bytes of a child's answer. */
  maxAnswerBytes?: number
}

/** Larger than the result of the largest file; a child that announces more is compromised. */
const maxAnswered = 256 * 2 ** 20

export type ConverterPool = {
  /**
   * Rejects with the converter's error, with the signal's reason if it aborts, or with SCRAPE_UNSUPPORTED_FILE_ERROR if
   * the file ends the child.
   */
  convert(task: ConvertTask & OfTeam, signal: AbortSignal): Promise<Converted>
  /** Ends all children and their tasks. */
  close(): void
}

/** Creates a pool of processes that convert files. A file can exhaust the memory and time of its own process only. */
export function createConverterPool(limits: PoolLimits = {}): ConverterPool {
  const { maxChildren = 2, maxMemoryMb = 768, idleMs = 15_000, maxAnswerBytes = maxAnswered } = limits
  const program = fileURLToPath(limits.program ?? threadUrl('convert-child', import.meta.url))
  const turns = createFairSemaphore({ usual: maxChildren })
  const closing = new AbortController()
  const crew = createCrew({ start: () => startChild({ program, maxMemoryMb, maxAnswerBytes }), idleMs })

  async function answerOf(child: ConverterChild, task: ConvertTask, signal: AbortSignal) {
    try {
      const outcome = await child.convert(task, signal)
      if (outcome.answer && !outcome.answer.isWorn && child.isRunning()) crew.rest(child)
      else child.terminate()
      return outcome
    } catch (thrown) {
      child.terminate()
      throw thrown
    }
  }

  return {
    async convert({ teamId, ...task }, callerSignal) {
      const signal = AbortSignal.any([callerSignal, closing.signal])
      const release = await turns.acquire(teamId, signal)
      try {
        const used = crew.wake()
        const first = used && (await answerOf(used, task, signal))
        // A reused child that ended before starting the task exited while idle, so another child takes the task.
        const { answer, pagesRead } = first && hasStarted(first) ? first : await answerOf(crew.start(), task, signal)
        if (answer || !pagesRead) return resultOf(answer, task.kind)
        const again = await answerOf(crew.start(), beginningOf(task, pagesRead), signal)
        return withNote(resultOf(again.answer, task.kind), pagesRead)
      } finally {
        release()
      }
    },
    close() {
      closing.abort(new Error('the program ends'))
      void crew.close()
    },
  }
}

const hasStarted = ({ answer, pagesRead }: Outcome) => answer !== undefined || pagesRead !== undefined

/** Limits the task to the pages before the one that ended the process. */
const beginningOf = ({ kind, source }: ConvertTask, maxPages: number): ConvertTask => ({
  kind,
  source: { ...source, pdf: { ...source.pdf, maxPages } },
})

function withNote(converted: Converted, pages: number): Converted {
  const note = `Only the first ${pages === 1 ? 'page was' : `${pages} pages were`} read, because the next one takes more time or memory than one file may have.`
  return { ...converted, warning: [note, converted.warning].filter(Boolean).join(' ') }
}

function resultOf(answer: ConvertResponse | undefined, kind: DocumentKind): Converted {
  if (!answer) throw overLimits(kind)
  if (answer.thrown) throw unpackThrown(answer.thrown)
  return answer.converted
}

const overLimits = (kind: DocumentKind) =>
  failure('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The ${kind} file takes more time or memory than one file may have.`,
    hint: 'Use a smaller file; for a PDF, set maxPages of the pdf parser.',
  })
