import type { Ports } from '../../contracts/ports.ts'
import { failure, toAppError } from '../../kernel/error.ts'
import type { CheckedPage, Condition, PageStatus } from '../../schema/monitor-schema.ts'
import { monthStart } from '../../contracts/account-ports.ts'
import { type WorkflowDefinition, type WorkflowRun, callOf, stepEach } from '../workflow/run-workflow.ts'
import { type CheckProgress, summaryOf, checkEvents } from './monitor-answers.ts'
import { checkCrawl, seenPage, unreadPage, type SeenPage } from './crawl-target.ts'
import { type CheckRequest, type CheckResult, type CheckTarget, watchedOptions } from './monitor-settings.ts'
import { isRecord } from '../../util/json.ts'
import type { Snapshots } from '../../contracts/crawl-ports.ts'
import { pageInput } from '../crawl/runner/crawl-job.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { scrapeRequest } from '../scrape/scrape-request.ts'
import { scrape, type ScrapePorts } from '../scrape/scrape.ts'
import { rethrowPause } from '../store/store.ts'

type ScrapeTargetPorts = ScrapePorts & Pick<Ports, 'account' | 'jobs'>
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

/** Which pages somebody is told of. Those of a first check are all new, which is no news unless it was asked for. */
export function isTold(
  { status, snapshot }: Pick<CheckedPage, 'status' | 'snapshot'>,
  { status: wanted, field }: Condition,
  { isFirst }: { isFirst: boolean },
): boolean {
  const usual: PageStatus[] = isFirst && !field ? ['error'] : ['new', 'changed', 'removed', 'error']
  if (!(wanted ?? usual).includes(status)) return false
  return field === undefined || (snapshot !== null && isMet(field, snapshot.json))
}

function isMet({ path, is, value: wanted }: NonNullable<Condition['field']>, json: object): boolean {
  const value = valueAt(json, path)
  if (value === undefined) return false
  if (is === 'contains') return Array.isArray(value) ? value.includes(wanted) : String(value).includes(String(wanted))
  const [one, other] = [amountOf(value), amountOf(wanted)]
  const areAmounts = one !== undefined && other !== undefined
  if (is === '=' || is === '!=') return (areAmounts ? one === other : value === wanted) === (is === '=')
  if (!areAmounts) return false
  return { '<': one < other, '<=': one <= other, '>': one > other, '>=': one >= other }[is]
}

/** Pages often give a number as text. */
function amountOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const amount = Number(value)
  return Number.isNaN(amount) ? undefined : amount
}

/** The value at a path such as `offers[0].price`; undefined where there is none. */
function valueAt(json: unknown, path: string): unknown {
  return (path.match(/[^.[\]]+/g) ?? []).reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value[Number(name)]
    return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }, json)
}

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
