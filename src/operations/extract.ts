import { z } from 'zod'
import { startExtract, targetOf } from '../engine/extract/start.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentBegunJob } from '../present/extract.ts'
import { ExtractInput } from '../schema/workflow/extract.ts'
import { extractArguments, foldExtractArguments } from '../schema/workflow/extract-arguments.ts'
import { takenScrapeOptions } from '../schema/scrape/arguments.ts'
import { WorkflowState } from '../schema/workflow/state.ts'
import extractStatus from './extract-status.ts'

export default defineOperation({
  name: 'extract',
  route: 'POST /v2/extract',
  title: 'Extract data from many pages',
  about:
    'Read many pages and merge what they say into one object by a JSON Schema or a prompt. Returns an id at once, or the result if wait is set; continue with crawl_status. For one page use scrape with the json format.',
  effect: 'create',
  example: {
    urls: ['https://example.com/products/*'],
    prompt: 'Name and price of each product',
    schema: { type: 'object', properties: { products: { type: 'array', items: { type: 'object' } } } },
    wait: 120,
  },
  input: ExtractInput,
  output: z.object({
    id: z.string(),
    url: z.string().describe('URL of the job status.'),
    invalidURLs: z.array(z.string()).optional().describe('URLs that were skipped.'),
    job: WorkflowState.optional().describe('Job status when the wait ended.'),
    warning: z.string().optional(),
  }),
  errors: ['SCRAPE_ZDR_VIOLATION_ERROR'],
  job: { endpoint: 'extract', target: targetOf, keep: () => undefined },
  price: () => 0,
  follow: { operation: extractStatus, answers: 'result' },
  mcp: {
    arguments: extractArguments,
    taken: takenScrapeOptions,
    toInput: foldExtractArguments,
    present: presentBegunJob,
  },
  run: startExtract,
})
