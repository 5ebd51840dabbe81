import type { Crawler } from '../../../contracts/crawl-ports.ts'
import { hasDied, newWorkerId } from '../../store/worker-id.ts'
import { createFairSemaphore } from '../../../util/semaphore.ts'
import { createNotifier } from '../../../util/async.ts'
import { createCapacity, createLease, type RunPorts, type RunTools } from './run-tools.ts'
import { type Run, startRun } from './crawl-run.ts'

export type CrawlerOptions = Omit<RunTools, 'workerId' | 'leaseMs' | 'lease' | 'seedings' | 'capacity'> & {
  /** Pages worked on at the same time, over all crawls; unset: as many as teams may have. */
  pagesAtOnce?: number | undefined
  leaseMs?: number
  /** By default one is made. */
  workerId?: string
  /** Called when nothing is left to do. */
  rested?(): void
}

/** Well above the pause between two renewals. The pages of a process that died on another machine wait this long. */
const usualLeaseMs = 30_000
const roundMs = 1000
/** Crawls whose robots.txt and sitemaps are read at once. */
const seedingsAtOnce = 16
/** Crawls of one team worked on at once; the others wait until one of these is over. */
const runsPerTeam = 100
/** Pause before a crawl whose run failed is tried again. */
const retryCrawlMs = 10_000

/**
 * Works on all crawls that are not over, together with the other processes on the same data.
 * Starts with `wake` and stops when nothing is left to do.
 */
export function createCrawler(ports: RunPorts, options: CrawlerOptions): Crawler & { close(): Promise<void> } {
  const { leaseMs = usualLeaseMs, log } = options
  const seedings = createFairSemaphore({ usual: seedingsAtOnce })
  const { share, inTurn } = createCapacity(options.pagesAtOnce)
  const capacity = { inTurn, share: () => share(Math.max(1, runs.active())) }
  const workerId = options.workerId ?? newWorkerId()
  const tools: RunTools = { ...options, leaseMs, seedings, capacity, workerId, lease: createLease(leaseMs) }
  const closing = new AbortController()
  const runs = createRuns(ports, tools, closing.signal)
  const renew = createRenewal(ports, tools)
  const changes = createNotifier()
  const state = { isWanted: false }
  let rounds: Promise<void> | undefined

  async function round(): Promise<void> {
    const workers = await ports.crawls.reap()
    for (const dead of workers.filter(hasDied)) await ports.crawls.release(dead)
    if (runs.size() > 0) await renew()
    for (const crawl of await ports.crawls.running()) runs.begin(crawl, changes.notify)
  }

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      state.isWanted = false
      const isRead = await round().then(
        () => true,
        (cause: unknown) => void log.error('crawls could not be read', { cause }),
      )
      if (isRead && runs.size() === 0 && !state.isWanted) return
      await changes.wait(roundMs)
    }
  }

  function wake(crawlId?: string): void {
    if (crawlId !== undefined && runs.has(crawlId)) return
    options.eventWritten()
    if (closing.signal.aborted) return
    state.isWanted = true
    runs.recheck()
    changes.notify()
    rounds ??= work().finally(() => {
      rounds = undefined
      // `wake` may have been called after the last check.
      if (state.isWanted) wake()
      else options.rested?.()
    })
  }

  return {
    wake,
    async close() {
      closing.abort(new Error('The program ends.'))
      changes.notify()
      await Promise.all([rounds, runs.ended()])
      await ports.crawls
        .release(tools.workerId)
        .catch((cause: unknown) => log.warn('crawl pages could not be returned', { cause }))
    },
  }
}

/** The crawls this process works on. One whose run failed is left alone for a while. */
function createRuns(ports: RunPorts, tools: RunTools, closing: AbortSignal) {
  const runs = new Map<string, Run & { teamId: string }>()
  const failed = new Map<string, number>()
  return {
    has: (crawlId: string) => runs.has(crawlId),
    size: () => runs.size + failed.size,
    active: () => runs.size,
    begin(crawl: Parameters<typeof startRun>[1], ended: () => void): void {
      if (runs.has(crawl.id) || (failed.get(crawl.id) ?? 0) > performance.now()) return
      if ([...runs.values()].filter(({ teamId }) => teamId === crawl.teamId).length >= runsPerTeam) return
      failed.delete(crawl.id)
      const run = startRun(ports, crawl, tools, closing)
      runs.set(crawl.id, { ...run, teamId: crawl.teamId })
      void run.ended.then((how) => {
        runs.delete(crawl.id)
        if (how === 'failed') failed.set(crawl.id, performance.now() + retryCrawlMs)
        return ended()
      })
    },
    recheck: () => runs.forEach((run) => run.recheck()),
    ended: async () => void (await Promise.all([...runs.values()].map(({ ended }) => ended))),
  }
}

function createRenewal(
  { crawls }: Pick<RunPorts, 'crawls'>,
  { workerId: owner, leaseMs, lease }: RunTools,
): () => Promise<void> {
  let renewedAt = -Infinity
  return async () => {
    if (performance.now() - renewedAt < leaseMs / 3) return
    renewedAt = performance.now()
    await lease.renew(() => crawls.renew(owner, leaseMs))
  }
}
