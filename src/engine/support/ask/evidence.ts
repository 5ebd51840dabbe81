import type { DocsHit, Ports } from '../../../contracts/ports.ts'
import type { ActivityRow, Refusal } from '../../../contracts/job-ports.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { Document } from '../../../schema/scrape/document.ts'
import { isRecord } from '../../../util/json.ts'
import { monthStart } from '../../../contracts/account-ports.ts'
import { pageInput, requestOf } from '../../crawl/runner/crawl-job.ts'
import { type CrawlFacts, type Facts, type JobCase, pageFacts } from './case.ts'
import { groupSkips, reasonsOf, type SkipGroup } from '../explain/explain-crawl.ts'
import { minCoverage } from '../docs/answer-from-docs.ts'
import type { Question } from './question.ts'

const dayMs = 86_400_000
const maxRows = 1000
/** Maximum number of jobs examined: `maxFailed` named ones, `maxFailed` failed ones, and `maxOthers` others. */
const maxFailed = 25
const maxOthers = 15
/** Maximum number of different page failures examined per job. */
const maxPageFailures = 3

export type Evidence = {
  jobs: JobCase[]
  /** Rejected calls that never became jobs, newest first. */
  refusals: readonly Refusal[]
  failed: number
  facts: Facts
  pages: string[]
  /** Sections of the documentation, best first. */
  hits: readonly DocsHit[]
  /** Id in the question, if the team has no job, and no session that ended lately, with that id. */
  unknownId: string | undefined
}
type EvidencePorts = Pick<
  Ports,
  | 'jobs'
  | 'refusals'
  | 'crawls'
  | 'deliveries'
  | 'usage'
  | 'storage'
  | 'account'
  | 'sessions'
  | 'machine'
  | 'model'
  | 'docs'
  | 'clock'
>

/**
 * Collects all evidence: the team's jobs of the last day and those that the question names by id, its refused calls,
 * its account, the machine, and pages of the documentation.
 */
export async function gather(
  ports: EvidencePorts,
  text: string,
  question: Question,
  { team }: Pick<Ctx, 'team'>,
): Promise<Evidence> {
  const since = ports.clock.now() - dayMs
  const [{ jobs, failed }, facts, hits, refusals] = await Promise.all([
    jobsOf(ports, question, team, since),
    factsOf(ports, team, since),
    ports.docs.find(text),
    ports.refusals.list(team.id),
  ])
  const covering = hits.filter(({ coverage }) => coverage >= minCoverage).map(({ section }) => section.path)
  const known = new Set([...jobs, ...facts.endedSessions].map(({ id }) => id))
  const [unknownId] = question.named.ids.some((id) => known.has(id)) ? [] : question.named.ids
  return {
    jobs,
    refusals,
    failed,
    facts,
    pages: [...new Set(covering)].slice(0, 2),
    hits,
    unknownId,
  }
}

async function factsOf(ports: EvidencePorts, { id: teamId, permissions }: Ctx['team'], since: number): Promise<Facts> {
  const { account, clock, machine, model, sessions, storage, usage } = ports
  const now = clock.now()
  const [limits, load, used, isStorageFull, browser, search, ended] = await Promise.all([
    account.limitsOf(teamId),
    account.load(teamId),
    usage.since(teamId, monthStart(now)),
    storage.isFull(),
    machine.browser(),
    machine.search(),
    sessions.list({ teamId, status: 'destroyed' }),
  ])
  return {
    now,
    credits: { used, limit: limits.monthlyCredits },
    load: { ...load, max: limits.maxConcurrency },
    permissions,
    isStorageFull,
    hasModel: model.isSet(),
    hasBrowser: browser.state === 'ok',
    searchesWholeWeb: search.state === 'ok',
    endedSessions: ended.flatMap(({ id, endedAt = 0, expiresAt }) =>
      endedAt >= since ? [{ id, endedAt, wasOutOfTime: endedAt >= expiresAt }] : [],
    ),
  }
}

async function jobsOf(ports: EvidencePorts, question: Question, team: Ctx['team'], since: number) {
  const newest = await ports.jobs.activity({ teamId: team.id, since, limit: maxRows })
  const { ids, urls } = question.named
  const missing = [...new Set(ids)].filter((id) => newest.every((row) => row.id !== id)).slice(0, maxFailed)
  const older = await Promise.all(missing.map((id) => ownJob(ports, id, team.id)))
  const rows = [...older.filter((job) => job !== undefined), ...newest]
  const hosts = new Set(urls.map(({ host }) => host))
  const isNamed = ({ id, target }: ActivityRow) =>
    ids.includes(id) || (target !== null && hosts.has(URL.parse(target)?.host ?? ''))
  const named = rows.filter(isNamed)
  const failed = rows.filter(({ status }) => status === 'failed')
  const others = rows.filter(({ status }) => status !== 'failed')
  const chosen = new Set([...named.slice(0, maxFailed), ...failed.slice(0, maxFailed), ...others.slice(0, maxOthers)])
  const cases = await Promise.all([...chosen].map((row) => casesOf(ports, row, team)))
  return { jobs: cases.flat(), failed: failed.length }
}

/** Finds a job of the team by id. */
async function ownJob({ jobs }: EvidencePorts, id: string, teamId: string): Promise<ActivityRow | undefined> {
  const job = await jobs.find(id)
  return job?.teamId === teamId ? job : undefined
}

/** Returns the case of a job and, for a crawl or batch, one case per error code of its failed pages. */
async function casesOf(ports: EvidencePorts, row: ActivityRow, team: Ctx['team']): Promise<JobCase[]> {
  const { id, endpoint, createdAt, target: url } = row
  const job = await ports.jobs.find(id)
  const input = asRecord(job?.replay)
  const base: JobCase = { id, endpoint, createdAt, url, code: job?.errorCode ?? null, request: input, input }
  if (endpoint === 'crawl' || endpoint === 'batch_scrape') return crawlCases(ports, base, team)
  const document = Document.safeParse(asRecord(job?.result)?.['data'])
  return [document.success ? { ...base, page: pageFacts(document.data) } : base]
}

const asRecord = (value: unknown) => (isRecord(value) ? value : null)

async function crawlCases(ports: EvidencePorts, base: JobCase, team: Ctx['team']): Promise<JobCase[]> {
  const { crawls, deliveries } = ports
  const crawl = await crawls.find(base.id)
  if (!crawl) return [base]
  const request = requestOf(crawl)
  const { options, page, webhook, zeroDataRetention } = request
  const job = { ...base, code: base.code ?? crawl.error?.code ?? null }
  // With zero data retention, only the outcome of a job may be shown.
  if (zeroDataRetention) return [job]
  const [skipped, failures, missed, abandoned] = await Promise.all([
    crawls.skipped(base.id),
    crawls.failures(base.id),
    deliveries.missed(base.id),
    deliveries.abandoned(base.id),
  ])
  const lost = [...abandoned, ...missed]
  const hasSkips = options !== null && Object.values(skipped.counts).some((count) => count > 0)
  let explained: Promise<readonly SkipGroup[]> | undefined
  const skips = () =>
    (explained ??= hasSkips ? reasonsOf(base.id, { team, ports }).then(groupSkips) : Promise.resolve([]))
  const facts: CrawlFacts = {
    counts: crawl.counts,
    warnings: crawl.warnings,
    options,
    skipped: skipped.counts,
    skips,
    robotsDenyStart: options !== null && skipped.robots.includes(options.url),
    undelivered: lost[0] && { count: lost.length, why: lost[0].why },
    events: webhook?.events,
  }
  const requestFor = (url: string) => (page.lockdown ? null : { ...pageInput(request, url) })
  const oneOfEach = [...new Map(failures.map((failure) => [failure.code, failure])).values()]
  const pageOf = crawl.kind
  return [
    { ...job, request: options && requestFor(options.url), crawl: facts },
    ...oneOfEach
      .slice(0, maxPageFailures)
      .map(({ code, url }) => ({ ...base, url, code, request: requestFor(url), pageOf })),
  ]
}
