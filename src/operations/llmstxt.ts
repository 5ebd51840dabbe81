import { z } from 'zod'
import { startLlmsTxt } from '../engine/llmstxt/start.ts'
import { withoutCredentials } from '../engine/net/http/canonical-url.ts'
import { defineOperation } from '../kernel/operation.ts'
import { LlmsTxtInput, LlmsTxtState } from '../schema/workflow/llmstxt.ts'
import llmstxtStatus from './llmstxt-status.ts'

export default defineOperation({
  name: 'llmstxt',
  route: 'POST /v2/llmstxt',
  title: 'Make llms.txt for a site',
  about:
    'Read the pages of a site and write its llms.txt, and llms-full.txt on request. Returns an id at once, or the result if wait is set.',
  effect: 'create',
  example: { url: 'https://example.com', maxUrls: 20, showFullText: true },
  input: LlmsTxtInput,
  output: z.object({
    id: z.string(),
    url: z.string().describe('URL of the job status.'),
    job: LlmsTxtState.optional().describe('Job status when the wait ended.'),
    warning: z.string().optional(),
  }),
  errors: ['SCRAPE_ZDR_VIOLATION_ERROR'],
  job: { endpoint: 'llmstxt', target: ({ url }) => withoutCredentials(url), keep: () => undefined },
  price: () => 0,
  follow: { operation: llmstxtStatus, answers: 'result' },
  mcp: false,
  run: startLlmsTxt,
})
