import { z } from 'zod'
import { startBatch } from '../engine/crawl/start-crawl.ts'
import { withoutCredentials } from '../engine/net/http/canonical-url.ts'
import { isZeroRetention } from '../engine/scrape/plan.ts'
import { defineOperation } from '../kernel/operation.ts'
import { batchArguments, BatchInput, foldBatchArguments, JobStatus } from '../schema/crawl-schema.ts'
import { readingPages } from './agent-arguments.ts'
import { takenScrapeOptions } from '../schema/scrape/scrape-arguments.ts'
import { crawlStatus } from './crawl.ts'
import { jobOperations, presentBegun } from './jobs.ts'

/** Enough for the maximum number of URLs, at over 600 characters each. */
const maxBodyBytes = 64 * 2 ** 20

const { status, errors, cancel } = jobOperations('batch_scrape')

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
  ...status,
  name: 'batch_status',
  route: 'GET /v2/batch/scrape/:id',
  title: 'Status and pages of a batch',
  about: 'Show the progress of a batch and the pages scraped so far.',
  mcp: false,
})

export const batchErrors = defineOperation({
  ...errors,
  name: 'batch_errors',
  route: 'GET /v2/batch/scrape/:id/errors',
  title: 'Errors of a batch',
  about: 'List the pages of a batch that failed, and why.',
  mcp: false,
})

export const batchCancel = defineOperation({
  ...cancel,
  name: 'batch_cancel',
  route: 'DELETE /v2/batch/scrape/:id',
  title: 'Cancel a batch',
  about: 'Stop a batch. Pages already scraped stay readable.',
  mcp: false,
})
