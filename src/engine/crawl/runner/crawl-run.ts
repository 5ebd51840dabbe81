import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedPage, Crawl, PageOutcome } from '../../../contracts/crawl-ports.ts'
import { type Notifier, createNotifier } from '../../../util/async.ts'
import { minScrapeCredits } from '../../billing/price.ts'
import { isEphemeral, jobEvent, pageInput, requestOf, withoutCauses } from './crawl-job.ts'
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
/**
 * Claims are at least this many ms apart, unless half of the visits have ended: one for ten pages costs as one for one.
 */
const claimMs = 25
/** Pause before a failed write is retried. */
const retryWriteMs = 5000

/** `visited`: pages being visited; `maxVisited`: their number after the last claim. */
const newState = () => ({ recheckAt: 0, completeAt: 0, claimAt: 0, maxVisited: 0, visited: new Set<ClaimedPage>() })

/** Works on a crawl until nothing is left to do or `closing` aborts. */
export function startRun(ports: RunPorts, crawl: Crawl, shared: RunTools, closing: AbortSignal): Run {
  const tools = isEphemeral(requestOf(crawl)) ? { ...shared, log: withoutCauses(shared.log) } : shared
  const over = new AbortController()
  const changes = createNotifier()
  const state = newState()
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
  state: ReturnType<typeof newState>
  changes: Notifier
}

async function run(ports: RunPorts, crawl: Crawl, tools: RunTools, control: Control): Promise<void> {
  const { signal, state, changes } = control
  const work = await createWork(ports, crawl, tools, signal)
  const budget = createBudget(ports, crawl.teamId, minScrapeCredits(pageInput(requestOf(crawl), crawl.target)))
  const seeding = ensureSeeded(ports, work, tools).finally(() => void (state.completeAt = 0))
  seeding.catch(() => {})
  const pages = new Set<Promise<void>>()
  try {
    while (!signal.aborted) {
      if (performance.now() >= state.recheckAt && !(await isStillRunning(ports, work, control))) break
      for (const { page, held, isLeased } of await claim(ports, work, tools, budget, state)) {
        const ended = () => {
          state.visited.delete(page)
          changes.notify()
        }
        const visit = visitOne(ports, work, { ...tools, closing: control.closing, isLeased, ended }, page).finally(
          async () => {
            pages.delete(visit)
            state.completeAt = 0
            await held
              ?.release()
              .catch((cause: unknown) => tools.log.warn('credits could not be given back', { cause }))
            ended()
          },
        )
        pages.add(visit)
      }
      if (pages.size === 0 && (await complete(ports, work, tools, state))) break
      await changes.wait(pages.size === 0 ? idleMs : performance.now() < state.claimAt ? claimMs : recheckMs)
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

async function claim(
  ports: RunPorts,
  work: Work,
  tools: RunTools,
  budget: Budget,
  state: Control['state'],
): Promise<{ page: ClaimedPage; held: HeldCredits | undefined; isLeased(): boolean }[]> {
  const { visited } = state
  if (visited.size * 2 > state.maxVisited && performance.now() < state.claimAt) return []
  const { crawl, options } = work
  const order = options?.maxDiscoveryDepth === undefined ? 'as found' : 'by depth'
  const maxConcurrency = await concurrencyOf(ports, work)
  if (maxConcurrency === 0 || (order === 'by depth' && !crawl.isSeeded)) return []
  const { waiting } = await ports.account.load(crawl.teamId)
  const cap = Math.min(crawl.maxConcurrency, Math.max(1, maxConcurrency - waiting), tools.capacity.share())
  const room = await budget.room(Math.max(0, cap - visited.size))
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
  for (const page of pages) visited.add(page)
  state.maxVisited = visited.size
  if (pages.length > 0) state.claimAt = performance.now() + claimMs
  const held = await budget.claimed(pages.length)
  return pages.map((page, at) => ({ page, held: held[at], isLeased }))
}

/** Returns the team's concurrency: 0 while it is disabled, and after it was removed, which also cancels the crawl. */
async function concurrencyOf(ports: RunPorts, { crawl, signal }: Work): Promise<number> {
  const { maxConcurrency, disabled, stoppedAt } = await ports.account.limitsOf(crawl.teamId)
  const isStopped = crawl.createdAt <= stoppedAt
  if (isStopped) await ports.crawls.cancel(crawl.id)
  if (!disabled && !isStopped) return maxConcurrency
  await sleep(recheckMs, undefined, { signal }).catch(() => {})
  return 0
}

async function stopWithoutCredits({ crawls }: RunPorts, { id }: Crawl): Promise<void> {
  await crawls.stopClaiming(id)
  const crawl = await crawls.find(id)
  if (crawl && crawl.counts.waiting > 0)
    await crawls.warn(id, 'The monthly credits are used up, so the crawl ended before all pages were read.')
}

/** `ended`: call when the visit is over, before its outcome is written. */
type VisitTools = RunTools & { closing: AbortSignal; isLeased(): boolean; ended(): void }

async function visitOne(ports: RunPorts, work: Work, tools: VisitTools, page: ClaimedPage): Promise<void> {
  const isFinished = await visitInTurn(ports, work, tools, page).catch((cause: unknown) => {
    if (!work.signal.aborted) tools.log.error('page of a crawl not finished', { crawlId: page.crawlId, cause })
    return false
  })
  if (!isFinished) await returnPage(ports, tools, page)
}

async function visitInTurn(ports: RunPorts, work: Work, tools: VisitTools, page: ClaimedPage): Promise<boolean> {
  const ending = await tools.capacity.inTurn(page.crawlId, work.signal, async () => {
    const leave = await ports.account.enter(page.teamId, work.signal)
    try {
      // After a pause of this process, another process may already hold the page, and both would fetch it.
      return tools.isLeased() ? { written: finish(ports, tools, page, await visitPage(ports, work, page)) } : undefined
    } finally {
      leave()
    }
  })
  if (ending === undefined) return false
  tools.ended()
  await ending.written
  return true
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

/** Nothing here holds the outcome while it waits to be written. */
function finish(ports: RunPorts, tools: RunTools, page: ClaimedPage, outcome: PageOutcome): Promise<void> {
  const { workerId, eventWritten } = tools
  const hasEvent = 'delivery' in outcome && outcome.delivery !== undefined
  return ports.crawls
    .finish(page, workerId, outcome)
    .then((ended) => (ended === 'finished' && hasEvent ? eventWritten() : undefined))
}

async function complete(ports: RunPorts, { crawl }: Work, tools: RunTools, state: Control['state']): Promise<boolean> {
  if (performance.now() < state.completeAt) return false
  state.completeAt = performance.now() + recheckMs
  const isOver = await ports.crawls.complete(crawl.id, jobEvent(crawl, 'completed', ports.clock.now()))
  if (isOver) tools.eventWritten()
  return isOver
}
