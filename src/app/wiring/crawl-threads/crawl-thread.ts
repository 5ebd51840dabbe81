import { MessageChannel } from 'node:worker_threads'
import { newWorkerId } from '../../../engine/store/worker-id.ts'
import type { Log } from '../../../kernel/log.ts'
import { startThread, threadUrl, watchCpu } from '../../../util/threads.ts'
import type { Config } from '../../config.ts'
import { noTelemetry, type Telemetry } from '../../telemetry/telemetry.ts'
import { serveCalls } from '../rpc.ts'
import { type CrawlThreadCalls, marksIn, newMarks } from './crawl-thread-calls.ts'
import type { CrawlThreadData, Order, Report } from './crawl-thread-worker.ts'

/** End of a crawl thread. `isExpected`: the main thread closed it; `page`: URL of the page that it was reading. */
export type CrawlThreadEnd = { isExpected: boolean; wasReady: boolean; page: string | undefined; cause: unknown }
export type CrawlThread = {
  workerId: string
  send(order: Exclude<Order, { kind: 'close' }>): void
  /** Asks the crawl thread to return its pages and exit; terminates it if it does not. */
  close(): Promise<void>
  ended: Promise<CrawlThreadEnd>
}

export type CrawlThreadParts = {
  config: Config
  limits: CrawlThreadLimits
  calls: CrawlThreadCalls
  log: Log
  telemetry: Telemetry
  isolated: CrawlThreadData['isolated']
  isWatched: boolean
  eventWritten(): void
  /** Called when no work is left after the wake-up with this number. */
  rested(nth: number): void
}

export type CrawlThreadLimits = {
  /** Maximum CPU time, ms, during which the thread neither reaches its event loop nor finishes a page. */
  maxCpuMs: number
  heapMb: number
  /** Maximum characters of HTML; longer pages are read outside the crawl thread. */
  longestPage: number
}
/** A page that exceeds these limits is read outside the crawl threads, with more time and memory. */
export const usualLimits: CrawlThreadLimits = { maxCpuMs: 3000, heapMb: 512, longestPage: 1_000_000 }
/** Young generation, MB. Measured: twice as much uses more memory and saves no CPU. */
const youngMb = 24
const closeMs = 5000

/**
 * Starts a thread that crawls like another process on the same data: it fetches pages, reads them, and writes the
 * results over its own database connection, so most pages never leave the thread.
 */
export function startCrawlThread(parts: CrawlThreadParts): CrawlThread {
  const { config, limits, calls, log, telemetry, eventWritten, rested, ...rules } = parts
  const { maxCpuMs, heapMb, longestPage } = limits
  const channel = new MessageChannel()
  const memory = newMarks()
  const marks = marksIn(memory)
  const workerId = newWorkerId()
  const thread = startThread(threadUrl('crawl-thread-worker', import.meta.url), {
    workerData: {
      ...rules,
      config,
      workerId,
      calls: channel.port2,
      marks: memory,
      longestPage,
      isMeasured: telemetry !== noTelemetry,
    } satisfies CrawlThreadData,
    transferList: [channel.port2],
    heapMb,
    youngMb,
  })
  const served = serveCalls(channel.port1, calls)
  const state = { isExpected: false, wasReady: false, cause: undefined as unknown }
  const { promise: ended, resolve: end } = Promise.withResolvers<CrawlThreadEnd>()
  let unwatch: (() => void) | undefined

  thread.on('message', (report: Report) => {
    if (report.kind === 'log') log[report.level](report.event, report.facts)
    else if (report.kind === 'event written') eventWritten()
    else if (report.kind === 'measured') report.done.forEach(telemetry.record)
    else if (report.kind === 'rested') rested(report.nth)
    else {
      state.wasReady = true
      unwatch = watchCpu(thread, maxCpuMs, () => void thread.terminate(), marks.beats)
    }
  })
  thread.on('error', (thrown) => {
    state.cause = thrown
  })
  thread.on('exit', () => {
    unwatch?.()
    served.close()
    end({ ...state, page: marks.page() })
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (order: Order) => thread.postMessage(order)
  return {
    workerId,
    send,
    async close() {
      state.isExpected = true
      send({ kind: 'close' })
      const late = setTimeout(() => void thread.terminate(), closeMs)
      await ended
      clearTimeout(late)
    },
    ended,
  }
}
