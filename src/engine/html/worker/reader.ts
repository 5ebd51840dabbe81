import { availableParallelism } from 'node:os'
import type { ReadHtml } from '../../../contracts/ports.ts'
import { createThreads, type ThreadLimits } from './threads.ts'

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
