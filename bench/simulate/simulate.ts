import { createRandom } from '../search/random.ts'
import { createClock, createLine } from './clock.ts'
import { createFrontier, spreadPages } from './frontier.ts'
import { type ServiceTimes, startWorker } from './worker.ts'

export type Load = {
  workers: number
  /** Pages that each worker reads at the same time. */
  pagesAtOnce: number
  /** Cores of each worker. */
  cores: number
  pages: number
  hosts: number
  /** Exponent of Zipf's law; 0: every host has as many pages. */
  skew: number
  hostConcurrency: number
  crawlDelayMs: number
  times: ServiceTimes
  /** Uniform spread of response and CPU times around their means: 0 none, 0.5 from half to one and a half times. */
  spread: number
  seed: number
}
/** Shares are of the whole time, from 0 to 1. */
export type Simulated = {
  seconds: number
  pagesPerSecond: number
  cpu: number
  lock: number
  /** Share of time for which the busiest host is at its limit. */
  host: number
  bound: 'CPU' | 'database lock' | 'hosts' | 'pages at once'
}

/**
 * A resource that is busy for a smaller share of the time is not the limit. If all are, the limit is the number of
 * pages that workers visit at once.
 */
const boundFrom = 0.85

/** Simulates one crawl. The same load gives the same figures. */
export function simulate(load: Load): Simulated {
  const { workers, pagesAtOnce, cores, pages, hosts, skew, times, spread, seed } = load
  const clock = createClock()
  const lock = createLine(clock, 1)
  const frontier = createFrontier(clock, { ...load, pagesOfHosts: spreadPages(pages, hosts, skew) })
  const random = createRandom(seed)
  const varied = (ms: number) => ms * (1 + spread * (2 * random.unit() - 1))
  const cpus = Array.from({ length: workers }, () => createLine(clock, cores))
  for (const cpu of cpus) startWorker({ clock, lock, frontier, times, varied, pagesAtOnce }, cpu)
  clock.run(frontier.isOver)
  const ms = clock.now()
  const shares = {
    cpu: cpus.reduce((sum, { busyMs }) => sum + busyMs(), 0) / (ms * cores * workers),
    lock: lock.busyMs() / ms,
    host: frontier.busiestMs() / ms,
  }
  return { seconds: ms / 1000, pagesPerSecond: (pages * 1000) / ms, ...shares, bound: boundOf(shares) }
}

function boundOf({ cpu, lock, host }: Pick<Simulated, 'cpu' | 'lock' | 'host'>): Simulated['bound'] {
  const most = Math.max(cpu, lock, host)
  if (most < boundFrom) return 'pages at once'
  // A page that waits for the CPU or the lock occupies its host meanwhile, so hosts are checked last.
  if (most === lock || lock >= boundFrom) return 'database lock'
  return cpu >= boundFrom ? 'CPU' : 'hosts'
}
