import type { Crawl } from '../../contracts/crawl-ports.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { fail, type FailureFacts } from '../../kernel/error.ts'
import type { Document } from '../../schema/scrape/document.ts'
import type { Job } from '../../contracts/job-ports.ts'
import { cacheUrl } from '../net/http/canonical-url.ts'

/**
 * Returns the stored job of the caller's team. Fails with JOB_NOT_FOUND (including expired jobs and those not stored)
 * or JOB_OF_OTHER_TEAM.
 */
export async function ownJob(
  ports: Pick<Ports, 'jobs'>,
  id: string,
  endpoint: string,
  { team }: Pick<Ctx, 'team'>,
): Promise<Job & { result: object }> {
  const job = await ports.jobs.find(id)
  if (!job || job.endpoint !== endpoint) return fail('JOB_NOT_FOUND', { details: { id } })
  if (job.teamId !== team.id) return fail('JOB_OF_OTHER_TEAM', { details: { id } })
  if (job.result) return { ...job, result: job.result }
  const reason =
    job.status === 'failed'
      ? `The job failed with ${job.errorCode}; it has no result.`
      : 'No result of this job was stored.'
  return fail('JOB_NOT_FOUND', { message: reason, details: { id, ...(job.errorCode && { errorCode: job.errorCode }) } })
}

/** A scrape, or a page of a crawl or batch: by its own id, or by the job id with a result row or URL. */
type DocumentQuery = { jobId: string; row?: number | undefined; url?: string | undefined }

/** Returns a scraped page of the caller's team. Fails as `ownJob` does. */
export async function ownDocument(
  ports: Pick<Ports, 'jobs' | 'crawls'>,
  { jobId, row, url }: DocumentQuery,
  caller: Pick<Ctx, 'team' | 'keepNothing'>,
): Promise<Document> {
  const which = row === undefined ? url !== undefined && { urls: spellingsOf(url) } : { place: row - 1 }
  const page = await (which ? ports.crawls.documentOf(jobId, which) : ports.crawls.document(jobId))
  if (page && page.teamId !== caller.team.id) fail('JOB_OF_OTHER_TEAM', { details: { id: jobId } })
  if (page?.isEphemeral) caller.keepNothing?.()
  if (page) return page.document as Document
  const crawl = await ports.crawls.find(jobId)
  if (crawl?.teamId === caller.team.id) return fail('JOB_NOT_FOUND', noSuchPage({ jobId, row, url }, crawl))
  return ((await ownJob(ports, jobId, 'scrape', caller)).result as { data: Document }).data
}

function noSuchPage({ jobId: id, row, url }: DocumentQuery, { counts: { done } }: Crawl): FailureFacts {
  if (done === 0) return { message: 'No page of this job has been read yet.', details: { id } }
  const pages = `1 to ${done} of this job`
  if (row !== undefined) return { message: `No page is in row ${row}.`, hint: `Send a row: ${pages}.`, details: { id } }
  const hint = `Send row (${pages}) or the url of a page that crawl_status lists.`
  const message = url === undefined ? 'This is the id of a job of many pages.' : 'The job has no page of this URL.'
  return { message, hint, details: { id } }
}

/**
 * Returns a URL with http and https, with and without a trailing slash: sites redirect between these, and a crawl treats
 * all of them as one page.
 */
function spellingsOf(address: string): string[] {
  const url = URL.parse(cacheUrl(address))
  if (!url) return [address]
  const path = url.pathname.replace(/\/$/, '')
  const all = ['http:', 'https:'].flatMap((scheme) =>
    [path, `${path}/`].map((pathname) => Object.assign(new URL(url), { protocol: scheme, pathname }).href),
  )
  return [...new Set([address, ...all])]
}
