import { availableParallelism } from 'node:os'
import type { ReadHtml } from '../../../core/ports.ts'
import { createThreads, type ThreadLimits } from './threads.ts'

export type Reader = ReadHtml & {
  /** Starts a thread while the page is still on its way. */
  warm(): void
  threads(): number
  close(): Promise<void>
}

const usualLimits = { maxThreadMb: 1024, maxCpuMs: 10_000, idleMs: 10_000, lastIdleMs: 120_000 }

/**
 * Reads all pages in threads: none can stop the program, take its memory, or outlive its call. A thread that is there costs
 * a page a tenth of a millisecond more than reading it here, and this thread never loads the HTML libraries.
 */
export function createReader(options: Partial<ThreadLimits> = {}): Reader {
  const { read, warm, count, close } = createThreads({ ...usualLimits, maxThreads: availableParallelism(), ...options })
  return Object.assign(read, { warm, threads: count, close })
}
