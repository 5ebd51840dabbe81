import type { LaneEnd } from './lane.ts'
import type { LaneData } from './lane-worker.ts'

/** Pages that ended a lane while it read them, so many of the last. */
const remembered = 1000
const windowMs = 600_000
/** Lanes that ended within the window, before no lane reads pages any more: then none can end by one. */
const readElsewhereAfter = 4
/** Before there are no lanes any more. */
const giveUpAfter = 8

/** What is known of lanes that ended by themselves, and what follows for those to come. */
export function createSuspects() {
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
