import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { PageContent, ReadHtml, ReadRequest } from '../../../contracts/ports.ts'
import { AppError, failure } from '../../../kernel/error.ts'
import { threadUrl } from '../../../util/thread-url.ts'
import { createElasticSemaphore } from './elastic-semaphore.ts'

export type Reader = ReadHtml & {
  /** Starts a thread while the page is still on its way. */
  warm(): void
  threads(): number
  close(): Promise<void>
}

const usualLimits = { patienceMs: 1000, maxThreadMb: 1024, maxCpuMs: 10_000, idleMs: 10_000, lastIdleMs: 120_000 }

/**
 * Reads all pages in threads: none can stop the program, take its memory, or outlive its call. A thread that is there costs
 * a page a tenth of a millisecond more than reading it here, and this thread never loads the HTML libraries.
 * One core is left to the database and to whoever asks: on two cores a second thread makes a crawl no faster and costs a
 * sixth more CPU.
 */
export function createReader(options: Partial<ThreadLimits> = {}): Reader {
  const cores = availableParallelism()
  const many = { usualThreads: Math.max(1, cores - 1), maxThreads: cores }
  const { read, warm, count, close } = createThreads({ ...usualLimits, ...many, ...options })
  return Object.assign(read, { warm, threads: count, close })
}

export type ReadResponse =
  | { parts: PageContent; error?: undefined }
  | { parts?: undefined; error: ConstructorParameters<typeof AppError>[1] & { code: string } }

type ThreadLimits = {
  /** Pages read at once as a rule: each thread makes ready for itself what it runs often, and holds memory for it. */
  usualThreads: number
  /** Pages read at once where one has waited `patienceMs` for those before it; further ones wait. */
  maxThreads: number
  patienceMs: number
  /** Heap of one thread; a page that needs more fails with SCRAPE_SITE_ERROR. */
  maxThreadMb: number
  /** Computing time of one page; one that needs more fails with SCRAPE_TIMEOUT, however long its call may take. */
  maxCpuMs: number
  /** How long a thread waits for the next page before it ends and gives its memory back; the last one waits longer. */
  idleMs: number
  lastIdleMs: number
}

type Threads = {
  /** Has a thread ready for the next page, if there is room for one. */
  warm(): void
  /** Fails as readHtml does, with the signal's reason, or by the limits. A thread that fails takes no other page with it. */
  read(request: ReadRequest, signal: AbortSignal): Promise<PageContent>
  /** How many there are, at work or waiting. */
  count(): number
  close(): Promise<void>
}

const semaphoreFor = ({ usualThreads, maxThreads, patienceMs }: ThreadLimits) =>
  createElasticSemaphore({ usual: Math.min(usualThreads, maxThreads), most: maxThreads, patienceMs })

/** Threads that read pages. None is started before the first page, and none that waits keeps the program alive. */
function createThreads(limits: ThreadLimits): Threads {
  const turns = semaphoreFor(limits)
  const all = new Set<Worker>()
  const idle = new Map<Worker, NodeJS.Timeout>()

  function start(): Worker {
    const thread = newThread(limits)
    all.add(thread)
    thread.once('exit', () => forget(thread))
    return thread
  }

  function forget(thread: Worker): void {
    all.delete(thread)
    clearTimeout(idle.get(thread))
    idle.delete(thread)
  }

  /** The one that rested last, so that those which are too many come to their end. */
  function takeThread(): Worker {
    const known = [...idle.keys()].at(-1)
    if (!known) return start()
    clearTimeout(idle.get(known))
    idle.delete(known)
    known.ref()
    return known
  }

  function park(thread: Worker): void {
    const restMs = all.size > 1 ? limits.idleMs : limits.lastIdleMs
    thread.unref()
    idle.set(thread, setTimeout(() => void end(thread), restMs).unref())
  }

  async function end(thread: Worker): Promise<void> {
    forget(thread)
    await thread.terminate()
  }

  return {
    warm() {
      if (all.size === 0) park(start())
    },
    async read(request, signal) {
      await turns.take(signal)
      const thread = takeThread()
      const { parts, error } = await readIn(thread, request, limits, signal).catch((thrown: unknown) => {
        // The turn is over when the memory is free.
        void end(thread).finally(turns.release)
        throw thrown
      })
      park(thread)
      turns.release()
      if (parts) return parts
      throw new AppError(error.code, error)
    },
    count: () => all.size,
    close: async () => void (await Promise.all([...all].map(end))),
  }
}

/**
 * Room for the young objects of one thread. A page makes two or three megabytes of them that die with it; with twice the
 * room crawls held more memory and spent no less CPU.
 */
const youngMb = 24

function newThread({ maxThreadMb }: ThreadLimits): Worker {
  const thread = new Worker(threadUrl('read-worker', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxThreadMb, maxYoungGenerationSizeMb: youngMb },
  })
  // A thread that fails between two pages is nobody's failure.
  return thread.on('error', () => {})
}

/** Rejects where the thread is of no more use. */
async function readIn(
  thread: Worker,
  request: ReadRequest,
  limits: ThreadLimits,
  signal: AbortSignal,
): Promise<ReadResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadResponse>()
  const leave = () => reject(signal.reason as Error)
  const failed = (cause: Error) => reject(failureOf(cause))
  const ended = () => reject(new Error('The thread that reads a page ended without an answer.'))
  signal.addEventListener('abort', leave, { once: true })
  thread.on('message', resolve).on('error', failed).on('exit', ended)
  const unwatch = watchCpu(thread, limits.maxCpuMs, () => reject(tooSlow()))
  try {
    signal.throwIfAborted()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(request)
    return await promise
  } finally {
    unwatch()
    signal.removeEventListener('abort', leave)
    thread.off('message', resolve).off('error', failed).off('exit', ended)
  }
}

function failureOf(cause: Error): Error {
  const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isTooLarge ? failure('SCRAPE_SITE_ERROR', { message: 'The page is too large to be read.', cause }) : cause
}

const tooSlow = () =>
  failure('SCRAPE_TIMEOUT', {
    message: 'The page takes too long to be read.',
    hint: 'Ask for rawHtml, or for one part of the page with includeTags.',
  })

const longestTickMs = 1000
/** On a busy machine a thread waits for its turn; a thread that has not answered after so many times its limit never will. */
const maxWallFactor = 6

/**
 * Calls `over` once the thread has computed longer than the limit, ms. Time spent waiting for a core does not count.
 * Nothing is measured in the first tick, in which nearly all pages are done; it counts in full.
 */
function watchCpu(thread: Worker, maxMs: number, over: () => void): () => void {
  const tickMs = Math.min(longestTickMs, maxMs / 2)
  let ticks = 0
  let first: number | undefined
  const tick = async () => {
    ticks += 1
    if (ticks * tickMs > maxMs * maxWallFactor) return over()
    const spent = await spentMs(thread)
    first ??= spent
    return spent - first + tickMs >= maxMs ? over() : undefined
  }
  const timer = setInterval(() => void tick().catch(over), tickMs)
  return () => clearInterval(timer)
}

async function spentMs(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage()
  return (user + system) / 1000
}
