import type { Clock } from './clock.ts'
import { createHeap } from './heap.ts'

type Host = { nth: number; waiting: number; active: number; nextAt: number; busyMs: number; version: number }
/** A page that a worker has leased. */
export type Visit = { host: Host; leasedAt: number }
export type Choice = { host: Host; count: number }
export type Frontier = {
  /** Hosts that a claim reads before it waits for the lock; other workers may be faster. */
  choose(count: number): Choice[]
  /** Runs under the lock, and checks everything again. */
  lease(choices: readonly Choice[], askedAt: number): Visit[]
  /**
   * Ends a visit, which frees a slot of its host. All workers see that immediately; in reality they see it once it is
   * written.
   */
  end(visit: Visit): void
  /** Writes the outcome of a visit. */
  finish(): void
  isOver(): boolean
  /** Time for which the busiest host was at its limit or paused. */
  busiestMs(): number
}
export type FrontierLoad = { pagesOfHosts: readonly number[]; hostConcurrency: number; crawlDelayMs: number }

/**
 * Follows the rules of `src/engine/store/sqlite/crawl/frontier.ts`: hosts are chosen first, the least recently visited
 * first.
 */
export function createFrontier(clock: Clock, { pagesOfHosts, hostConcurrency, crawlDelayMs }: FrontierLoad): Frontier {
  const hosts = pagesOfHosts.map((waiting, nth): Host => ({
    nth,
    waiting,
    active: 0,
    nextAt: 0,
    busyMs: 0,
    version: 0,
  }))
  const limit = crawlDelayMs > 0 ? 1 : hostConcurrency
  /** Entries keep their state at insertion; a host that has changed since is entered again. */
  const free = createHeap<Host>(
    (one, other) =>
      one.nextAt < other.nextAt ||
      (one.nextAt === other.nextAt &&
        (one.active < other.active || (one.active === other.active && one.nth < other.nth))),
  )
  let left = pagesOfHosts.reduce((sum, pages) => sum + pages, 0)

  function enter(host: Host): void {
    host.version += 1
    if (host.waiting > 0 && host.active < limit) free.push({ ...host })
  }

  function mayBeVisited(count: number): Host[] {
    const entries: Host[] = []
    for (let first = free.first(); entries.length < count && first; first = free.first()) {
      if (hosts[first.nth]?.version === first.version) {
        if (first.nextAt > clock.now()) break
        entries.push(first)
      }
      free.pop()
    }
    entries.forEach(free.push)
    return entries.flatMap(({ nth }) => hosts[nth] ?? [])
  }

  hosts.forEach(enter)
  return {
    choose(room) {
      const chosen = mayBeVisited(room)
      const share = Math.ceil(room / chosen.length)
      let rest = room
      return chosen.flatMap((host) => {
        const count = Math.min(rest, share, host.waiting, limit - host.active)
        rest -= count
        return count > 0 ? [{ host, count }] : []
      })
    },
    lease: (choices, askedAt) =>
      choices.flatMap(({ host, count }) => {
        const isFree = host.nextAt <= askedAt
        const leased = isFree ? Math.max(0, Math.min(count, host.waiting, limit - host.active)) : 0
        host.waiting -= leased
        host.active += leased
        host.nextAt = Math.max(host.nextAt, askedAt)
        enter(host)
        return Array.from({ length: leased }, () => ({ host, leasedAt: clock.now() }))
      }),
    end({ host, leasedAt }) {
      host.active -= 1
      host.busyMs += (clock.now() - leasedAt) / limit
      if (crawlDelayMs > 0) {
        host.nextAt = Math.max(host.nextAt, clock.now() + crawlDelayMs)
        if (host.waiting > 0) host.busyMs += crawlDelayMs
      }
      enter(host)
    },
    finish: () => void left--,
    isOver: () => left === 0,
    busiestMs: () => hosts.reduce((most, { busyMs }) => Math.max(most, busyMs), 0),
  }
}

/** Pages of each host: the nth has a share of 1/n^skew; 0 spreads them evenly. */
export function spreadPages(pages: number, hosts: number, skew: number): number[] {
  const weights = Array.from({ length: hosts }, (_, nth) => (nth + 1) ** -skew)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let [sum, given] = [0, 0]
  return weights.map((weight) => {
    sum += weight
    const count = Math.round((pages * sum) / all) - given
    given += count
    return count
  })
}
