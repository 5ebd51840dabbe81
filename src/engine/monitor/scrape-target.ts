import type { Snapshots } from '../../contracts/crawl.ts'
import type { Ports } from '../../contracts/ports.ts'
import { toAppError } from '../../kernel/error.ts'
import { pageInput } from '../crawl/runner/job.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { scrapeRequest } from '../scrape/request.ts'
import { scrape, type ScrapePorts } from '../scrape/scrape.ts'
import { rethrowPause } from '../store/outage.ts'
import { callOf } from '../workflow/call.ts'
import { stepEach } from '../workflow/each.ts'
import type { WorkflowRun } from '../workflow/run.ts'
import { type SeenPage, seenPage, unreadPage } from './seen-page.ts'
import type { CheckRequest, CheckTarget } from './settings.ts'
import { watchedOptions } from './watched.ts'

export type ScrapeTargetPorts = ScrapePorts & Pick<Ports, 'account' | 'jobs'>
type ScrapeTarget = Extract<CheckTarget, { type: 'scrape' }>
type Kept = Parameters<Snapshots['keep']>
type Looked = { page: SeenPage; snapshots: readonly Kept[] }

/** Reads each page in a step of its own, as a scrape that costs the same. */
export async function checkPages(
  ports: ScrapeTargetPorts,
  target: ScrapeTarget,
  workflow: WorkflowRun,
): Promise<SeenPage[]> {
  const looked = await stepEach(ports, workflow, [...new Set(target.urls)], {
    name: (url) => `${target.id} ${url}`,
    do: (url) => lookAt(ports, target, url, workflow),
  })
  for (const { snapshots } of looked) for (const snapshot of snapshots) await ports.snapshots.keep(...snapshot)
  return looked.map(({ page }) => page)
}

/**
 * The snapshot is kept once the comparison is written down. If it were kept before, a process that died in between would
 * leave the next one nothing to find.
 */
async function lookAt(
  ports: ScrapeTargetPorts,
  target: ScrapeTarget,
  url: string,
  workflow: WorkflowRun,
): Promise<{ value: Looked; credits: number }> {
  const offered: Kept[] = []
  const { last } = ports.snapshots
  const holding = { ...ports, snapshots: { last, keep: async (...kept: Kept) => void offered.push(kept) } }
  const { monitorId } = workflow.request as CheckRequest
  const page = watchedOptions(target, monitorId)
  const input = pageInput({ options: null, page, webhook: undefined, zeroDataRetention: false }, url)
  const call = callOf(ports.clock, workflow)
  const where = { targetId: target.id, url: withoutCredentials(url), createdAt: new Date(call.startedAt).toISOString() }
  const record = { id: call.jobId, teamId: workflow.teamId, keyName: workflow.keyName, endpoint: 'scrape' }
  // What it costs is charged with the step.
  const job = { ...record, target: where.url, createdAt: call.startedAt, replay: null, credits: 0 }
  try {
    const { document } = await scrape(holding, scrapeRequest(input, call))
    await ports.jobs.record({ ...job, status: 'completed', errorCode: null, result: { data: document } })
    const json = offered.at(-1)?.[3].json
    const value = { page: seenPage(document, json, where), snapshots: offered }
    return { value, credits: document.metadata.creditsUsed }
  } catch (thrown) {
    rethrowPause(thrown, workflow)
    const { code, message } = toAppError(thrown)
    await ports.jobs.record({ ...job, status: 'failed', errorCode: code, result: null })
    return { value: { page: unreadPage(`${code}: ${message}`, where, call.jobId), snapshots: [] }, credits: 0 }
  }
}
