import { MessageChannel } from 'node:worker_threads'
import { newWorkerId } from '../../../engine/store/worker-id.ts'
import type { Log } from '../../../kernel/log.ts'
import { startThread, threadUrl, watchCpu } from '../../../util/threads.ts'
import type { Config } from '../../config.ts'
import { noTelemetry, type Telemetry } from '../../telemetry/telemetry.ts'
import { serveCalls } from '../rpc.ts'
import { type LaneCalls, marksIn, newMarks } from './lane-calls.ts'
import type { LaneData, Order, Report } from './lane-worker.ts'

/** How a lane has ended: as it was told to, or by itself, perhaps while it read a page. */
export type LaneEnd = { isExpected: boolean; wasReady: boolean; page: string | undefined; cause: unknown }
export type Lane = {
  workerId: string
  send(order: Exclude<Order, { kind: 'close' }>): void
  /** Has it return its pages and end; one that does not answer is ended. */
  close(): Promise<void>
  ended: Promise<LaneEnd>
}

export type LaneParts = {
  config: Config
  limits: LaneLimits
  calls: LaneCalls
  log: Log
  telemetry: Telemetry
  isolated: LaneData['isolated']
  isWatched: boolean
  eventWritten(): void
  /** Nothing is left to do since it was woken for the nth time. */
  rested(nth: number): void
}

export type LaneLimits = {
  /** CPU time between two turns of the event loop. */
  maxCpuMs: number
  heapMb: number
  /** Characters of HTML; what is longer is read elsewhere. */
  longestPage: number
}
/** A page that needs more is read elsewhere, where it may have more time and memory. */
export const usualLimits: LaneLimits = { maxCpuMs: 3000, heapMb: 512, longestPage: 1_000_000 }
/** MB. With twice the room crawls held more memory and spent no less CPU. */
const youngMb = 24
const closeMs = 5000

/**
 * Starts a thread that crawls as another process on the same data would: it fetches and reads pages and writes what they
 * bring over a connection of its own, so that no page crosses threads.
 */
export function startLane({ config, limits, calls, log, telemetry, eventWritten, rested, ...rules }: LaneParts): Lane {
  const { maxCpuMs, heapMb, longestPage } = limits
  const channel = new MessageChannel()
  const memory = newMarks()
  const marks = marksIn(memory)
  const workerId = newWorkerId()
  const thread = startThread(threadUrl('lane-worker', import.meta.url), {
    workerData: {
      ...rules,
      config,
      workerId,
      calls: channel.port2,
      marks: memory,
      longestPage,
      isMeasured: telemetry !== noTelemetry,
    } satisfies LaneData,
    transferList: [channel.port2],
    heapMb,
    youngMb,
  })
  const served = serveCalls(channel.port1, calls)
  const state = { isExpected: false, wasReady: false, cause: undefined as unknown }
  const { promise: ended, resolve: end } = Promise.withResolvers<LaneEnd>()
  let unwatch: (() => void) | undefined

  thread.on('message', (told: Report) => {
    if (told.kind === 'log') log[told.level](told.event, told.facts)
    else if (told.kind === 'event written') eventWritten()
    else if (told.kind === 'measured') told.done.forEach(telemetry.record)
    else if (told.kind === 'rested') rested(told.nth)
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
