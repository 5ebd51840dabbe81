import { z } from 'zod'
import { startCrawl } from '../engine/crawl/start.ts'
import { withoutCredentials } from '../engine/net/http/canonical-url.ts'
import { keepsNothing } from '../engine/scrape/plan.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentBegun } from '../present/crawl.ts'
import { crawlArguments, foldCrawlArguments } from '../schema/crawl-arguments.ts'
import { CrawlInput, JobStatus, PromptReasons } from '../schema/crawl.ts'
import { takenScrapeOptions } from '../schema/scrape/arguments.ts'
import crawlStatus from './crawl-status.ts'

const isUnkept = ({ zeroDataRetention, scrapeOptions: { lockdown } }: CrawlInput) =>
  keepsNothing({ zeroDataRetention, lockdown })

export default defineOperation({
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
    // A crawl that began has its options; one that was refused has them here.
    replay: (input) => input,
    isPrivate: isUnkept,
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
    toInput: foldCrawlArguments,
    present: (output, { url }, offered) => presentBegun('crawl', output, offered, url),
  },
  run: startCrawl,
})
