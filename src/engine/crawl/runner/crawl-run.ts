import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedPage, Crawl, PageOutcome } from '../../../contracts/crawl-ports.ts'
import { type Notifier, createNotifier } from '../../../util/async.ts'
import { minScrapeCredits } from '../../billing/price.ts'
import { isEphemeral, jobEvent, pageInput, requestOf, withoutCauses } from './crawl-job.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { createLinks, createRobotsCache, type RobotsCache } from '../crawl-links.ts'
import type { CrawlOptions } from '../crawl-options.ts'
import { createExtendableScope } from '../scope/crawl-scope.ts'
import { createFileFolders } from '../scope/file-names.ts'
import { hostKey } from '../scope/key.ts'
import { type RunPorts, type RunTools, createBudget, type Budget, type HeldCredits, type Work } from './run-tools.ts'
import { ensureSeeded } from './seed.ts'
import { type CrawlWork, visitPage } from './visit-page.ts'

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
 * Minimum time between two claims, unless half of the visits have ended: a claim of ten pages costs as much as a claim
 * of one.
 */
const claimMs = 25
/** Pause before a failed write is retried. */
const retryWriteMs = 5000

/** Creates the state of a run. `visited`: pages being visited; `maxVisited`: their number after the last claim. */
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
            await held?.release().catch((cause: unknown) => tools.log.warn('credits could not be released', { cause }))
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
    await budget.close().catch((cause: unknown) => tools.log.warn('credits could not be released', { cause }))
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

/** Tools of one visit. `ended`: to be called when the visit is over, before its outcome is written. */
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
      // If this process was paused, another one may have taken over the page, and both would fetch it.
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

/** Writes the outcome. Not async, because an async function would keep the outcome in memory until it is written. */
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

async function createWork(
  ports: Pick<Ports, 'crawls' | 'fetchPage' | 'clock'>,
  crawl: Crawl,
  { userAgent }: { userAgent: string },
  signal: AbortSignal,
): Promise<Work> {
  const { options, page } = requestOf(crawl)
  const headers = page.headers ?? {}
  const skipTlsVerification = page.skipTlsVerification ?? Object.keys(headers).length === 0
  const request = { teamId: crawl.teamId, headers, skipTlsVerification }
  const robots = createRobotsCache(ports, userAgent, {
    agent: options?.robotsUserAgent,
    home: options ? new URL(options.url).origin : undefined,
    ...request,
    signal,
  })
  const rules = options ? await rulesOf(ports, crawl, options, robots) : undefined
  let finalUrl = crawl.finalUrl
  const work = {
    crawl,
    options,
    robots,
    request,
    rules,
    signal,
    async refresh(fresh: Crawl) {
      work.crawl = fresh
      if (fresh.finalUrl === null || fresh.finalUrl === finalUrl) return
      finalUrl = fresh.finalUrl
      await rules?.scope.extend(fresh.finalUrl)
      await rules?.links.releaseDeferred()
    },
    async refreshNow() {
      const fresh = await ports.crawls.find(crawl.id)
      if (fresh) await work.refresh(fresh)
    },
  }
  return work
}

async function rulesOf(
  ports: Pick<Ports, 'crawls' | 'clock'>,
  crawl: Crawl,
  options: CrawlOptions,
  robots: RobotsCache,
): Promise<NonNullable<CrawlWork['rules']>> {
  const bases = [options.url, ...(crawl.finalUrl === null ? [] : [crawl.finalUrl])]
  const warn = (text: string) => void ports.crawls.warn(crawl.id, text).catch(() => {})
  const scope = await createExtendableScope(bases, options, warn, ports.clock.now())
  const counted = options.ignoreRobotsTxt ? undefined : robots
  return {
    scope,
    robots: counted,
    applyCrawlDelay: createCrawlDelays(ports, crawl.id, robots),
    links: createLinks(ports, { crawlId: crawl.id, scope, robots: counted, isStartVisited: hasVisitedStart(crawl) }),
    files: createFileFolders(),
    followsLinks: options.sitemap !== 'only',
  }
}

/** True if any page has been visited, because the start URL is visited first. */
const hasVisitedStart = ({ finalUrl, counts: { done, failed, dropped } }: Crawl) =>
  finalUrl !== null || done + failed + dropped > 0

/** Sets the crawl delay from a site's robots.txt, once per host, and returns it in ms. */
function createCrawlDelays(
  { crawls }: Pick<Ports, 'crawls'>,
  crawlId: string,
  robots: RobotsCache,
): (url: string) => Promise<number> {
  const known = new Map<string, Promise<number>>()
  async function find(url: string, host: string): Promise<number> {
    const delayMs = robots.delayMs(await robots.of(url)) ?? 0
    if (delayMs > 0) await crawls.setCrawlDelay(crawlId, host, delayMs)
    return delayMs
  }
  return (url) => {
    const host = hostKey(url)
    const delay = known.get(host) ?? find(url, host)
    known.set(host, delay)
    // The next caller tries again.
    delay.catch(() => known.delete(host))
    return delay
  }
}
