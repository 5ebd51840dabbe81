import type { Store } from '../../src/engine/store/store.ts'
import { describeCrawls } from './crawls.ts'
import { describeDeliveries } from './deliveries.ts'
import { describeDeliveryQueues } from './delivery-queues.ts'
import { describeFrontier } from './frontier.ts'
import { describeFrontierWorkers } from './frontier-workers.ts'
import { describeHosts } from './hosts.ts'
import { describeJobs } from './jobs.ts'
import { describeKeys } from './keys.ts'
import { describeKeyedCalls } from './keyed-calls.ts'
import { describeLinkedFiles } from './linked-files.ts'
import { describeMonitors } from './monitors.ts'
import { describeNodes } from './nodes.ts'
import { describePageCache } from './page-cache.ts'
import { describeQuotas } from './quotas.ts'
import { describeRefusals } from './refusals.ts'
import { describeSessionRecords } from './session-records.ts'
import { describeSharedHosts } from './shared-hosts.ts'
import { describeSnapshots } from './snapshots.ts'
import { describeTeams } from './teams.ts'
import { describeUsage } from './usage.ts'
import { describeWorkflows } from './workflows.ts'
import { describeWorkload } from './workload.ts'
import type { OpenStore } from './store-under-test.ts'

/** The contracts of every store, on every database. */
export function describeStore(open: OpenStore<keyof Store>): void {
  describeCrawls(open)
  describeDeliveries(open)
  describeDeliveryQueues(open)
  describeFrontier(open)
  describeFrontierWorkers(open)
  describeHosts(open)
  describeJobs(open)
  describeKeys(open)
  describeKeyedCalls(open)
  describeLinkedFiles(open)
  describeMonitors(open)
  describeNodes(open)
  describePageCache(open)
  describeQuotas(open)
  describeRefusals(open)
  describeSessionRecords(open)
  describeSharedHosts(open)
  describeSnapshots(open)
  describeTeams(open)
  describeUsage(open)
  describeWorkflows(open)
  describeWorkload(open)
}
