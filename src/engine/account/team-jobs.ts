import type { Crawl } from '../../contracts/crawl-ports.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Workflow } from '../../contracts/workflow.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import { isRecord } from '../../util/json.ts'
import type { CheckRequest } from '../monitor/monitor-settings.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { isSecretHeader } from '../net/http/request-headers.ts'

type Caller = Pick<Ctx, 'ports' | 'team'>
type JobCaller = Pick<Ctx, 'team'> & { ports: Pick<Ports, 'jobs'> }

/** An unfinished job. `state` uses the terms of its status response. */
export type RunningJob = {
  id: string
  endpoint: string
  target: string | null
  created_at: string
  monitorId?: string
  state: { status: string; completed?: number; failed?: number; total?: number; doing?: string }
}

/**
 * Crawls, batches, workflows and live browsers of the team. A crawl started by a monitor check is part of the check.
 */
export async function runningJobs({ ports, team }: Caller): Promise<RunningJob[]> {
  const [crawls, workflows, sessions] = await Promise.all([
    ports.crawls.running(team.id),
    ports.workflows.running(team.id),
    ports.sessions.list({ teamId: team.id, status: 'active' }),
  ])
  const checked = new Set(workflows.flatMap(crawlsIn))
  return [
    ...crawls.flatMap((crawl) => (checked.has(crawl.id) ? [] : [runningCrawl(crawl, crawls)])),
    ...workflows.map(runningWorkflow),
    ...sessions.map((each) => ({ ...jobOf(each, 'browser', null), state: { status: 'open' } })),
  ]
}

const jobOf = ({ id, createdAt }: { id: string; createdAt: number }, endpoint: string, target: string | null) => ({
  id,
  endpoint,
  target,
  created_at: new Date(createdAt).toISOString(),
})

const checkOf = ({ kind, request }: Workflow) => (kind === 'monitor' ? (request as CheckRequest) : undefined)
const crawlsIn = (workflow: Workflow) =>
  (checkOf(workflow)?.targets ?? []).flatMap((target) => (target.type === 'crawl' ? [target.crawlId] : []))

function runningWorkflow(workflow: Workflow): RunningJob {
  const { monitorId } = checkOf(workflow) ?? {}
  const state = { status: 'processing', ...workflow.progress }
  return { ...jobOf(workflow, workflow.kind, workflow.target), ...(monitorId !== undefined && { monitorId }), state }
}

function runningCrawl(crawl: Crawl, others: readonly Crawl[]): RunningJob {
  const { done, failed, waiting, active } = crawl.counts
  const total = Math.min(done + failed + waiting + active, crawl.pageLimit)
  const doing = waitReason(crawl, others)
  const state = { status: 'scraping', completed: done, failed, total, ...(doing !== undefined && { doing }) }
  return { ...jobOf(crawl, crawl.kind, crawl.target), state }
}

const hostOf = ({ target }: Crawl) => URL.parse(target)?.host

/** Returns why a crawl reads no page at the moment; undefined if it reads one, or if none is waiting. */
function waitReason(crawl: Crawl, others: readonly Crawl[]): string | undefined {
  if (!crawl.isSeeded) return 'Reading robots.txt and sitemaps'
  if (crawl.counts.active > 0 || crawl.counts.waiting === 0) return undefined
  if (crawl.delayMs > 0) return `Waiting: its delay is ${crawl.delayMs / 1000} s between two pages`
  const isShared = others.some((other) => other !== crawl && hostOf(other) === hostOf(crawl))
  return isShared
    ? `Waiting: another crawl reads ${hostOf(crawl)}`
    : 'Waiting: the site asks for a pause between two pages, or was slow to answer'
}

/** Returns the id of the monitor to which a check belongs. */
export async function monitorOf(checkId: string, { ports }: Caller): Promise<string | undefined> {
  const check = await ports.workflows.find(checkId)
  return check && checkOf(check)?.monitorId
}

/** Returns why a crawl of the team waits, and its pages with an error status. */
export async function crawlFacts(id: string, window: { skip: number; limit: number }, { ports, team }: Caller) {
  const crawls = await ports.crawls.running(team.id)
  const crawl = crawls.find((each) => each.id === id)
  const doing = crawl && waitReason(crawl, crawls)
  const { total, documents } = await ports.crawls.refused(id, window)
  const refusedPages: object[] = documents.map((stored) => stored.read())
  return { refused: total, refusedPages, ...(doing !== undefined && { doing }) }
}

/** Endpoint and input of a recorded call. */
export type RecordedCall = { endpoint: string; input: Readonly<Record<string, unknown>> }

/** Returns the call that created a job of the team, with its secrets hidden; undefined if the call was not stored. */
export async function findRecordedCall(id: string, { ports, team }: JobCaller): Promise<RecordedCall | undefined> {
  const job = await ports.jobs.find(id)
  if (!job || job.teamId !== team.id || !isRecord(job.replay)) return undefined
  return { endpoint: job.endpoint, input: withoutSecrets(job.replay) }
}

/** Fails with JOB_NOT_FOUND or JOB_OF_OTHER_TEAM unless the job is one of the team. */
export async function requireOwnJob(id: string, { ports, team }: JobCaller): Promise<void> {
  const job = await ports.jobs.find(id)
  if (!job) fail('JOB_NOT_FOUND', { details: { id } })
  if (job.teamId !== team.id) fail('JOB_OF_OTHER_TEAM', { details: { id } })
}

/** Replaces the value of a secret header; is itself a valid value, because the call is validated again. */
const hidden = '...'

const withoutSecrets = (record: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, valueWithoutSecrets(name, value)]))

/** Removes credentials from URLs, and hides the values of secret headers. */
function valueWithoutSecrets(name: string, value: unknown): unknown {
  if (name === 'url' && typeof value === 'string') return withoutCredentials(value)
  if (Array.isArray(value)) return value.map((each) => valueWithoutSecrets(name === 'urls' ? 'url' : '', each))
  if (!isRecord(value)) return value
  if (name !== 'headers') return withoutSecrets(value)
  return Object.fromEntries(
    Object.entries(value).map(([header, text]) => [header, isSecretHeader(header) ? hidden : text]),
  )
}
