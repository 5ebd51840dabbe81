import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedPage, Crawl, PageOutcome } from '../../../contracts/crawl-ports.ts'
import { type Notifier, createNotifier } from '../../../util/async.ts'
import { leastScrapeCredits } from '../../billing/price.ts'
import { isUnkept, jobEvent, pageInput, requestOf, withoutCauses } from './crawl-job.ts'
import { type RunPorts, type RunTools, createBudget, type Budget, type HeldCredits } from './run-tools.ts'
import { visitPage } from './visit-page.ts'
import { createWork, type Work } from './work.ts'
import { toAppError } from '../../../kernel/error.ts'
import { seedCrawl } from '../seed.ts'

/** Pause between attempts to seed a crawl, for example while another worker seeds it. */
const otherMs = 1000

/** Makes one worker seed the crawl. If that worker dies, another starts over without adding a page twice. */
async function ensureSeeded(ports: RunPorts, work: Work, tools: RunTools): Promise<void> {
  const { rules, options, signal } = work
  if (!rules || !options) return
  while (!signal.aborted && !work.crawl.isSeeded) {
    try {
      if (await seedInTurn(ports, work, tools)) return
    } catch (cause) {
      signal.throwIfAborted()
      tools.log.error('crawl could not be seeded', { crawlId: work.crawl.id, cause })
      await sleep(retryWriteMs, undefined, { signal })
    }
    await sleep(otherMs, undefined, { signal })
  }
}

/** Returns false if another worker seeds the crawl. */
async function seedInTurn(ports: RunPorts, work: Work, tools: RunTools): Promise<boolean> {
  const { crawl, signal } = work
  const leave = await tools.seedings.acquire(crawl.teamId, signal)
  try {
    const isOurs = await ports.crawls.claimSeeding(crawl.id, tools.workerId, tools.leaseMs)
    if (isOurs) await seed(ports, work, tools)
    return isOurs
  } finally {
    leave()
  }
}

async function seed(ports: RunPorts, work: Work, tools: RunTools): Promise<void> {
  const { crawl, rules, options, robots, request, signal } = work
  if (!rules || !options) return
  const { links, applyCrawlDelay } = rules
  const result = await seedCrawl(ports, {
    crawl,
    options,
    robots,
    links,
    applyCrawlDelay,
    request,
    signal,
  }).catch((thrown: unknown) => {
    signal.throwIfAborted()
    const { code, message, cause } = toAppError(thrown)
    tools.log.error('crawl could not be seeded', { crawlId: crawl.id, cause })
    return { warnings: [], error: { code, message } }
  })
  const failed = result.error && jobEvent(crawl, 'failed', ports.clock.now(), { error: result.error.message })
  await ports.crawls.finishSeeding(crawl.id, result, failed ?? undefined)
  if (failed) tools.eventWritten()
  await work.refreshNow()
}

export type Run = {
  /** Resolves when the crawl is over, when this process closes, or when the run failed. Never rejects. */
  ended: Promise<'over' | 'failed'>
  /** Reads the crawl again: another process or a call may have ended it. */
  recheck(): void
}

/** Pause between two attempts to claim pages while none may be visited yet. */
const idleMs = 50
/**
 * Interval in ms for reading the crawl again (another process may have ended it), and for checking if it is complete.
 */
const recheckMs = 1000
/** No pages are claimed while more than this share of the allowed concurrent pages is being visited. */
const fullShare = 1 / 2
/** Pause before a failed write is retried. */
const retryWriteMs = 5000

/** Works on a crawl until nothing is left to do or `closing` aborts. */
export function startRun(ports: RunPorts, crawl: Crawl, shared: RunTools, closing: AbortSignal): Run {
  const tools = isUnkept(requestOf(crawl)) ? { ...shared, log: withoutCauses(shared.log) } : shared
  const over = new AbortController()
  const changes = createNotifier()
  const state = { recheckAt: 0, completeAt: 0 }
  const signal = AbortSignal.any([over.signal, closing])
  signal.addEventListener('abort', changes.notify, { once: true })
  const ended = run(ports, crawl, tools, { over, closing, signal, state, changes }).then(
    () => 'over' as const,
    (cause: unknown) => {
      if (closing.aborted) return 'over'
      tools.log.error('crawl stopped', { crawlId: crawl.id, cause })
      return 'failed'
    },
  )
  return {
    ended,
    recheck() {
      state.recheckAt = 0
      changes.notify()
    },
  }
}

type Control = {
  over: AbortController
  closing: AbortSignal
  signal: AbortSignal
  state: { recheckAt: number; completeAt: number }
  changes: Notifier
}

async function run(ports: RunPorts, crawl: Crawl, tools: RunTools, control: Control): Promise<void> {
  const { signal, state, changes } = control
  const work = await createWork(ports, crawl, tools, signal)
  const budget = createBudget(ports, crawl.teamId, leastScrapeCredits(pageInput(requestOf(crawl), crawl.target)))
  const seeding = ensureSeeded(ports, work, tools).finally(() => void (state.completeAt = 0))
  seeding.catch(() => {})
  const pages = new Set<Promise<void>>()
  try {
    while (!signal.aborted) {
      if (performance.now() >= state.recheckAt && !(await isStillRunning(ports, work, control))) break
      for (const { page, held, isLeased } of await claim(ports, work, tools, { budget, underWay: pages.size })) {
        const visit = visitOne(ports, work, { ...tools, closing: control.closing, isLeased }, page).finally(
          async () => {
            pages.delete(visit)
            state.completeAt = 0
            await held
              ?.release()
              .catch((cause: unknown) => tools.log.warn('credits could not be given back', { cause }))
            changes.notify()
          },
        )
        pages.add(visit)
      }
      if (pages.size === 0 && (await complete(ports, work, tools, state))) break
      await changes.wait(pages.size > 0 ? recheckMs : idleMs)
    }
  } finally {
    control.over.abort(new Error('The crawl is over here.'))
    await Promise.allSettled([seeding, ...pages])
    await budget.close().catch((cause: unknown) => tools.log.warn('credits could not be given back', { cause }))
  }
}

async function isStillRunning(ports: RunPorts, work: Work, { state }: Control): Promise<boolean> {
  state.recheckAt = performance.now() + recheckMs
  const crawl = await ports.crawls.find(work.crawl.id)
  if (crawl?.status !== 'scraping') return false
  await work.refresh(crawl)
  return true
}

/**
 * Claims pages in batches, once half of the current visits have ended: a claim costs the same for one page as for ten.
 */
async function claim(
  ports: RunPorts,
  work: Work,
  tools: RunTools,
  { budget, underWay }: { budget: Budget; underWay: number },
): Promise<{ page: ClaimedPage; held: HeldCredits | undefined; isLeased(): boolean }[]> {
  const { crawl, options } = work
  const order = options?.maxDiscoveryDepth === undefined ? 'as found' : 'by depth'
  if (order === 'by depth' && !crawl.isSeeded) return []
  const { maxConcurrency } = await ports.account.limitsOf(crawl.teamId)
  const { waiting } = await ports.account.load(crawl.teamId)
  const cap = Math.min(crawl.maxConcurrency, Math.max(1, maxConcurrency - waiting), tools.capacity.share())
  if (underWay > cap * fullShare) return []
  const room = await budget.room(cap - underWay)
  if (room === 'spent') await stopWithoutCredits(ports, crawl)
  if (room === 'spent' || room === 0) return []
  const { workerId, leaseMs, hostConcurrency } = tools
  const isLeased = tools.lease.begin()
  const pages = await ports.crawls.claim({
    crawlId: crawl.id,
    workerId,
    count: room,
    leaseMs,
    hostConcurrency,
    order,
  })
  const held = await budget.claimed(pages.length)
  return pages.map((page, at) => ({ page, held: held[at], isLeased }))
}

async function stopWithoutCredits({ crawls }: RunPorts, { id }: Crawl): Promise<void> {
  await crawls.stopClaiming(id)
  const crawl = await crawls.find(id)
  if (crawl && crawl.counts.waiting > 0)
    await crawls.warn(id, 'The monthly credits are spent, so that not all pages were taken.')
}

type VisitTools = RunTools & { closing: AbortSignal; isLeased(): boolean }

async function visitOne(ports: RunPorts, work: Work, tools: VisitTools, page: ClaimedPage): Promise<void> {
  const isFinished = await visitInTurn(ports, work, tools, page).catch((cause: unknown) => {
    if (!work.signal.aborted) tools.log.error('page of a crawl not finished', { crawlId: page.crawlId, cause })
    return false
  })
  if (!isFinished) await returnPage(ports, tools, page)
}

async function visitInTurn(ports: RunPorts, work: Work, tools: VisitTools, page: ClaimedPage): Promise<boolean> {
  return tools.capacity.inTurn(page.crawlId, work.signal, async () => {
    const leave = await ports.account.enter(page.teamId, work.signal)
    try {
      // After a pause of this process, another process may already hold the page, and both would fetch it.
      if (!tools.isLeased()) return false
      await finish(ports, tools, page, await visitPage(ports, work, page))
      return true
    } finally {
      leave()
    }
  })
}

/**
 * Returns a page to the frontier. Only the lease holder may do this, so it retries until the write succeeds; otherwise
 * the page stays leased while this process lives.
 */
async function returnPage(
  { crawls, clock }: RunPorts,
  { workerId, closing }: VisitTools,
  page: ClaimedPage,
): Promise<void> {
  while (!closing.aborted) {
    const retry = { kind: 'retry', at: clock.now() + recheckMs, scope: 'page' } as const
    const written = await crawls.finish(page, workerId, retry).catch(() => undefined)
    if (written !== undefined) return
    await sleep(retryWriteMs, undefined, { signal: closing }).catch(() => {})
  }
}

async function finish(ports: RunPorts, tools: RunTools, page: ClaimedPage, outcome: PageOutcome): Promise<void> {
  const ended = await ports.crawls.finish(page, tools.workerId, outcome)
  if (ended === 'finished' && 'delivery' in outcome && outcome.delivery) tools.eventWritten()
}

async function complete(ports: RunPorts, { crawl }: Work, tools: RunTools, state: Control['state']): Promise<boolean> {
  if (performance.now() < state.completeAt) return false
  state.completeAt = performance.now() + recheckMs
  const isOver = await ports.crawls.complete(crawl.id, jobEvent(crawl, 'completed', ports.clock.now()))
  if (isOver) tools.eventWritten()
  return isOver
}
