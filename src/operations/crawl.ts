import { z } from 'zod'
import { derive } from '../engine/crawl/prompt/derive.ts'
import { startBatch, startCrawl } from '../engine/crawl/start-crawl.ts'
import { activeCrawls } from '../engine/crawl/status.ts'
import { withoutCredentials } from '../engine/net/http/canonical-url.ts'
import { isZeroRetention } from '../engine/scrape/plan.ts'
import { defineOperation, type Offered, type Presentation } from '../kernel/operation.ts'
import type { Tool } from '../kernel/tool.ts'
import { BatchInput, CrawlInput, JobStatus, PromptReasons } from '../schema/crawl-schema.ts'
import { readingPages } from './agent-arguments.ts'
import {
  foldPageOptions,
  foldScrapeOptions,
  pageArguments,
  takenScrapeOptions,
} from '../schema/scrape/scrape-arguments.ts'
import { isRecord } from '../util/json.ts'
import { WebUrl } from '../schema/common-fields.ts'
import { extractCancel, extractStatus } from './extract.ts'
import { jobOperations, optionsOfPrompt, presentBegun, presentErrors, presentStatus } from './jobs.ts'
import { listOfTeam, minuteOf, ownWords, shortened, tableOf } from './present/present-lists.ts'

const ofCrawl = CrawlInput.shape
const paths = z.array(z.string()).optional()

/** Arguments shown to agents; the other crawl options are accepted too. */
const crawlArguments = z.object({
  url: ofCrawl.url,
  limit: ofCrawl.limit,
  wait: ofCrawl.wait,
  prompt: ofCrawl.prompt,
  includePaths: paths.describe('RE2 patterns; crawl only paths that match one, e.g. ^/blog/.'),
  excludePaths: paths.describe('RE2 patterns; skip paths that match one.'),
  maxDiscoveryDepth: z.int().min(0).optional().describe('Maximum links away from the start.'),
  sitemap: ofCrawl.sitemap,
  crawlEntireDomain: ofCrawl.crawlEntireDomain,
  allowSubdomains: ofCrawl.allowSubdomains,
  allowExternalLinks: ofCrawl.allowExternalLinks,
  delay: ofCrawl.delay,
  scrapeOptions: pageArguments.describe('Arguments of scrape for each page; any are taken.'),
})

const isEphemeral = ({ zeroDataRetention, scrapeOptions: { lockdown } }: CrawlInput) =>
  isZeroRetention({ zeroDataRetention, lockdown })

const ofAnyKind = jobOperations()

export const crawlStatus = defineOperation({
  ...ofAnyKind.status,
  name: 'crawl_status',
  route: 'GET /v2/crawl/:id',
  title: 'Status and pages of a crawl or batch',
  about: 'Show the progress of a crawl or batch_scrape and its pages. Set skip to list later pages.',
  example: { ...ofAnyKind.status.example, skip: 100 },
  mcp: { hasPages: true, present: (output, input, offered) => presentStatus(output, input, offered) },
})

export const crawlErrors = defineOperation({
  ...ofAnyKind.errors,
  name: 'crawl_errors',
  route: 'GET /v2/crawl/:id/errors',
  title: 'Errors of a crawl or batch',
  about:
    'List failed pages of a crawl or batch_scrape with reasons, what robots.txt forbids, and why other URLs were skipped.',
  mcp: { present: presentErrors },
})

export const crawlCancel = defineOperation({
  ...ofAnyKind.cancel,
  name: 'crawl_cancel',
  route: 'DELETE /v2/crawl/:id',
  title: 'Cancel a crawl or batch',
  about: 'Stop a crawl or batch_scrape. Pages already scraped stay readable.',
})

export const crawl = defineOperation({
  name: 'crawl',
  route: 'POST /v2/crawl',
  title: 'Crawl a site',
  about:
    'Read many pages of one site, found through links and sitemaps; set limit, such as 50. Returns an id; with wait also the pages, in full if small. Continue with crawl_status.',
  effect: 'create',
  example: { url: 'https://example.com/docs', limit: 50, wait: 60 },
  input: CrawlInput,
  output: z.object({
    id: z.string(),
    url: z.string().describe('URL of the job status.'),
    promptGeneratedOptions: z.record(z.string(), z.unknown()).optional().describe('Options derived from the prompt.'),
    promptReasons: PromptReasons.optional(),
    finalCrawlerOptions: z.record(z.string(), z.unknown()).optional().describe('The options of the crawl.'),
    job: JobStatus.optional().describe('Job status when the wait ended.'),
    warning: z.string().optional(),
  }),
  errors: ['SCRAPE_ZDR_VIOLATION_ERROR'],
  job: {
    endpoint: 'crawl',
    target: (input) => withoutCredentials(input.url),
    keep: () => undefined,
    // A started crawl stores its own options; a refused one has them only here.
    replay: (input) => input,
    isPrivate: isEphemeral,
  },
  price: () => 0,
  permissions: ({ zeroDataRetention, ignoreRobotsTxt, robotsUserAgent }) => [
    ...(zeroDataRetention ? (['zeroDataRetention'] as const) : []),
    ...(ignoreRobotsTxt ? (['ignoreRobotsTxt'] as const) : []),
    ...(robotsUserAgent !== undefined ? (['robotsUserAgent'] as const) : []),
  ],
  follow: { operation: crawlStatus, answers: 'pages' },
  mcp: {
    arguments: crawlArguments,
    hasPages: true,
    taken: takenScrapeOptions,
    forAgents: (args) => readingPages(args, 'scrapeOptions.actions'),
    toInput: foldPageOptions,
    present: (output, { url }, offered) => presentBegun('crawl', output, offered, url),
  },
  run: startCrawl,
})

/** Crawl options derived from a prompt (spec: Crawl parameters preview). */
const CrawlParams = z.object({
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
  delay: z.number().optional().describe('Seconds between pages.'),
  limit: z.int().optional(),
})

export const crawlParamsPreview = defineOperation({
  name: 'crawl_params_preview',
  route: 'POST /v2/crawl/params-preview',
  title: 'Preview what a crawl prompt means',
  about:
    'Show the crawl options that a prompt in plain English translates to, without crawling. If the prompt names parts of the site, the addresses of the site are looked up, and a language model is asked if one is set. warning names the parts that were not understood.',
  effect: 'read',
  example: { url: 'https://example.com', prompt: 'Only the blog, at most 50 pages, without /blog/tags' },
  input: z.object({
    url: WebUrl.describe('URL the crawl would start from.'),
    prompt: CrawlInput.shape.prompt.unwrap().describe('What to crawl, in plain English.'),
  }),
  output: z.object({ data: CrawlParams, promptReasons: PromptReasons, warning: z.string().optional() }),
  errors: [],
  mcp: { present: presentPlan },
  run: async ({ url, prompt }, ctx) => {
    const { options, reasons, warning } = await derive(ctx.ports, { url, prompt, isZeroRetention: false }, ctx)
    return { data: { url, ...options }, promptReasons: reasons, ...(warning !== undefined && { warning }) }
  },
})

export const crawlActive = defineOperation({
  name: 'crawl_active',
  route: 'GET /v2/crawl/active',
  aliases: ['GET /v2/crawl/ongoing'],
  title: 'Running crawls',
  about: 'List the running crawls of the team.',
  effect: 'read',
  world: 'closed',
  example: {},
  input: z.object({}),
  output: z.object({
    crawls: z.array(
      z.object({
        id: z.string(),
        teamId: z.string(),
        url: z.string(),
        created_at: z.string(),
        options: z.looseObject({ scrapeOptions: z.looseObject({}) }),
      }),
    ),
  }),
  errors: [],
  mcp: { present: presentRunning },
  run: async (_input, ctx) => ({ crawls: await activeCrawls(ctx) }),
})

const batchArguments = z.object({
  urls: z.array(z.string()).min(1).describe('URLs to scrape.'),
  wait: BatchInput.shape.wait,
  scrapeOptions: pageArguments.describe('Arguments of scrape for each page; any are taken.'),
})

/** Moves page options to the top level, where a batch takes them. */
function foldBatchArguments(args: Record<string, unknown>): Record<string, unknown> {
  const { scrapeOptions: page, ...rest } = args
  return isRecord(page) ? { ...foldScrapeOptions(page), ...rest } : args
}

/** Enough for the maximum number of URLs (100,000) with over 600 characters each. */
const maxBodyBytes = 64 * 2 ** 20

const ofBatches = jobOperations('batch_scrape')

export const batchScrape = defineOperation({
  name: 'batch_scrape',
  route: 'POST /v2/batch/scrape',
  title: 'Scrape many pages',
  about:
    'Scrape a list of URLs with the same options. Returns an id; with wait also the pages, in full if small. Continue with crawl_status.',
  effect: 'create',
  example: { urls: ['https://example.com/a', 'https://example.com/b'], wait: 60 },
  input: BatchInput,
  output: z.object({
    id: z.string(),
    url: z.string().describe('URL of the job status.'),
    invalidURLs: z.array(z.string()).optional().describe('Skipped because they are not valid URLs.'),
    job: JobStatus.optional().describe('Job status when the wait ended.'),
    warning: z.string().optional(),
  }),
  errors: ['SCRAPE_ZDR_VIOLATION_ERROR', 'JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM', 'JOB_IS_OVER'],
  job: {
    endpoint: 'batch_scrape',
    target: (input) => withoutCredentials(input.urls[0] ?? ''),
    keep: () => undefined,
    isPrivate: (input) => isZeroRetention(input),
  },
  price: () => 0,
  permissions: ({ zeroDataRetention }) => (zeroDataRetention ? ['zeroDataRetention'] : []),
  follow: { operation: crawlStatus, answers: 'pages' },
  maxBodyBytes,
  mcp: {
    arguments: batchArguments,
    hasPages: true,
    taken: takenScrapeOptions,
    forAgents: (args) => readingPages(args, 'actions'),
    toInput: foldBatchArguments,
    present: (output, _input, offered) => presentBegun('batch', output, offered),
  },
  run: startBatch,
})

export const batchStatus = defineOperation({
  ...ofBatches.status,
  name: 'batch_status',
  route: 'GET /v2/batch/scrape/:id',
  title: 'Status and pages of a batch',
  about: 'Show the progress of a batch and the pages scraped so far.',
  mcp: false,
})

export const batchErrors = defineOperation({
  ...ofBatches.errors,
  name: 'batch_errors',
  route: 'GET /v2/batch/scrape/:id/errors',
  title: 'Errors of a batch',
  about: 'List the pages of a batch that failed, and why.',
  mcp: false,
})

export const batchCancel = defineOperation({
  ...ofBatches.cancel,
  name: 'batch_cancel',
  route: 'DELETE /v2/batch/scrape/:id',
  title: 'Cancel a batch',
  about: 'Stop a batch. Pages already scraped stay readable.',
  mcp: false,
})

export const crawlTool: Tool = {
  name: 'crawl',
  title: crawl.title,
  about: crawl.about,
  effect: crawl.effect,
  example: crawl.example,
  arguments: crawlArguments.extend({
    preview: z.boolean().default(false).describe('Crawl nothing; show the options that prompt sets.'),
  }),
  variants: [
    { operation: crawlParamsPreview, when: { preview: true } },
    { operation: crawl, when: { preview: false } },
  ],
}

const ofStatus = crawlStatus.input.shape
const idOfJob = ofStatus.id.describe('Job id from crawl, batch_scrape or agent.')

/** Covers jobs started by `agent` too. */
export const crawlStatusTool: Tool = {
  name: 'crawl_status',
  title: 'Status and results of a job',
  about:
    'Show the progress and pages of a crawl or batch_scrape: small pages in full, else a table whose rows scrape_result reads; or the result of an agent.',
  effect: 'read',
  example: crawlStatus.example,
  arguments: z.object({
    id: idOfJob,
    wait: ofStatus.wait,
    skip: ofStatus.skip,
    limit: ofStatus.limit,
    errors: z.boolean().default(false).describe('List the failed pages with reasons, and why other URLs were skipped.'),
  }),
  variants: [
    { operation: crawlErrors, when: { errors: true } },
    { operation: crawlStatus, when: { errors: false }, orElse: { operation: extractStatus } },
  ],
}

export const crawlCancelTool: Tool = {
  name: 'crawl_cancel',
  title: 'Cancel a job',
  about: 'Stop a crawl, batch_scrape or agent. Scraped pages stay readable.',
  effect: 'destroy',
  example: crawlCancel.example,
  arguments: z.object({ id: idOfJob }),
  variants: [{ operation: crawlCancel, orElse: { operation: extractCancel } }],
}

type Plan = { data: z.output<typeof CrawlParams>; promptReasons: z.output<typeof PromptReasons> }

/** The options that a prompt translates to. */
function presentPlan({ data: { url, ...options }, promptReasons }: Plan): Presentation {
  const parts = optionsOfPrompt(url, options, promptReasons)
  const head = parts.length > 0 ? 'The prompt translates to these options of crawl.' : 'The prompt sets no options.'
  return { parts: [ownWords(`${head} Nothing was crawled.`), ...parts] }
}

type Running = { crawls: readonly { id: string; url: string; created_at: string }[] }

export function presentRunning({ crawls }: Running, _input: object, offered: Offered): Presentation {
  if (crawls.length === 0) return { parts: [ownWords('No crawl is running.')] }
  const rows = crawls.map(({ id, url, created_at: at }) => [id, minuteOf(at), shortened(url)])
  const next = offered.has('crawl_status') ? ['Show one with crawl_status.'] : []
  return {
    parts: [
      ownWords(`${crawls.length} running.`, ...next),
      listOfTeam('crawls', tableOf(['id', 'began (UTC)', 'URL'], rows)),
    ],
  }
}
