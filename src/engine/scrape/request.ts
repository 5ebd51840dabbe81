import type { Ctx } from '../../kernel/ctx.ts'
import type { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { type Plan, planPage, type PlanOptions } from './plan.ts'

/** What a scrape needs of the call that it belongs to. */
export type ScrapeCall = Pick<
  Ctx,
  'team' | 'jobId' | 'startedAt' | 'signal' | 'queuedMs' | 'progress' | 'tellStep' | 'pictureSide'
>

/** One scrape: its input, what was decided about it, and its call. Made once and passed whole. */
export type ScrapeRequest = ScrapeCall & {
  input: ScrapeInput
  plan: Plan
  /** False for a page that no link led to, such as one that only a sitemap names; change tracking calls it hidden. */
  isLinked: boolean
}

/** What it takes to get a page, without making a document of it. */
export type PageRequest = Pick<ScrapeRequest, 'input' | 'plan' | 'team' | 'signal' | 'tellStep'>

export function scrapeRequest(
  input: ScrapeInput,
  { team, jobId, startedAt, signal, queuedMs, progress, tellStep, pictureSide }: ScrapeCall,
  { isLinked = true, ...options }: Omit<PlanOptions, 'pictureSide'> & { isLinked?: boolean } = {},
): ScrapeRequest {
  const plan = planPage(input, team.id, { ...options, pictureSide })
  return { input, plan, team, jobId, startedAt, signal, queuedMs, progress, tellStep, isLinked }
}
