import type { Ports } from '../../../contracts/ports.ts'
import type { Replay } from '../../../contracts/session-port.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { fail } from '../../../kernel/error.ts'
import type { Document } from '../../../schema/scrape/document.ts'
import { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { pageInput, requestOf } from '../../crawl/runner/job.ts'
import { browserVisit } from '../../scrape/load/load.ts'
import { planPage, replayable } from '../../scrape/plan.ts'

type RecordedVisit = { input: unknown; metadata: Partial<Document['metadata']> }
type Records = Pick<Ports, 'jobs' | 'crawls'>
type Call = Pick<Ctx, 'team'>

/**
 * The visit to repeat for a scrape of the caller's team, or a page of a crawl or batch. Fails with JOB_NOT_FOUND,
 * JOB_OF_OTHER_TEAM, or REPLAY_UNAVAILABLE when no page was visited or its visit was not recorded.
 */
export async function replayOf(ports: Records, scrapeId: string, caller: Call): Promise<Replay> {
  const { input, metadata } =
    (await crawlVisit(ports, scrapeId, caller)) ?? (await scrapeVisit(ports, scrapeId, caller))
  const parsed = ScrapeInput.safeParse(input)
  if (!parsed.success) return unavailable('It was recorded by another version of Gossamer.', scrapeId, parsed.error)
  // The proxy that worked: a page that needed the enhanced one does not load through the basic one.
  const plan = planPage(parsed.data, caller.team.id)
  const { proxyUsed = plan.proxy === 'enhanced' ? 'stealth' : 'basic' } = metadata
  return browserVisit(parsed.data.url, plan, proxyUsed === 'stealth' ? 'enhanced' : 'basic')
}

async function scrapeVisit({ jobs }: Records, id: string, { team }: Call): Promise<RecordedVisit> {
  const job = await jobs.find(id)
  if (!job || job.endpoint !== 'scrape') return fail('JOB_NOT_FOUND', { details: { id } })
  if (job.teamId !== team.id) return fail('JOB_OF_OTHER_TEAM', { details: { id } })
  if (job.status === 'failed') return unavailable('The scrape failed, so there is no page to restore.', id)
  if (!job.replay) return unavailable('The visit of the page was not recorded, or it was a file.', id)
  return { input: job.replay, metadata: (job.result as { data?: Document } | null)?.data?.metadata ?? {} }
}

async function crawlVisit({ crawls }: Records, id: string, { team }: Call): Promise<RecordedVisit | undefined> {
  const page = await crawls.document(id)
  if (!page) return undefined
  if (page.teamId !== team.id) return fail('JOB_OF_OTHER_TEAM', { details: { id } })
  const crawl = await crawls.find(page.crawlId)
  const { metadata } = page.document as Document
  const input = crawl && metadata.sourceURL && replayable(pageInput(requestOf(crawl), metadata.sourceURL))
  return input ? { input, metadata } : unavailable('The visit of the page was not recorded.', id)
}

const unavailable = (message: string, id: string, cause?: unknown): never =>
  fail('REPLAY_UNAVAILABLE', { message, details: { id }, cause })
