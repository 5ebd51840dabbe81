/** How much there is to do for all servers on the data, of all teams. Jobs held in the memory of one process are not in it. */
export type Workload = {
  /** Those that are not over; `waiting`: nobody works on it yet. Kinds that have none are in it with 0. */
  jobs: readonly { kind: string; state: 'waiting' | 'running'; count: number }[]
  /** Of the crawls and batches that are not over. */
  pages: { waiting: number; active: number; done: number; failed: number }
  /** Age of the oldest job in which something waits to be taken up; 0 where nothing does. */
  oldestWaitingMs: number
  slots: { held: number; waiting: number }
  /** Webhook events to be sent. */
  deliveries: number
  /** Age of the oldest of them; 0 where there is none. */
  oldestDeliveryMs: number
  /** Live browser sessions that are open. */
  sessions: number
}
