import { availableParallelism } from 'node:os'
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { AppError, failure } from '../../../kernel/error.ts'
import { watchCpu } from './watch-cpu.ts'
import { threadEnv } from '../../../util/threads/thread-env.ts'
import { threadUrl } from '../../../util/threads/thread-url.ts'
import { createFairSemaphore } from '../../../util/fair/semaphore.ts'
import type { PageContent, ReadHtml, ReadRequest } from '../../../contracts/page-content.ts'

export type Reader = ReadHtml & {
  /** Starts a thread while the page is still being fetched. */
  warm(): void
  threads(): number
  close(): Promise<void>
}

const usualLimits = { patienceMs: 1000, maxThreadMb: 1024, maxCpuMs: 10_000, idleMs: 10_000, lastIdleMs: 120_000 }

/**
 * Reads pages in worker threads, so that no page can block the program, take its memory or outlive its call. A running thread
 * adds a tenth of a millisecond per page, and the main thread never loads the HTML libraries. One core is left to the
 * database and the callers: on two cores a second thread made a crawl no faster and cost a sixth more CPU.
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
  /** Pages read at once in normal operation: each thread compiles its own code and holds its own memory. */
  usualThreads: number
  /** Pages read at once when one has waited for `patienceMs`; further ones wait, but the first of a team of which none is read. */
  maxThreads: number
  patienceMs: number
  /** Heap of one thread; a page that needs more fails with SCRAPE_SITE_ERROR. */
  maxThreadMb: number
  /** CPU time of one page; one that needs more fails with SCRAPE_TIMEOUT, whatever the timeout of its call. */
  maxCpuMs: number
  /** How long an idle thread waits for the next page before it ends; the last one waits longer. */
  idleMs: number
  lastIdleMs: number
}

type Threads = {
  /** Starts a thread for the next page if there is none. */
  warm(): void
  /** Rejects as readHtml does, with the signal's reason, or by the limits. A failing thread affects no other page. */
  read: ReadHtml
  /** Number of threads, busy or idle. */
  count(): number
  close(): Promise<void>
}

const semaphoreFor = ({ usualThreads, maxThreads, patienceMs }: ThreadLimits) =>
  createFairSemaphore({ usual: Math.min(usualThreads, maxThreads), most: maxThreads, patienceMs })

/** A pool of threads. None starts before the first page, and an idle one does not keep the program alive. */
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

  /** Most recently idle thread first, so that surplus threads time out. */
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
    async read({ teamId, ...request }, signal) {
      const leave = await turns.acquire(teamId, signal)
      const thread = takeThread()
      const { parts, error } = await readIn(thread, request, limits, signal).catch((thrown: unknown) => {
        // The permit is returned once the memory is free.
        void end(thread).finally(leave)
        throw thrown
      })
      park(thread)
      leave()
      if (parts) return parts
      throw new AppError(error.code, error)
    },
    count: () => all.size,
    close: async () => void (await Promise.all([...all].map(end))),
  }
}

/**
 * Young generation of one thread, MB. A page makes two or three megabytes of short-lived objects; with twice the room,
 * crawls held more memory and spent no less CPU.
 */
const youngMb = 24

function newThread({ maxThreadMb }: ThreadLimits): Worker {
  const thread = new Worker(threadUrl('read-worker', import.meta.url), {
    env: threadEnv(getCompileCacheDir()),
    resourceLimits: { maxOldGenerationSizeMb: maxThreadMb, maxYoungGenerationSizeMb: youngMb },
  })
  // An error between two pages concerns no caller.
  return thread.on('error', () => {})
}

/** Rejects when the thread can no longer be used. */
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
  return isTooLarge ? failure('SCRAPE_SITE_ERROR', { message: 'The page is too large to read.', cause }) : cause
}

const tooSlow = () =>
  failure('SCRAPE_TIMEOUT', {
    message: 'The page takes too long to parse.',
    hint: 'Request rawHtml, or only part of the page with includeTags.',
  })
