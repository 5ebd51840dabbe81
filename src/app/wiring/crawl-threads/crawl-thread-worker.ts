import { setFlagsFromString } from 'node:v8'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createCrawler } from '../../../engine/crawl/runner/crawler.ts'
import { createIdleMemory } from '../../../engine/store/idle-memory.ts'
import { openStore } from '../../../engine/store/open-store.ts'
import type { Log } from '../../../kernel/log.ts'
import { packThrown } from '../../../kernel/error.ts'
import { once } from '../../../util/async.ts'
import type { Config } from '../../config.ts'
import { type Done, measuredStore, noTelemetry, type Telemetry, timed } from '../../telemetry/telemetry.ts'
import { openNetwork } from '../open-network.ts'
import { openPagePorts } from '../page-ports.ts'
import { storeOptions } from '../store-wiring.ts'
import { callerOver } from '../rpc.ts'
import { type CrawlThreadCalls, marked, marksIn, crawlThreadsFor } from './crawl-thread-calls.ts'
import { crawlThreadPorts } from './crawl-thread-ports.ts'

export type CrawlThreadData = {
  config: Config
  workerId: string
  calls: MessagePort
  marks: SharedArrayBuffer
  /** URLs of pages that must not be read in a crawl thread; `all` means every page. */
  isolated: readonly string[] | 'all'
  longestPage: number
  isWatched: boolean
  /** True if metrics are collected. */
  isMeasured: boolean
}
/** Messages to a crawl thread. */
export type Order =
  | { kind: 'wake'; crawlId: string | undefined; nth: number }
  | { kind: 'isolate'; url: string }
  /** True while there is a listener to every fetched page. */
  | { kind: 'watch'; isWatched: boolean }
  | { kind: 'close' }
/** Messages from a crawl thread. */
export type Report =
  | { kind: 'ready' }
  /** Number of the last wake-up after which no work is left. */
  | { kind: 'rested'; nth: number }
  | { kind: 'event written' }
  | { kind: 'measured'; done: Done[] }
  | { kind: 'log'; level: keyof Log; event: string; facts: object }

const beatMs = 250

// Without this flag, V8 allocates later pages as long-lived objects, because earlier pages survived a collection.
setFlagsFromString('--no-allocation-site-pretenuring')
// Lets the heap grow more before V8 collects all of it. Each full collection also drops compiled code. The flag applies
// to the whole process.
setFlagsFromString('--heap-growing-percent=200')
const {
  config,
  workerId,
  calls,
  marks: memory,
  isolated,
  longestPage,
  isWatched,
  isMeasured,
} = workerData as CrawlThreadData
const clock = { now: Date.now }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
const report = (message: Report) => parentPort?.postMessage(message)
const log: Log = { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
const marks = marksIn(memory)
const call = callerOver<CrawlThreadCalls>(calls)
const apart = new Set(isolated === 'all' ? [] : isolated)

/** Measurements to be sent to the main thread, in batches, because each message costs time in both threads. */
const unsent: Done[] = []
const record = (done: Done) => void unsent.push(done)
const telemetry: Telemetry = { ...noTelemetry, record, measure: (task, run) => timed(task, run, record) }
const measuring = isMeasured ? telemetry : noTelemetry
const plainStore = await openStore({ ...storeOptions(config, clock, log), thread: 'this one' })
const store = isMeasured ? measuredStore(plainStore, telemetry) : plainStore
await store.ready()
const network = once(() =>
  openNetwork(config, store.teams, ({ signal, ...request }) => call('browsePage', request, signal)),
)
const pages = openPagePorts(clock, {
  network,
  telemetry: measuring,
  renderer: async () => ({ renderPage: ({ signal, ...request }) => call('renderPage', request, signal) }),
  warm() {},
})
const isApart = ({ url, html }: { url: string; html: string }) =>
  isolated === 'all' || html.length > longestPage || apart.has(marked(url))
const memoryWatch = createIdleMemory()
const own = { ...store, clock, fetchPage: pages.ports.fetchPage }
const crawler = createCrawler(crawlThreadPorts(config, own, call, { marks, isApart, measure: measuring.measure }), {
  workerId,
  hostConcurrency: config.crawlHostConcurrency,
  pagesAtOnce: crawlThreadsFor(config).pagesAtOnce,
  userAgent: config.userAgent,
  log,
  eventWritten: () => report({ kind: 'event written' }),
  rested() {
    memoryWatch.worked()
    report({ kind: 'rested', nth: woken })
  },
})

let woken = 0
let unwatch: (() => void) | undefined
const watch = (isWanted: boolean) => {
  unwatch?.()
  unwatch = isWanted ? pages.watch((exchange) => call('show', exchange)) : undefined
}

function wake({ crawlId, nth }: Order & { kind: 'wake' }): void {
  woken = nth
  crawler.wake(crawlId)
}

async function close(): Promise<void> {
  await crawler.close()
  await store.close()
  postMeasures()
  await network.close((open) => open.close())
  calls.close()
  parentPort?.close()
  clearInterval(beating)
}

watch(isWatched)
const beating = setInterval(() => {
  marks.beat()
  postMeasures()
}, beatMs)
parentPort?.on('message', (order: Order) => {
  if (order.kind === 'wake') wake(order)
  else if (order.kind === 'isolate') apart.add(order.url)
  else if (order.kind === 'watch') watch(order.isWatched)
  else void close()
})
report({ kind: 'ready' })

function postMeasures(): void {
  if (unsent.length > 0) report({ kind: 'measured', done: unsent.splice(0) })
}

function logAt(level: keyof Log) {
  return (event: string, facts: object = {}): void => {
    const named = Object.entries(facts).map(([name, fact]: [string, unknown]) =>
      fact instanceof Error ? [name, packThrown(fact).error] : [name, fact],
    )
    // Facts must be plain data, because a message to another thread can contain no functions.
    report({ kind: 'log', level, event, facts: JSON.parse(JSON.stringify(Object.fromEntries(named))) as object })
  }
}
