import type { Ports } from '../../contracts/ports.ts'
import { failure } from '../../kernel/error.ts'
import type { CheckedPage } from '../../schema/monitor/monitor.ts'
import { monthStart } from '../../util/month.ts'
import type { WorkflowDefinition, WorkflowRun } from '../workflow/run.ts'
import { type CheckProgress, summaryOf } from './answers.ts'
import { isTold } from './condition.ts'
import { checkCrawl } from './crawl-target.ts'
import { checkEvents } from './events.ts'
import { checkPages } from './scrape-target.ts'
import type { SeenPage } from './seen-page.ts'
import type { CheckRequest, CheckResult, CheckTarget } from './settings.ts'

/** One check: every target is read, and each page compared with the check before. */
export function monitorCheck(ports: Ports): WorkflowDefinition {
  return {
    run: (workflow) => check(ports, workflow),
    events: (workflow, end) => checkEvents(workflow, end, ports.clock.now()),
  }
}

async function check(ports: Ports, workflow: WorkflowRun): Promise<CheckResult> {
  const { monitorId, targets, condition } = workflow.request as CheckRequest
  await workflow.step('credits', async () => {
    await requireCredits(ports, workflow)
    return { value: null, credits: 0 }
  })
  const before = await pagesBefore(ports, monitorId)
  const results = []
  for (const target of targets) results.push(await checkTarget(ports, target, before ?? [], workflow))
  const pages = results
    .flatMap(({ pages: seen }) => seen)
    .map((page) => ({ ...page, isTold: isTold(page, condition ?? {}, { isFirst: before === undefined }) }))
  const summary = summaryOf(pages)
  const crawlCredits = results.reduce((sum, { credits }) => sum + credits, 0)
  const progress: CheckProgress = { completed: pages.length, total: pages.length, summary, crawlCredits }
  await workflow.report(progress)
  return { pages, targetResults: targets.map(targetResult) }
}

const targetResult = ({ id, type, crawlId }: CheckTarget) => ({
  targetId: id,
  type,
  ...(type === 'crawl' && { crawlId }),
})

async function requireCredits({ account, usage, clock }: Ports, { teamId }: WorkflowRun): Promise<void> {
  const { monthlyCredits } = await account.limitsOf(teamId)
  if (monthlyCredits === undefined) return
  const used = await usage.since(teamId, monthStart(clock.now()))
  if (used >= monthlyCredits) throw failure('INSUFFICIENT_CREDITS')
}

/** The pages of the last check that ended; undefined before the first did. */
async function pagesBefore({ monitors, workflows }: Ports, monitorId: string): Promise<CheckedPage[] | undefined> {
  const ended = (await monitors.checks(monitorId)).find(({ status }) => status === 'completed')
  const found = ended && (await workflows.find(ended.id))
  return (found?.result as CheckResult | null | undefined)?.pages
}

type TargetPages = { pages: Omit<CheckedPage, 'isTold'>[]; credits: number }

async function checkTarget(
  ports: Ports,
  target: CheckTarget,
  before: readonly CheckedPage[],
  workflow: WorkflowRun,
): Promise<TargetPages> {
  const known = new Map(before.flatMap((page) => (page.targetId === target.id ? [[page.url, page] as const] : [])))
  const linked = (page: SeenPage) => ({ ...page, previousScrapeId: known.get(page.url)?.currentScrapeId ?? null })
  if (target.type === 'scrape') return { pages: (await checkPages(ports, target, workflow)).map(linked), credits: 0 }
  const { pages, credits, isWhole } = await checkCrawl(ports, target, workflow)
  const seen = new Set(pages.map(({ url }) => url))
  const gone = isWhole ? [...known.values()].filter(({ url, status }) => !seen.has(url) && isThere(status)) : []
  const createdAt = new Date(workflow.createdAt).toISOString()
  return { pages: [...pages.map(linked), ...gone.map((page) => removedPage(page, createdAt))], credits }
}

const isThere = (status: CheckedPage['status']) => status !== 'removed' && status !== 'error'

/** A page that the crawl before had, and this one did not find any more. */
const removedPage = ({ targetId, url, currentScrapeId }: CheckedPage, createdAt: string): TargetPages['pages'][0] => ({
  id: crypto.randomUUID(),
  targetId,
  url,
  status: 'removed',
  previousScrapeId: currentScrapeId,
  currentScrapeId: null,
  statusCode: null,
  error: null,
  diff: null,
  snapshot: null,
  createdAt,
})
