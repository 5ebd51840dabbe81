import { afterAll, beforeAll, describe } from 'vitest'
import { describeCrawls } from '../../contracts/crawls.ts'
import { describeDeliveries } from '../../contracts/deliveries.ts'
import { describeDeliveryQueues } from '../../contracts/delivery-queues.ts'
import { describeFrontier } from '../../contracts/frontier.ts'
import { describeFrontierWorkers } from '../../contracts/frontier-workers.ts'
import { describeHosts } from '../../contracts/hosts.ts'
import { describeJobs } from '../../contracts/jobs.ts'
import { describeKeys } from '../../contracts/keys.ts'
import { describeKeyedCalls } from '../../contracts/keyed-calls.ts'
import { describeLinkedFiles } from '../../contracts/linked-files.ts'
import { describeMonitors } from '../../contracts/monitors.ts'
import { describeNodes } from '../../contracts/nodes.ts'
import { describePageCache } from '../../contracts/page-cache.ts'
import { describePageIndexPassages } from '../../contracts/page-index-passages.ts'
import { describePageIndexQueries } from '../../contracts/page-index-queries.ts'
import { describePageIndex } from '../../contracts/page-index.ts'
import { describeQuotas } from '../../contracts/quotas.ts'
import { describeRefusals } from '../../contracts/refusals.ts'
import { describeSessionRecords } from '../../contracts/session-records.ts'
import { describeSharedHosts } from '../../contracts/shared-hosts.ts'
import { describeSnapshots } from '../../contracts/snapshots.ts'
import { describeTeams } from '../../contracts/teams.ts'
import { describeUsage } from '../../contracts/usage.ts'
import { describeWorkflows } from '../../contracts/workflows.ts'
import { describeWorkload } from '../../contracts/workload.ts'
import { noPostgres, type Postgres, startPostgres } from '../../helpers/postgres.ts'
import { openIn } from './postgres-under-test.ts'

describe.skipIf(noPostgres !== undefined)(`PostgreSQL${noPostgres === undefined ? '' : `: ${noPostgres}`}`, () => {
  let server: Postgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.close())
  const open = openIn(() => server.url)
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
  describePageIndex(open)
  describePageIndexPassages(open)
  describePageIndexQueries(open)
  describeQuotas(open)
  describeRefusals(open)
  describeSessionRecords(open)
  describeSharedHosts(open)
  describeSnapshots(open)
  describeTeams(open)
  describeUsage(open)
  describeWorkflows(open)
  describeWorkload(open)
})
