import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedPage, Crawl, PageOutcome } from '../../../contracts/crawl.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { toAppError } from '../../../kernel/error.ts'
import type { Log } from '../../../kernel/log.ts'
import { monthStart } from '../../../util/month.ts'
import { type Notifier, createNotifier } from '../../../util/notifier.ts'
import { kickOff } from '../discovery/discover.ts'
import { jobEvent } from './job.ts'
import { visitPage, type VisitPorts } from './visit.ts'
import { createWork, type Work } from './work.ts'

export type RunPorts = VisitPorts & Pick<Ports, 'account' | 'usage'>
export type RunTools = {
  owner: string
  leaseMs: number
  hostConcurrency: number
  userAgent: string
  log: Log
  /** Called when a webhook event was written down. */
  told(): void
}
export type Run = {
  /** Resolves when the crawl is over, when this process is to let go of it, or when it could not go on. Never rejects. */
  ended: Promise<'over' | 'in trouble'>
  /** Something about the crawl has changed: another process or a call may have ended it. */
  look(): void
}

/** How often a crawl whose pages may not be visited yet is looked at again. */
const idleMs = 50
/** How often a crawl is asked whether another process ended it. */
const lookMs = 1000
/** What could not be written down is tried again after so long. */
const troubledMs = 5000

/** Works on one crawl until nothing is left of it; `closing` lets go of it in the middle. */
export function startRun(ports: RunPorts, crawl: Crawl, tools: RunTools, closing: AbortSignal): Run {
  const over = new AbortController()
  const news = createNotifier()
  const state = { lookAt: 0 }
  const signal = AbortSignal.any([over.signal, closing])
  const ended = run(ports, crawl, tools, { over, closing, signal, state, news }).then(
    () => 'over' as const,
    (cause: unknown) => {
      if (closing.aborted) return 'over'
      tools.log.error('crawl stopped', { crawlId: crawl.id, cause })
      return 'in trouble'
    },
  )
  return {
    ended,
    look() {
      state.lookAt = 0
      news.notify()
    },
  }
}

type Control = {
  over: AbortController
  closing: AbortSignal
  signal: AbortSignal
  state: { lookAt: number }
  news: Notifier
}

async function run(ports: RunPorts, crawl: Crawl, tools: RunTools, control: Control): Promise<void> {
  const { signal, state, news } = control
  const work = await createWork(ports, crawl, tools, signal)
  const budget = createBudget(ports, crawl.teamId)
  const kicking = beKickedOff(ports, work, tools)
  kicking.catch(() => {})
  const pages = new Set<Promise<void>>()
  try {
    while (!signal.aborted) {
      if (performance.now() >= state.lookAt && !(await isStillOn(ports, work, control))) break
      for (const page of await claim(ports, work, tools, { budget, underWay: pages.size })) {
        const visit = visitOne(ports, work, { ...tools, closing: control.closing }, page).finally(() => {
          pages.delete(visit)
          news.notify()
        })
        pages.add(visit)
      }
      if (pages.size === 0 && (await complete(ports, work, tools))) break
      await news.wait(pages.size > 0 ? lookMs : idleMs)
    }
  } finally {
    control.over.abort(new Error('The crawl is over here.'))
    await Promise.allSettled([kicking, ...pages])
  }
}

async function isStillOn(ports: RunPorts, work: Work, { state }: Control): Promise<boolean> {
  state.lookAt = performance.now() + lookMs
  const crawl = await ports.crawls.find(work.crawl.id)
  if (crawl?.status !== 'scraping') return false
  await work.refresh(crawl)
  return true
}

/** Pages are taken several at a time, when half of those under way have ended: each look at the database costs the same. */
async function claim(
  ports: RunPorts,
  work: Work,
  tools: RunTools,
  { budget, underWay }: { budget: Budget; underWay: number },
): Promise<ClaimedPage[]> {
  const { crawl, options } = work
  const byLevel = options?.maxDiscoveryDepth === undefined ? 'as found' : 'by depth'
  if (byLevel === 'by depth' && !crawl.isSeeded) return []
  const { maxConcurrency, load } = ports.account
  const cap = Math.min(crawl.maxConcurrency, Math.max(1, maxConcurrency - load(crawl.teamId).waiting))
  if (underWay > cap / 2) return []
  const room = await budget.room(underWay)
  if (room === 'spent') await endEarly(ports, crawl)
  if (room === 'spent' || room === 0) return []
  const { owner, leaseMs, hostConcurrency } = tools
  const count = Math.min(cap - underWay, room)
  const pages = await ports.crawls.claim({
    crawlId: crawl.id,
    workerId: owner,
    count,
    leaseMs,
    hostConcurrency,
    order: byLevel,
  })
  budget.took(pages.length)
  return pages
}

async function endEarly({ crawls }: RunPorts, { id }: Crawl): Promise<void> {
  await crawls.stopClaiming(id)
  const crawl = await crawls.find(id)
  if (crawl && crawl.counts.waiting > 0)
    await crawls.warn(id, 'The monthly credits are spent, so that not all pages were taken.')
}

type VisitTools = RunTools & { closing: AbortSignal }

async function visitOne(ports: RunPorts, work: Work, tools: VisitTools, page: ClaimedPage): Promise<void> {
  const isFinished = await visitInTurn(ports, work, tools, page).catch((cause: unknown) => {
    if (!work.signal.aborted) tools.log.error('page of a crawl not finished', { crawlId: page.crawlId, cause })
    return false
  })
  if (!isFinished) await giveBack(ports, tools, page)
}

async function visitInTurn(ports: RunPorts, work: Work, tools: RunTools, page: ClaimedPage): Promise<boolean> {
  const leave = await ports.account.enter(page.teamId, work.signal)
  try {
    await finish(ports, tools, page, await visitPage(ports, work, page))
    return true
  } finally {
    leave()
  }
}

/** Nobody else may take a page that is this process's, so one that a full disk kept from its end would wait as long as the process lives. */
async function giveBack({ crawls, clock }: RunPorts, { owner, closing }: VisitTools, page: ClaimedPage): Promise<void> {
  while (!closing.aborted) {
    const back = { kind: 'retry', at: clock.now() + lookMs, scope: 'page' } as const
    const given = await crawls.finish(page, owner, back).catch(() => undefined)
    if (given !== undefined) return
    await sleep(troubledMs, undefined, { signal: closing }).catch(() => {})
  }
}

async function finish(ports: RunPorts, tools: RunTools, page: ClaimedPage, outcome: PageOutcome): Promise<void> {
  const ended = await ports.crawls.finish(page, tools.owner, outcome)
  if (ended === 'finished' && 'delivery' in outcome && outcome.delivery) tools.told()
}

async function complete(ports: RunPorts, { crawl }: Work, tools: RunTools): Promise<boolean> {
  const isOver = await ports.crawls.complete(crawl.id, jobEvent(crawl, 'completed', ports.clock.now()))
  if (isOver) tools.told()
  return isOver
}

/** One process does it; should that one die, another does it again, which adds nothing twice. */
async function beKickedOff(ports: RunPorts, work: Work, tools: RunTools): Promise<void> {
  const { rules, options, signal } = work
  if (!rules || !options) return
  while (!signal.aborted && !work.crawl.isSeeded) {
    try {
      if (await ports.crawls.claimSeeding(work.crawl.id, tools.owner, tools.leaseMs))
        return await endKickOff(ports, work, tools)
    } catch (cause) {
      signal.throwIfAborted()
      tools.log.error('crawl not kicked off', { crawlId: work.crawl.id, cause })
      await sleep(troubledMs, undefined, { signal })
    }
    await sleep(lookMs, undefined, { signal })
  }
}

async function endKickOff(ports: RunPorts, work: Work, tools: RunTools): Promise<void> {
  const { crawl, rules, options, robots, request, signal } = work
  if (!rules || !options) return
  const { links, keepDistance } = rules
  const kicked = await kickOff(ports, { crawl, options, robots, links, keepDistance, request, signal }).catch(
    (thrown: unknown) => {
      signal.throwIfAborted()
      const { code, message, cause } = toAppError(thrown)
      tools.log.error('crawl not begun', { crawlId: crawl.id, cause })
      return { warnings: [], error: { code, message } }
    },
  )
  const failed = kicked.error && jobEvent(crawl, 'failed', ports.clock.now(), { error: kicked.error.message })
  await ports.crawls.finishSeeding(crawl.id, kicked, failed ?? undefined)
  if (failed) tools.told()
  await work.look()
}

/** How many pages a crawl may take before the credits of its team are spent. */
type Budget = {
  /** Pages that may be taken now, with so many under way; `spent` once no credit is left. */
  room(underWay: number): Promise<number | 'spent'>
  took(pages: number): void
}

const recountMs = 1000

/**
 * Keeps to the credits of the month. The ledger is asked at most once a second; in between each page counts as the one
 * credit that most of them cost, so that a crawl goes beyond the limit by little.
 */
function createBudget({ account, usage, clock }: Pick<Ports, 'account' | 'usage' | 'clock'>, teamId: string): Budget {
  const { monthlyCredits } = account
  let left = Infinity
  let isSpent = false
  let lookAt = 0

  async function look(limit: number, underWay: number): Promise<void> {
    lookAt = performance.now() + recountMs
    const used = await usage.since(teamId, monthStart(clock.now()))
    isSpent = used >= limit
    left = limit - used - underWay
  }

  return {
    async room(underWay) {
      if (monthlyCredits === undefined) return Infinity
      // Nothing is left and nothing is under way: what that cost is known now.
      if (performance.now() >= lookAt || (left <= 0 && underWay === 0 && !isSpent)) await look(monthlyCredits, underWay)
      return isSpent ? 'spent' : Math.max(0, left)
    },
    took: (pages) => void (left -= pages),
  }
}
