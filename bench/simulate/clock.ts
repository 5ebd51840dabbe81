import { createHeap } from './heap.ts'

/** Time that passes from event to event, in ms. */
export type Clock = {
  now(): number
  /** Calls `act` after this many ms; simultaneous events run in the order in which they were scheduled. */
  after(ms: number, act: () => void): void
  /** Runs events until `isOver`. Fails if none is scheduled. */
  run(isOver: () => boolean): void
}

export function createClock(): Clock {
  type Event = { at: number; nth: number; act(): void }
  const planned = createHeap<Event>((one, other) => one.at < other.at || (one.at === other.at && one.nth < other.nth))
  let now = 0
  let nth = 0
  return {
    now: () => now,
    after: (ms, act) => planned.push({ at: now + ms, nth: nth++, act }),
    run(isOver) {
      while (!isOver()) {
        const event = planned.pop()
        if (!event) throw new Error('Nothing happens any more, and the crawl is not over.')
        now = event.at
        event.act()
      }
    },
  }
}

/** Serves a limited number at once, the others in order of arrival: the cores of a worker, the lock of the database. */
export type Line = { serve(ms: number, served: () => void): void; busyMs(): number }

export function createLine(clock: Clock, atOnce: number): Line {
  type Asked = { ms: number; served: () => void }
  const waiting = createHeap<Asked & { nth: number }>((one, other) => one.nth < other.nth)
  let [serving, nth, busyMs] = [0, 0, 0]

  function begin({ ms, served }: Asked): void {
    serving += 1
    clock.after(ms, () => {
      busyMs += ms
      serving -= 1
      const next = waiting.pop()
      if (next) begin(next)
      served()
    })
  }

  return {
    serve: (ms, served) => (serving < atOnce ? begin({ ms, served }) : waiting.push({ ms, served, nth: nth++ })),
    busyMs: () => busyMs,
  }
}
