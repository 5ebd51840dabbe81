import type { Crawl } from '../../contracts/crawl-ports.ts'
import type { Workflow } from '../../contracts/workflow.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import type { CheckRequest } from '../monitor/monitor-settings.ts'

type Asking = Pick<Ctx, 'ports' | 'team'>

/** A job that has not ended, with its state in the words of its status response. */
export type RunningJob = {
  id: string
  endpoint: string
  target: string | null
  created_at: string
  monitorId?: string
  state: { status: string; completed?: number; failed?: number; total?: number; doing?: string }
}

/** Crawls, batches, workflows and live browsers of the team. A crawl started by a monitor check is part of the check. */
export async function runningJobs({ ports, team }: Asking): Promise<RunningJob[]> {
  const [crawls, workflows, sessions] = await Promise.all([
    ports.crawls.running(team.id),
    ports.workflows.running(team.id),
    ports.sessions.list({ teamId: team.id, status: 'active' }),
  ])
  const checked = new Set(workflows.flatMap(crawlsIn))
  return [
    ...crawls.flatMap((crawl) => (checked.has(crawl.id) ? [] : [runningCrawl(crawl, crawls)])),
    ...workflows.map(runningWorkflow),
    ...sessions.map((each) => ({ ...began(each, 'browser', null), state: { status: 'open' } })),
  ]
}

const began = ({ id, createdAt }: { id: string; createdAt: number }, endpoint: string, target: string | null) => ({
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
  return { ...began(workflow, workflow.kind, workflow.target), ...(monitorId !== undefined && { monitorId }), state }
}

function runningCrawl(crawl: Crawl, others: readonly Crawl[]): RunningJob {
  const { done, failed, waiting, active } = crawl.counts
  const total = Math.min(done + failed + waiting + active, crawl.pageLimit)
  const doing = waitsFor(crawl, others)
  const state = { status: 'scraping', completed: done, failed, total, ...(doing !== undefined && { doing }) }
  return { ...began(crawl, crawl.kind, crawl.target), state }
}

const hostOf = ({ target }: Crawl) => URL.parse(target)?.host

/** Reason why a crawl reads no page at the moment; undefined if it reads one. */
function waitsFor(crawl: Crawl, others: readonly Crawl[]): string | undefined {
  if (!crawl.isSeeded) return 'Reading robots.txt and sitemaps'
  if (crawl.counts.active > 0 || crawl.counts.waiting === 0) return undefined
  if (crawl.delayMs > 0) return `Waiting: its delay is ${crawl.delayMs / 1000} s between two pages`
  const isShared = others.some((other) => other !== crawl && hostOf(other) === hostOf(crawl))
  return isShared
    ? `Waiting: another crawl reads ${hostOf(crawl)}`
    : 'Waiting: the site asks for a pause between two pages, or was slow to answer'
}

/** The monitor that a check belongs to. */
export async function monitorOf(checkId: string, { ports }: Asking): Promise<string | undefined> {
  const check = await ports.workflows.find(checkId)
  return check && checkOf(check)?.monitorId
}

type CrawlFacts = { doing?: string; refused: number; refusedPages: readonly object[] }

/** Reason for which a crawl of the team waits, and its pages with an error status. */
export async function crawlFacts(id: string, window: { skip: number; limit: number }, { ports, team }: Asking) {
  const crawls = await ports.crawls.running(team.id)
  const crawl = crawls.find((each) => each.id === id)
  const doing = crawl && waitsFor(crawl, crawls)
  const { total, documents } = await ports.crawls.refused(id, window)
  const facts: CrawlFacts = { refused: total, refusedPages: documents.map((stored) => stored.read()) }
  return { ...facts, ...(doing !== undefined && { doing }) }
}
