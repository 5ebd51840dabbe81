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

/**
 * Reads pages in worker threads, so that no page can block the program, take its memory or outlive its call. A running thread
 * adds a tenth of a millisecond per page, and the main thread never loads the HTML libraries. One core is left to the
 * database and the callers: on two cores a second thread made a crawl no faster and cost a sixth more CPU.
 */
export function createReader(options: Partial<ThreadLimits> = {}): Reader {
  const cores = availableParallelism()
  const limits = { ...usualLimits, usualThreads: Math.max(1, cores - 1), maxThreads: cores, ...options }
  const { usualThreads, maxThreads, patienceMs, maxThreadMb, maxCpuMs, idleMs, lastIdleMs } = limits
  const turns = createFairSemaphore({ usual: Math.min(usualThreads, maxThreads), most: maxThreads, patienceMs })
  const url = threadUrl('read-worker', import.meta.url)
  const crew = createCrew({ start: () => startThread(url, { heapMb: maxThreadMb, youngMb }), idleMs, lastIdleMs })
  const call = { cpu: { maxMs: maxCpuMs, over: tooSlow }, outOfMemory: tooLarge, lost }

  /** Rejects as readHtml does, with the signal's reason, or by the limits. A failing thread affects no other page. */
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
 * Young generation of one thread, MB. A page makes two or three megabytes of short-lived objects; with twice the room,
 * crawls held more memory and spent no less CPU.
 */
const youngMb = 24

const lost = 'The thread that reads a page ended without an answer.'
const tooLarge = (cause: Error) => failure('SCRAPE_SITE_ERROR', { message: 'The page is too large to read.', cause })
const tooSlow = () =>
  failure('SCRAPE_TIMEOUT', {
    message: 'The page takes too long to parse.',
    hint: 'Request rawHtml, or only part of the page with includeTags.',
  })
