import type { Log } from '../../../kernel/log.ts'
import type { Lane, LaneEnd, LaneParts } from './lane.ts'
import type { LaneData } from './lane-worker.ts'

/** Pages that ended a lane while it read them, so many of the last. */
const remembered = 1000
const windowMs = 600_000
/** Lanes that ended within the window, before no lane reads pages any more: then none can end by one. */
const readElsewhereAfter = 4
/** Before there are no lanes any more. */
const giveUpAfter = 8

/** What is known of lanes that ended by themselves, and what follows for those to come. */
function createSuspects() {
  const pages = new Set<string>()
  let ends: number[] = []
  return {
    /** Pages that a new lane leaves to threads that read one page at a time. */
    isolated: (): LaneData['isolated'] => (ends.length >= readElsewhereAfter ? 'all' : [...pages]),
    /** Notes the end of a lane; true if there should be no more. */
    add({ page, wasReady }: Pick<LaneEnd, 'page' | 'wasReady'>): boolean {
      const now = performance.now()
      ends = [...ends.filter((at) => now - at < windowMs), now]
      if (page !== undefined) {
        pages.add(page)
        const [oldest] = pages
        if (pages.size > remembered && oldest !== undefined) pages.delete(oldest)
      }
      // One that cannot even start would not do so the next time.
      return !wasReady || ends.length >= giveUpAfter
    },
  }
}

export type LanesParts = {
  many: number
  start(parts: Pick<LaneParts, 'isolated' | 'isWatched' | 'rested'>): Lane
  isWatched(): boolean
  log: Log
  /** Gives the pages of a lane back that could not do so itself. */
  release(workerId: string): Promise<void>
  /** Called once, when lanes end time and again: somebody else must crawl. */
  takeOver(): void
}
export type Lanes = {
  /** Has all lanes look for work; starts those that are missing. */
  wake(crawlId?: string): void
  watch(isWatched: boolean): void
  isOver(): boolean
  close(): Promise<void>
}

/** Longer than people take to start the next crawl; a lane holds some 60 MB. */
const idleMs = 30_000

/** Threads that crawl. They start at the first crawl and end when there has been none for a while. */
export function createLanes({ many, start, isWatched, log, release, takeOver }: LanesParts): Lanes {
  const lanes = new Map<Lane, NodeJS.Timeout | undefined>()
  const ending = new Set<Promise<void>>()
  const suspects = createSuspects()
  const state = { isClosing: false, isOver: false, woken: 0 }

  function add(): void {
    const rested = (nth: number) => {
      if (lanes.has(lane) && nth === state.woken) lanes.set(lane, setTimeout(() => void end(lane), idleMs).unref())
    }
    const lane = start({ isolated: suspects.isolated(), isWatched: isWatched(), rested })
    lanes.set(lane, undefined)
    const over = lane.ended.then((how) => ended(lane, how)).finally(() => ending.delete(over))
    ending.add(over)
  }

  async function end(lane: Lane): Promise<void> {
    forget(lane)
    await lane.close()
  }

  function forget(lane: Lane): void {
    clearTimeout(lanes.get(lane))
    lanes.delete(lane)
  }

  async function ended(lane: Lane, how: LaneEnd): Promise<void> {
    forget(lane)
    await release(lane.workerId).catch((cause: unknown) => log.warn('crawl pages could not be returned', { cause }))
    if (how.isExpected || state.isClosing) return
    log.warn('a crawl lane ended', { cause: how.cause, readsPage: how.page !== undefined })
    if (how.page !== undefined) for (const other of lanes.keys()) other.send({ kind: 'isolate', url: how.page })
    state.isOver ||= suspects.add(how)
    if (!state.isOver) return wake()
    log.error('crawl lanes end time and again; crawls go on in the main thread', {})
    takeOver()
  }

  function wake(crawlId?: string): void {
    if (state.isClosing || state.isOver) return
    while (lanes.size < many) add()
    state.woken += 1
    for (const [lane, timer] of lanes) {
      clearTimeout(timer)
      lanes.set(lane, undefined)
      lane.send({ kind: 'wake', crawlId, nth: state.woken })
    }
  }

  return {
    wake,
    watch: (isWanted) => lanes.forEach((_, lane) => lane.send({ kind: 'watch', isWatched: isWanted })),
    isOver: () => state.isOver,
    async close() {
      state.isClosing = true
      await Promise.all([...lanes.keys()].map(end))
      await Promise.all(ending)
    },
  }
}
