import { z } from 'zod'
import { Document } from './scrape/document.ts'
import { PageOptions, scrapeOptions } from './scrape/options.ts'
import { WebUrl } from './url.ts'
import { Webhook } from './webhook.ts'

export const maxPatterns = 100
const Patterns = z.array(z.string().min(1).max(1000)).max(maxPatterns)

/** Which pages a crawl takes. None has a default here: what is not given may come from a prompt. */
export const crawlRules = {
  includePaths: Patterns.optional().describe('Regular expressions (RE2); only pages whose path matches one are taken.'),
  excludePaths: Patterns.optional().describe('Regular expressions (RE2); pages whose path matches one are left out.'),
  regexOnFullURL: z.boolean().optional().describe('Match the whole URL with its query instead of the path.'),
  maxDiscoveryDepth: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('How many links away from the start; sitemap pages are 0.'),
  sitemap: z
    .enum(['include', 'skip', 'only'])
    .optional()
    .describe('Default include; skip finds pages by links alone, only by the sitemap alone.'),
  ignoreQueryParameters: z.boolean().optional().describe('Take a path once, whatever its query.'),
  deduplicateSimilarURLs: z
    .boolean()
    .optional()
    .describe('Default true: www, http/https, a trailing slash and index.html make no other page.'),
  limit: z.int().min(1).max(10_000_000).optional().describe('Most pages to take. Default 10000.'),
  crawlEntireDomain: z.boolean().optional().describe('Also pages that are not below the path of the start URL.'),
  allowExternalLinks: z.boolean().optional().describe('Also pages of other sites.'),
  allowSubdomains: z.boolean().optional().describe('Also pages of sub-domains.'),
  ignoreRobotsTxt: z.boolean().optional().describe('Needs the operator’s permission.'),
  robotsUserAgent: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Name for robots.txt; needs the operator’s permission.'),
  delay: z.number().gt(0).max(60).optional().describe('Seconds between two pages; then one page at a time.'),
}

const common = {
  maxConcurrency: z.int().min(1).max(10_000).optional().describe('Pages at once; default and maximum: the team limit.'),
  webhook: Webhook.optional().describe('Where events are sent: a URL, or {url, headers, metadata, events}.'),
  zeroDataRetention: z
    .boolean()
    .default(false)
    .describe('Keep results for an hour only; must be enabled by the operator.'),
  origin: z.string().max(256).optional().describe('Label of the calling program.'),
  integration: z.string().max(256).optional().describe('Label of the calling integration.'),
  wait: z
    .int()
    .min(0)
    .max(300)
    .optional()
    .describe('Wait up to so many seconds for the end; without it the answer is a handle.'),
}

export const CrawlInput = z.object({
  url: WebUrl.describe('Where to start.'),
  prompt: z.string().min(1).max(10_000).optional().describe('What to crawl, in words; explicit options win.'),
  ...crawlRules,
  ...common,
  scrapeOptions: PageOptions.prefault({}).describe('Options for each page, as for scrape.'),
})
export type CrawlInput = z.output<typeof CrawlInput>

export const BatchInput = z.object({
  urls: z.array(z.string().max(16_384)).min(1).max(100_000).describe('Pages to scrape.'),
  appendToId: z.uuid().toLowerCase().optional().describe('Adds the pages to this running batch.'),
  ignoreInvalidURLs: z.boolean().default(true).describe('Leave out what is no URL instead of failing.'),
  ...scrapeOptions,
  profile: PageOptions.shape.profile,
  ...common,
})
export type BatchInput = z.output<typeof BatchInput>

export const JobId = z.uuid().toLowerCase().describe('Id of the crawl or batch.')

/** Which of the results an answer holds. */
export const StatusInput = z.object({
  id: JobId,
  skip: z.int().min(0).default(0).describe('Results to pass over.'),
  limit: z.int().min(1).max(100).default(100).describe('Most results in one answer.'),
})
export type StatusInput = z.output<typeof StatusInput>

export const JobStatus = z.object({
  status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
  completed: z.int().describe('Pages that are done.'),
  failed: z.int().describe('Pages that could not be read.'),
  total: z.int().describe('Pages known so far, failed ones included.'),
  creditsUsed: z.number(),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  expiresAt: z.string().describe('Until when the results can be read.'),
  duration: z.number().optional().describe('Seconds it took.'),
  next: z.string().optional().describe('Where the next results are.'),
  data: z.array(Document),
  skipped: z.record(z.string(), z.int()).optional().describe('Addresses that were found and not taken, by reason.'),
  error: z.string().optional(),
  warning: z.string().optional(),
})
export type JobStatus = z.output<typeof JobStatus>

export const JobErrors = z.object({
  errors: z.array(
    z.object({ id: z.string(), timestamp: z.string(), url: z.string(), code: z.string(), error: z.string() }),
  ),
  robotsBlocked: z.array(z.string()).describe('Addresses that robots.txt forbids.'),
  skipped: z.record(z.string(), z.int()).describe('Addresses that were found and not taken, by reason.'),
  warning: z.string().optional(),
})
export type JobErrors = z.output<typeof JobErrors>

/** Crawl options that a prompt stands for (spec: Crawl parameters preview). */
export const CrawlParams = z.object({
  url: z.string(),
  includePaths: z.array(z.string()).optional(),
  excludePaths: z.array(z.string()).optional(),
  maxDepth: z.int().optional(),
  maxDiscoveryDepth: z.int().optional(),
  crawlEntireDomain: z.boolean().optional(),
  allowExternalLinks: z.boolean().optional(),
  allowSubdomains: z.boolean().optional(),
  sitemap: z.enum(['include', 'skip', 'only']).optional(),
  ignoreQueryParameters: z.boolean().optional(),
  deduplicateSimilarURLs: z.boolean().optional(),
  delay: z.number().optional().describe('Seconds between two pages.'),
  limit: z.int().optional(),
})
