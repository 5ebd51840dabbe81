import type { Clock, Line } from './clock.ts'
import type { Frontier, Visit } from './frontier.ts'

/** Durations in ms, which are measured elsewhere and given to the simulation. */
export type ServiceTimes = {
  /** Response time of a site. */
  answer: number
  /** CPU of a page, on one core of its worker. */
  cpu: number
  /** Time that a claim of pages holds the lock of the database. */
  claim: number
  /** Time that a finished page holds the lock, including its entries in the cache and the full-text index. */
  finish: number
  /** Time that a renewal of the leases of a worker holds the lock. */
  upkeep: number
}
export type World = {
  clock: Clock
  lock: Line
  frontier: Frontier
  times: ServiceTimes
  /** The given time, randomly varied. */
  varied(ms: number): number
  pagesAtOnce: number
}

const [idleMs, claimMs, recheckMs, renewMs] = [50, 25, 1000, 10_000]

/** Simulates a worker on a crawl, like `src/engine/crawl/runner/crawl-run.ts`. */
export function startWorker(world: World, cpu: Line): void {
  const { clock, lock, frontier, times, varied, pagesAtOnce } = world
  const finish = inCompany(world, wake)
  let underWay = 0
  let claimed = 0
  let claimAgainAt = 0
  let isNotified = false
  /** Counts the pauses, as one that was cut short must not end the next. */
  let pause = 0
  let isResting = false

  function round(): void {
    if (underWay * 2 > claimed && clock.now() < claimAgainAt) return rest()
    const askedAt = clock.now()
    const choices = frontier.choose(pagesAtOnce - underWay)
    if (choices.length === 0) return begin([])
    lock.serve(times.claim, () => begin(frontier.lease(choices, askedAt)))
  }

  function begin(visits: readonly Visit[]): void {
    underWay += visits.length
    claimed = underWay
    if (visits.length > 0) claimAgainAt = clock.now() + claimMs
    finish.expect(visits.length)
    for (const visit of visits) clock.after(varied(times.answer), () => cpu.serve(varied(times.cpu), () => end(visit)))
    rest()
  }

  function end(visit: Visit): void {
    underWay -= 1
    frontier.end(visit)
    finish.add()
    wake()
  }

  function rest(): void {
    isResting = true
    const nth = ++pause
    if (isNotified) return go()
    const pauseMs = clock.now() < claimAgainAt ? claimMs : recheckMs
    clock.after(underWay > 0 ? pauseMs : idleMs, () => nth === pause && isResting && go())
  }

  function go(): void {
    isResting = false
    isNotified = false
    clock.after(0, round)
  }

  function wake(): void {
    isNotified = true
    if (isResting) go()
  }

  const upkeep = () => lock.serve(times.upkeep, () => clock.after(renewMs, upkeep))
  clock.after(varied(idleMs), round)
  clock.after(varied(renewMs), upkeep)
}

const [maxTogether, maxWaitMs] = [32, 200]

/** Visits that end are written together, as in `src/engine/store/sqlite/crawl/crawls.ts`. */
function inCompany({ clock, lock, frontier, times }: World, finished: () => void) {
  let visited = 0
  let waiting = 0
  let timer = 0
  let isTimed = false

  function hasten(): void {
    const together = waiting
    waiting = 0
    timer += 1
    isTimed = false
    lock.serve(times.finish * together, () => {
      visited -= together
      for (let nth = 0; nth < together; nth++) frontier.finish()
      finished()
    })
  }

  return {
    expect: (visits: number) => void (visited += visits),
    add(): void {
      waiting += 1
      if (waiting >= Math.min(visited, maxTogether)) return hasten()
      if (isTimed) return
      isTimed = true
      const nth = ++timer
      clock.after(maxWaitMs, () => nth === timer && hasten())
    },
  }
}
