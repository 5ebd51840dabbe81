import type { Crawl, CrawlKind } from '../../core/crawl.ts'
import type { Ctx } from '../../core/ctx.ts'
import { fail } from '../../core/error.ts'
import type { Ports } from '../../core/ports.ts'

/** The job of the caller's team. Fails with JOB_NOT_FOUND (also after it expired) or JOB_OF_OTHER_TEAM. */
export async function ownCrawl(
  { crawls }: Pick<Ports, 'crawls'>,
  id: string,
  { team }: Pick<Ctx, 'team'>,
  kind?: CrawlKind,
): Promise<Crawl> {
  const crawl = await crawls.find(id)
  if (!crawl || (kind !== undefined && crawl.kind !== kind)) return fail('JOB_NOT_FOUND', { details: { id } })
  if (crawl.teamId !== team.id) return fail('JOB_OF_OTHER_TEAM', { details: { id } })
  return crawl
}
