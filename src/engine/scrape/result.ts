import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import type { Document } from '../../schema/scrape/document.ts'
import type { Job } from '../../contracts/jobs.ts'

/** The kept job of the caller's team. Fails with JOB_NOT_FOUND (also after it expired, or when nothing was kept) or JOB_OF_OTHER_TEAM. */
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
      : 'Nothing was kept of this job.'
  return fail('JOB_NOT_FOUND', { message: reason, details: { id, ...(job.errorCode && { errorCode: job.errorCode }) } })
}

/** A scraped page of the caller's team, from a scrape or as a page of a crawl. Fails as `ownJob`. */
export async function ownDocument(
  ports: Pick<Ports, 'jobs' | 'crawls'>,
  id: string,
  caller: Pick<Ctx, 'team' | 'keepNothing'>,
): Promise<Document> {
  const page = await ports.crawls.document(id)
  if (!page) return ((await ownJob(ports, id, 'scrape', caller)).result as { data: Document }).data
  if (page.teamId !== caller.team.id) return fail('JOB_OF_OTHER_TEAM', { details: { id } })
  if (page.isUnkept) caller.keepNothing?.()
  return page.document as Document
}
