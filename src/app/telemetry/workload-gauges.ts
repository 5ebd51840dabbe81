import type { BatchObservableResult, Meter } from '@opentelemetry/api'
import type { Workload } from '../../engine/store/workload.ts'
import type { Log } from '../../kernel/log.ts'

/**
 * What there is to do, as the database has it at the moment of asking. Servers that share a database all tell the same,
 * so take the maximum of them, not the sum.
 */
export function observeWorkload(meter: Meter, read: () => Promise<Workload>, log: Log): void {
  const gauge = (name: string, description: string) => meter.createObservableGauge(name, { description })
  const gauges = {
    up: gauge(
      'gossamer_database_up',
      'Whether the database answers: 1 or 0. Where it does not, the gauges below are missing.',
    ),
    jobs: gauge('gossamer_jobs', 'Jobs that are not over, by kind and state (waiting: nobody works on it yet).'),
    pages: gauge('gossamer_pages', 'Pages of the crawls and batches that are not over, by state.'),
    oldest: gauge(
      'gossamer_oldest_waiting_seconds',
      'Age of the oldest job in which something waits; 0 where nothing does.',
    ),
    slots: gauge('gossamer_scrape_slots', 'Scrapes that hold a slot of their team, or wait for one.'),
    deliveries: gauge('gossamer_webhooks_waiting', 'Webhook events that are to be sent.'),
    sessions: gauge('gossamer_browser_sessions', 'Live browser sessions that are open.'),
  }

  async function observe(result: BatchObservableResult): Promise<void> {
    const workload = await read().catch((cause: unknown) => void log.debug('workload is not known', { cause }))
    result.observe(gauges.up, workload ? 1 : 0)
    if (!workload) return
    for (const { kind, state, count } of workload.jobs) result.observe(gauges.jobs, count, { kind, state })
    for (const [state, count] of Object.entries(workload.pages)) result.observe(gauges.pages, count, { state })
    for (const [state, count] of Object.entries(workload.slots)) result.observe(gauges.slots, count, { state })
    result.observe(gauges.oldest, workload.oldestWaitingMs / 1000)
    result.observe(gauges.deliveries, workload.deliveries)
    result.observe(gauges.sessions, workload.sessions)
  }
  meter.addBatchObservableCallback(observe, Object.values(gauges))
}
