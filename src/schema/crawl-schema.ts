import { z } from 'zod'
import { callLabels, waitForEnd, waitSeconds, WebUrl, filledIn, words, RequestHeaders } from './common-fields.ts'
import { Document } from './scrape/document.ts'
import { PageOptions, scrapeOptions, Location } from './scrape/scrape-options.ts'
import { Webhook } from './webhook-schema.ts'

export const maxPatterns = 1000
const Patterns = filledIn(z.array(words(2000)).max(maxPatterns))

/** Rules that select pages. They have no defaults here, since missing ones may be derived from the prompt. */
export const crawlRules = {
  includePaths: Patterns.optional().describe(
    'Regular expressions (RE2); only pages whose path matches one are crawled, such as ["^/blog/"].',
  ),
  excludePaths: Patterns.optional().describe('Regular expressions (RE2); pages whose path matches one are skipped.'),
  regexOnFullURL: z
    .boolean()
    .optional()
    .describe('Match patterns against the whole URL, query included, instead of the path. Default false.'),
  maxDiscoveryDepth: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('Maximum links away from the start page; it and sitemap pages count as 0. Default: no limit.'),
  sitemap: z
    .enum(['include', 'skip', 'only'])
    .optional()
    .describe('Default include; skip: links only; only: sitemaps only.'),
  ignoreQueryParameters: z.boolean().optional().describe('Crawl each path once, ignoring its query.'),
  deduplicateSimilarURLs: z
    .boolean()
    .optional()
    .describe(
      'Treat URLs that differ only in www, http/https, a trailing slash or index.html as one page. Default true.',
    ),
  limit: z.int().min(1).max(10_000_000).optional().describe('Maximum pages. Default 10000.'),
  crawlEntireDomain: z.boolean().optional().describe('Also pages outside the path of url.'),
  allowExternalLinks: z.boolean().optional().describe('Also other sites.'),
  allowSubdomains: z.boolean().optional().describe('Also pages of subdomains.'),
  ignoreRobotsTxt: z.boolean().optional().describe('Ignore robots.txt. Must be enabled by the operator.'),
  robotsUserAgent: words(200)
    .optional()
    .describe('User agent to look up in robots.txt. Must be enabled by the operator.'),
  delay: z.number().gt(0).max(60).optional().describe('Seconds between pages, fetched one at a time.'),
}

const common = {
  maxConcurrency: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Pages fetched at the same time. Default and maximum: the concurrency limit of the team.'),
  webhook: Webhook.optional().describe('URL that receives job events, or {url, headers, metadata, events}.'),
  zeroDataRetention: z
    .boolean()
    .default(false)
    .describe('Store nothing; results stay in memory for an hour. Must be enabled by the operator.'),
  ...callLabels,
  wait: waitSeconds('Seconds to wait for the pages; default 0.'),
}

/** An empty prompt is treated as none. */
const CrawlPrompt = z.string().max(10_000)

export const CrawlInput = z.object({
  url: WebUrl.describe('URL to start from.'),
  prompt: CrawlPrompt.optional().describe('Pages to crawl, in plain English; explicit options win.'),
  ...crawlRules,
  ...common,
  scrapeOptions: PageOptions.prefault({}).describe('Options for each page, as in scrape.'),
})
export type CrawlInput = z.output<typeof CrawlInput>

export const BatchInput = z.object({
  urls: z.array(z.string().max(16_384)).min(1).max(100_000).describe('URLs to scrape.'),
  appendToId: z.uuid().toLowerCase().optional().describe('Id of a running batch to add the URLs to.'),
  ignoreInvalidURLs: z.boolean().default(true).describe('Skip invalid URLs instead of failing. Default true.'),
  ...scrapeOptions,
  profile: PageOptions.shape.profile,
  ...common,
})
export type BatchInput = z.output<typeof BatchInput>

export const JobId = z.uuid().toLowerCase().describe('Job id from crawl or batch_scrape.')

/** Range of results to return. */
export const StatusInput = z.object({
  id: JobId,
  skip: z.int().min(0).default(0).describe('Number of results to skip.'),
  limit: z.int().min(1).max(100).default(100).describe('Maximum results to return.'),
  wait: waitForEnd,
})
export type StatusInput = z.output<typeof StatusInput>

export const JobStatus = z.object({
  status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
  completed: z.int().describe('Pages scraped so far.'),
  failed: z.int().describe('Pages that failed.'),
  total: z.int().describe('Pages found so far, failed ones included.'),
  creditsUsed: z.number(),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  expiresAt: z.string().describe('When the results expire, ISO 8601.'),
  duration: z.number().optional().describe('Seconds the job took.'),
  next: z.string().optional().describe('URL of the next results.'),
  data: z.array(Document),
  skipped: z.record(z.string(), z.int()).optional().describe('Number of URLs found but not crawled, by reason.'),
  error: z.string().optional(),
  warning: z.string().optional(),
})
export type JobStatus = z.output<typeof JobStatus>

export const JobErrors = z.object({
  errors: z.array(
    z.object({
      id: z.string(),
      timestamp: z.string(),
      url: z.string(),
      code: z.string(),
      error: z.string(),
      attempts: z
        .array(z.object({ way: z.string(), timestamp: z.string(), code: z.string(), error: z.string() }))
        .readonly()
        .optional()
        .describe('Each failed attempt to fetch the page, if there was more than one.'),
    }),
  ),
  robotsBlocked: z.array(z.string()).describe('URLs that robots.txt forbids.'),
  skipped: z.record(z.string(), z.int()).describe('Number of URLs found but not crawled, by reason.'),
  warning: z.string().optional(),
})
export type JobErrors = z.output<typeof JobErrors>

export const PromptReasons = z
  .record(
    z.string(),
    z.object({
      by: z
        .enum(['rules', 'site', 'model'])
        .describe('rules: the rules for plain English; site: its folders; model: the language model.'),
      words: z.string().optional().describe('Words of the prompt that led to the option.'),
    }),
  )
  .describe('By option: who derived it, and from which words of the prompt.')

export const MapInput = z.object({
  url: WebUrl.describe('Site to map.'),
  search: z.string().max(1000).optional().describe('Only links that match these words, best first.'),
  sitemap: z
    .enum(['include', 'only', 'skip'])
    .default('include')
    .describe('include: sitemaps and links; only: sitemaps; skip: links.'),
  includeSubdomains: z.boolean().default(true).describe('Include subdomains.'),
  ignoreQueryParameters: z.boolean().default(true).describe('List each URL once, without its query. Default true.'),
  limit: z.int().min(1).max(100_000).default(5000).describe('Maximum number of links.'),
  verifyLinks: z.boolean().default(false).describe('Drop dead links; slower.'),
  timeout: z.int().min(1).max(300_000).default(60_000).describe('Time limit for the whole call in milliseconds.'),
  location: Location.optional().describe('Country and languages to browse from.'),
  headers: RequestHeaders.optional().describe('HTTP request headers, such as {"Cookie": "a=b"}.'),
  ignoreCache: z.boolean().default(false).describe('Do not use cached pages.'),
  ...callLabels,
})
export type MapInput = z.output<typeof MapInput>

export const MapLink = z.object({ url: z.string(), title: z.string().optional(), description: z.string().optional() })
export type MapLink = z.output<typeof MapLink>
