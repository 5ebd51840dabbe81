import { abortReason } from './async.ts'

/**
 * Whether a team may take one more of `total` places, for which nobody waits. It may as long as it holds fewer than are
 * free: the first team gets half of them at most, the next half of the rest, and so there is always a share left for others.
 */
export function leavesShare(teamId: string, holders: readonly string[], total: number): boolean {
  const held = holders.filter((holder) => holder === teamId).length
  return held < total - holders.length
}

export type FairLimits = {
  /** Permits in normal operation. */
  usual: number
  /** Permits once a caller has waited for `patienceMs`; by default the usual number. */
  most?: number
  /** Permits on top of those for teams that hold none, once they have waited as long: nobody can lock them out. */
  reserved?: number
  /** Milliseconds. */
  patienceMs?: number
}

export type FairSemaphore = {
  /** Resolves with what returns the permit; rejects with the signal's reason. */
  acquire(teamId: string, signal: AbortSignal): Promise<() => void>
}

type Waiter = { since: number; go(): void }
type Team = { active: number; queue: Set<Waiter> }

/**
 * Shares permits between teams: a free one goes to the waiting team that holds fewest, among equals to the one whose last
 * turn is longest ago, and within a team in the order of arrival. One team alone may hold them all.
 */
export function createFairSemaphore(limits: FairLimits): FairSemaphore {
  const { usual, most = usual, reserved = 1, patienceMs = 1000 } = limits
  /** Last, whose turn ended last. */
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

/** Resolves when the waiter may go on; calls back when it has given up. */
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

/** Whose turn it is. */
function nextOf(teams: ReadonlyMap<string, Team>): { team: Team; waiter: Waiter } | undefined {
  let next: ReturnType<typeof nextOf>
  for (const team of teams.values()) {
    const [waiter] = team.queue
    if (waiter && team.active < (next?.team.active ?? Infinity)) next = { team, waiter }
  }
  return next
}

export type Semaphore = {
  /** Resolves when a slot is free, with whether that took a wait; rejects with the signal's reason. */
  acquire(signal: AbortSignal): Promise<'at once' | 'after a wait'>
  /** Frees a slot: the longest waiting caller is next. */
  release(): void
  load(): { active: number; waiting: number }
}

/** Lets `max` callers in at a time, the others in the order in which they came. */
export function createSemaphore(max: number): Semaphore {
  let active = 0
  const waiting = new Set<() => void>()

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
      if (active >= max) return wait(signal).then(() => 'after a wait')
      active += 1
      return 'at once'
    },
    release() {
      active -= 1
      const [next] = waiting
      next?.()
    },
    load: () => ({ active, waiting: waiting.size }),
  }
}
