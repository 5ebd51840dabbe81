import { availableParallelism } from 'node:os'
import { failure, type Thrown, unpackThrown } from '../../../kernel/error.ts'
import { createCrew, ask, startThread, threadUrl } from '../../../util/threads.ts'
import { createFairSemaphore } from '../../../util/semaphore.ts'
import type { PageContent, ReadHtml } from '../../../contracts/page-content.ts'

export type Reader = ReadHtml & {
  /** Starts a thread while the page is still being fetched. */
  warm(): void
  threads(): number
  close(): Promise<void>
}

const usualLimits = { patienceMs: 1000, maxThreadMb: 1024, maxCpuMs: 10_000, idleMs: 10_000, lastIdleMs: 120_000 }

export type ReadResponse = { parts: PageContent; thrown?: undefined } | { parts?: undefined; thrown: Thrown }

type ThreadLimits = {
  /**
   * Maximum number of pages read concurrently in normal operation: each thread compiles its own code and has its own
   * memory.
   */
  usualThreads: number
  /**
   * Maximum number of pages read concurrently once one has waited for `patienceMs`; further pages wait, except the
   * first of a team that has no page being read.
   */
  maxThreads: number
  patienceMs: number
  /** Maximum heap of one thread in MB; a page that needs more fails with SCRAPE_SITE_ERROR. */
  maxThreadMb: number
  /**
   * Maximum CPU time per page in ms; a page that needs more fails with SCRAPE_TIMEOUT, regardless of its call's
   * timeout.
   */
  maxCpuMs: number
  /** Time in ms before an idle thread ends; the last one waits longer (`lastIdleMs`). */
  idleMs: number
  lastIdleMs: number
}

/**
 * Reads pages in worker threads, so no page can block the program, exhaust its memory or outlive its call. A running
 * thread adds a tenth of a millisecond per page, and the main thread never loads the HTML libraries. One core is left
 * to the database and the callers: on two cores a second thread made a crawl no faster and cost a sixth more CPU.
 */
export function createReader(options: Partial<ThreadLimits> = {}): Reader {
  const cores = availableParallelism()
  const limits = { ...usualLimits, usualThreads: Math.max(1, cores - 1), maxThreads: cores, ...options }
  const { usualThreads, maxThreads, patienceMs, maxThreadMb, maxCpuMs, idleMs, lastIdleMs } = limits
  const turns = createFairSemaphore({ usual: Math.min(usualThreads, maxThreads), most: maxThreads, patienceMs })
  const url = threadUrl('read-worker', import.meta.url)
  const crew = createCrew({ start: () => startThread(url, { heapMb: maxThreadMb, youngMb }), idleMs, lastIdleMs })
  const call = { cpu: { maxMs: maxCpuMs, over: tooSlow }, outOfMemory: tooLarge, lost }

  /**
   * Rejects with the errors of readHtml, the signal's reason, or the errors of the limits. A failing thread affects no
   * other page.
   */
  const read: ReadHtml = async ({ teamId, ...request }, signal) => {
    const leave = await turns.acquire(teamId, signal)
    const thread = crew.wake() ?? crew.start()
    const { parts, thrown } = await ask<ReadResponse>(thread, request, { ...call, signal }).catch((failed: unknown) => {
      // The permit is returned once the memory is free.
      void crew.end(thread).finally(leave)
      throw failed
    })
    crew.rest(thread)
    leave()
    if (parts) return parts
    throw unpackThrown(thrown)
  }
  return Object.assign(read, {
    warm: () => void (crew.count() === 0 && crew.rest(crew.start())),
    threads: crew.count,
    close: crew.close,
  })
}

/**
 * Young generation of one thread in MB. A page creates two or three megabytes of short-lived objects; with twice the
 * size, crawls used more memory and no less CPU.
 */
const youngMb = 24

const lost = 'The thread that reads a page ended without an answer.'
const tooLarge = (cause: Error) => failure('SCRAPE_SITE_ERROR', { message: 'The page is too large to read.', cause })
const tooSlow = () =>
  failure('SCRAPE_TIMEOUT', {
    message: 'The page takes too long to parse.',
    hint: 'Request rawHtml, or only part of the page with includeTags.',
  })
