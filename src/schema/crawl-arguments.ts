import { z } from 'zod'
import { BatchInput, CrawlInput, crawlRules } from './crawl.ts'
import { foldScrapeOptions } from './scrape/arguments.ts'
import { isRecord } from '../util/json.ts'

/** Jobs over many pages in the form every MCP client can take; the options of the pages are told once, by the scrape tool. */
const scrapeOptions = z.looseObject({}).optional().describe('scrape arguments for each page.')
const webhook = z.string().optional().describe('URL that receives job events.')
const { url, wait, prompt } = CrawlInput.shape
const { limit, sitemap, crawlEntireDomain, allowSubdomains, allowExternalLinks, delay } = crawlRules
const paths = z.array(z.string()).optional()

/** What agents are shown of a crawl; the other options are taken as well. */
export const crawlArguments = z.object({
  url,
  limit,
  wait,
  prompt,
  includePaths: paths.describe('RE2 patterns; crawl only paths that match one, e.g. ^/blog/.'),
  excludePaths: paths.describe('Skip paths that match one.'),
  maxDiscoveryDepth: z.int().min(0).optional().describe('Maximum links away from the start.'),
  sitemap,
  crawlEntireDomain,
  allowSubdomains,
  allowExternalLinks,
  delay,
  scrapeOptions,
  webhook,
})

export const batchArguments = z.object({
  urls: z.array(z.string()).min(1).describe('URLs to scrape.'),
  wait,
  scrapeOptions,
  webhook,
  appendToId: BatchInput.shape.appendToId,
})

type Args = Record<string, unknown>

export function foldCrawlArguments(args: Args): Args {
  const { scrapeOptions: page } = args
  return isRecord(page) ? { ...args, scrapeOptions: foldScrapeOptions(page) } : args
}

/** A batch has the options of its pages among its own. */
export function foldBatchArguments(args: Args): Args {
  const { scrapeOptions: page, ...rest } = args
  return isRecord(page) ? { ...foldScrapeOptions(page), ...rest } : args
}
