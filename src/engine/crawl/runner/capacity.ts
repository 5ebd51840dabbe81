import { createFairSemaphore } from '../../../util/semaphore.ts'

/** How many pages a process works on at the same time, over all crawls. */
export type Capacity = {
  /** Pages that one of so many crawls may hold; what it holds and does not work on, no other process can take. */
  share(crawls: number): number
  /** Waits for a place, of which crawls get one after the other, and holds it meanwhile. Rejects with the signal's reason. */
  inTurn<T>(crawlId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

const unlimited: Capacity = { share: () => Infinity, inTurn: (_, __, work) => work() }

/** @param pages unset: as many as teams may have */
export function createCapacity(pages: number | undefined): Capacity {
  if (pages === undefined) return unlimited
  const turns = createFairSemaphore({ usual: pages, reserved: 0 })
  return {
    share: (crawls) => Math.max(1, Math.floor(pages / crawls)),
    async inTurn(crawlId, signal, work) {
      const leave = await turns.acquire(crawlId, signal)
      return work().finally(leave)
    },
  }
}
