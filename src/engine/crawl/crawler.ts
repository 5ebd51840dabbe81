import { hostname } from 'node:os'
import { createNotifier } from '../../util/notifier.ts'
import { type Run, type RunPorts, type RunTools, startRun } from './runner/run.ts'
import type { Crawler } from '../../contracts/crawl.ts'

export type CrawlerOptions = Omit<RunTools, 'owner' | 'leaseMs'> & { leaseMs?: number }

/** Well above what one page takes between two renewals; what a dead process of another machine held waits so long. */
const usualLeaseMs = 30_000
const roundMs = 1000
/** A crawl that this process could not work on is tried again after so long. */
const troubledMs = 10_000

/**
 * Works on all crawls that are not over, those of other processes on the same data included: they share the pages.
 * Starts with `wake` and rests when nothing is left to do.
 */
export function createCrawler(ports: RunPorts, options: CrawlerOptions): Crawler & { close(): Promise<void> } {
  const { leaseMs = usualLeaseMs, log } = options
  const tools: RunTools = { ...options, leaseMs, owner: newOwner() }
  const closing = new AbortController()
  const runs = createRuns(ports, tools, closing.signal)
  const renew = createRenewal(ports, tools)
  const news = createNotifier()
  const state = { isWanted: false }
  let rounds: Promise<void> | undefined

  async function round(): Promise<void> {
    const owners = await ports.crawls.reap()
    for (const owner of owners.filter(hasDied)) await ports.crawls.release(owner)
    if (runs.size() > 0) await renew()
    for (const crawl of await ports.crawls.running()) runs.begin(crawl, news.notify)
  }

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      state.isWanted = false
      await round().catch((cause: unknown) => log.error('crawls could not be looked at', { cause }))
      if (runs.size() === 0 && !state.isWanted) return
      await news.wait(roundMs)
    }
  }

  function wake(crawlId?: string): void {
    if (crawlId !== undefined && runs.has(crawlId)) return
    options.told()
    if (closing.signal.aborted) return
    state.isWanted = true
    runs.look()
    news.notify()
    rounds ??= work().finally(() => {
      rounds = undefined
      // Somebody may have called between the last look and this.
      if (state.isWanted) wake()
    })
  }

  return {
    wake,
    async close() {
      closing.abort(new Error('The program ends.'))
      news.notify()
      await Promise.all([rounds, runs.ended()])
      await ports.crawls
        .release(tools.owner)
        .catch((cause: unknown) => log.warn('crawl pages not given back', { cause }))
    },
  }
}

/** The crawls this process works on. One that ended in trouble is left alone for a while. */
function createRuns(ports: RunPorts, tools: RunTools, closing: AbortSignal) {
  const runs = new Map<string, Run>()
  const troubled = new Map<string, number>()
  return {
    has: (crawlId: string) => runs.has(crawlId),
    size: () => runs.size + troubled.size,
    begin(crawl: Parameters<typeof startRun>[1], ended: () => void): void {
      if (runs.has(crawl.id) || (troubled.get(crawl.id) ?? 0) > performance.now()) return
      troubled.delete(crawl.id)
      const run = startRun(ports, crawl, tools, closing)
      runs.set(crawl.id, run)
      void run.ended.then((how) => {
        runs.delete(crawl.id)
        if (how === 'in trouble') troubled.set(crawl.id, performance.now() + troubledMs)
        return ended()
      })
    },
    look: () => runs.forEach((run) => run.look()),
    ended: async () => void (await Promise.all([...runs.values()].map(({ ended }) => ended))),
  }
}

function createRenewal({ crawls }: Pick<RunPorts, 'crawls'>, { owner, leaseMs }: RunTools): () => Promise<void> {
  let renewedAt = -Infinity
  return async () => {
    if (performance.now() - renewedAt < leaseMs / 3) return
    renewedAt = performance.now()
    await crawls.renew(owner, leaseMs)
  }
}

/** Names this process, so that another one on the machine can see that it has died and need not wait for its leases. */
const newOwner = (): string => [hostname(), process.pid, startedAt(), crypto.randomUUID()].join(' ')

/** True only where it is sure: on this machine, and no such process any more. */
function hasDied(owner: string): boolean {
  const [host, pid, started] = owner.split(' ')
  if (host !== hostname() || pid === undefined) return false
  if (Number(pid) === process.pid) return started !== startedAt()
  return !isAlive(Number(pid))
}

/** A process id is used again; together with this it is not. */
const startedAt = () => String(Math.round(performance.timeOrigin))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
