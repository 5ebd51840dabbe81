import { abortReason } from './async.ts'

/**
 * True if a team may take one more of `total` places without waiting: it has fewer places than are free. The first team
 * gets at most half of the places, the next half of the rest, so that some are always left for others.
 */
export function leavesShare(teamId: string, holders: readonly string[], total: number): boolean {
  const held = holders.filter((holder) => holder === teamId).length
  return held < total - holders.length
}

export type FairLimits = {
  /** Permits in normal operation. */
  usual: number
  /** Maximum permits if a caller has waited for `patienceMs`; `usual` by default. */
  most?: number
  /** Extra permits for teams without any, after the same wait, so that no team can be locked out. */
  reserved?: number
  patienceMs?: number
}

export type FairSemaphore = {
  /** Resolves with a function that returns the permit; rejects with the signal's reason. */
  acquire(teamId: string, signal: AbortSignal): Promise<() => void>
}

type Waiter = { since: number; go(): void }
type Team = { active: number; queue: Set<Waiter> }

/**
 * Shares permits between teams: a free one goes to the waiting team with the fewest, on a tie to the one that released
 * a permit least recently, and within a team in order of arrival. A single team may take all permits.
 */
export function createFairSemaphore(limits: FairLimits): FairSemaphore {
  const { usual, most = usual, reserved = 1, patienceMs = 1000 } = limits
  /** Ordered by last release, most recent last; a team that has released nothing yet counts by its first request. */
  const teams = new Map<string, Team>()
  let active = 0
  let timer: NodeJS.Timeout | undefined

  function mayEnter(team: Team, { since }: Waiter): boolean {
    if (active < usual) return true
    const limit = team.active === 0 ? most + reserved : most
    return active < limit && performance.now() - since >= patienceMs
  }

  function admit(): void {
    clearTimeout(timer)
    for (let next = nextOf(teams); next; next = nextOf(teams)) {
      const { team, waiter } = next
      if (!mayEnter(team, waiter)) return checkAgain(waiter)
      team.active += 1
      active += 1
      waiter.go()
    }
  }

  function checkAgain({ since }: Waiter): void {
    if (active >= most + reserved) return
    const leftMs = since + patienceMs - performance.now()
    // Timers may fire slightly early.
    if (leftMs > 0) timer = setTimeout(admit, Math.max(1, leftMs)).unref()
  }

  function release(teamId: string, team: Team): void {
    team.active -= 1
    active -= 1
    teams.delete(teamId)
    if (isInUse(team)) teams.set(teamId, team)
    admit()
  }

  return {
    async acquire(teamId, signal) {
      signal.throwIfAborted()
      const team = teams.get(teamId) ?? { active: 0, queue: new Set() }
      teams.set(teamId, team)
      const turn = waitIn(team.queue, signal, () => {
        if (!isInUse(team)) teams.delete(teamId)
        admit()
      })
      admit()
      await turn
      return () => release(teamId, team)
    },
  }
}

/** Resolves when the waiter may proceed; calls `left` if its signal aborts first. */
function waitIn(queue: Set<Waiter>, signal: AbortSignal, left: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      queue.delete(waiter)
      reject(abortReason(signal))
      left()
    }
    const go = () => {
      queue.delete(waiter)
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const waiter = { since: performance.now(), go }
    queue.add(waiter)
    signal.addEventListener('abort', leave, { once: true })
  })
}

const isInUse = ({ active, queue }: Team) => active + queue.size > 0

/** Returns the waiter that gets the next permit. */
function nextOf(teams: ReadonlyMap<string, Team>): { team: Team; waiter: Waiter } | undefined {
  let next: ReturnType<typeof nextOf>
  for (const team of teams.values()) {
    const [waiter] = team.queue
    if (waiter && team.active < (next?.team.active ?? Infinity)) next = { team, waiter }
  }
  return next
}

export type Semaphore = {
  /** Resolves when a slot is free; rejects with the signal's reason. */
  acquire(signal: AbortSignal): Promise<'at once' | 'after a wait'>
  /** Frees a slot for the caller that has waited longest. */
  release(): void
  /** Changes the number of callers admitted at a time. Those already admitted stay. */
  setLimit(limit: number): void
  load(): { active: number; waiting: number }
}

/** Admits `max` callers at a time, the others in order of arrival. */
export function createSemaphore(max: number): Semaphore {
  let [limit, active] = [max, 0]
  const waiting = new Set<() => void>()
  const admit = () => {
    for (const go of waiting) if (active < limit) go()
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        waiting.delete(go)
        signal.removeEventListener('abort', onAbort)
        active += 1
        resolve()
      }
      const onAbort = () => {
        waiting.delete(go)
        reject(abortReason(signal))
      }
      waiting.add(go)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  return {
    async acquire(signal) {
      signal.throwIfAborted()
      if (active >= limit) return wait(signal).then(() => 'after a wait')
      active += 1
      return 'at once'
    },
    release() {
      active -= 1
      admit()
    },
    setLimit(changed) {
      limit = changed
      admit()
    },
    load: () => ({ active, waiting: waiting.size }),
  }
}
