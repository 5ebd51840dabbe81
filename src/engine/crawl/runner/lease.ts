/** Whether this process still has the pages that it claimed, as far as it can know by itself. */
export type Lease = {
  /** Called before pages are claimed. Answers what tells of them from then on. */
  begin(): () => boolean
  /** All that is leased is leased anew. */
  renew(renewal: () => Promise<void>): Promise<void>
}

/**
 * A process may be paused for as long as it likes, between any two statements, and others take its pages over meanwhile. They
 * count from when their lease was written; here it counts from before it was asked for, so that it ends here first.
 */
export function createLease(leaseMs: number): Lease {
  let renewedAt = -Infinity
  return {
    begin() {
      const askedAt = performance.now()
      return () => performance.now() - Math.max(askedAt, renewedAt) < leaseMs
    },
    async renew(renewal) {
      const askedAt = performance.now()
      await renewal()
      renewedAt = askedAt
    },
  }
}
