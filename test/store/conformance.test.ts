import { describe } from 'vitest'
import { describeCrawls } from '../contracts/crawls.ts'
import { describeDeliveries } from '../contracts/deliveries.ts'
import { describeDeliveryQueues } from '../contracts/delivery-queues.ts'
import { describeFrontier } from '../contracts/frontier.ts'
import { describeFrontierWorkers } from '../contracts/frontier-workers.ts'
import { describeHosts } from '../contracts/hosts.ts'
import { describeJobs } from '../contracts/jobs.ts'
import { describeKeys } from '../contracts/keys.ts'
import { describeKeyedCalls } from '../contracts/keyed-calls.ts'
import { describeLinkedFiles } from '../contracts/linked-files.ts'
import { describeMonitors } from '../contracts/monitors.ts'
import { describeNodes } from '../contracts/nodes.ts'
import { describePageCache } from '../contracts/page-cache.ts'
import { describeQuotas } from '../contracts/quotas.ts'
import { describeRefusals } from '../contracts/refusals.ts'
import { describeSessionRecords } from '../contracts/session-records.ts'
import { describeSharedHosts } from '../contracts/shared-hosts.ts'
import { describeSnapshots } from '../contracts/snapshots.ts'
import { describeTeams } from '../contracts/teams.ts'
import { describeUsage } from '../contracts/usage.ts'
import { describeWorkflows } from '../contracts/workflows.ts'
import { describeWorkload } from '../contracts/workload.ts'
import { openSqliteHere, openSqliteStore } from './sqlite-under-test.ts'

describe('SQLite', () => {
  describeCrawls(openSqliteStore)
  describeDeliveries(openSqliteStore)
  describeDeliveryQueues(openSqliteStore)
  describeFrontier(openSqliteStore)
  describeFrontierWorkers(openSqliteStore)
  describeHosts(openSqliteStore)
  describeJobs(openSqliteStore)
  describeKeys(openSqliteStore)
  describeKeyedCalls(openSqliteStore)
  describeLinkedFiles(openSqliteStore)
  describeMonitors(openSqliteStore)
  describeNodes(openSqliteStore)
  describePageCache(openSqliteStore)
  describeQuotas(openSqliteStore)
  describeRefusals(openSqliteStore)
  describeSessionRecords(openSqliteStore)
  describeSharedHosts(openSqliteStore)
  describeSnapshots(openSqliteStore)
  describeTeams(openSqliteStore)
  describeUsage(openSqliteStore)
  describeWorkflows(openSqliteStore)
  describeWorkload(openSqliteStore)
})

describe('SQLite in the thread of the caller', () => {
  describeCrawls(openSqliteHere)
  describeFrontierWorkers(openSqliteHere)
  describePageCache(openSqliteHere)
})
