import type { CrawlPlanFacts, CrawlReasons } from '../../engine/crawl/explain/explain.ts'

export type From = CrawlPlanFacts['options'][number]['origin'] | { from: 'flag'; flag: string }
/** What a crawl goes by, as the command line has brought it about. */
export type CrawlPlanSaid = Omit<CrawlPlanFacts, 'options' | 'limits'> & {
  options: readonly { name: string; value: unknown; origin: From }[]
  limits: CrawlPlanFacts['limits'] & { ofOneHost: number }
}
/** Why a crawl took what it took. */
export type CrawlExplanation = CrawlPlanSaid & Pick<CrawlReasons, 'skipped'>
