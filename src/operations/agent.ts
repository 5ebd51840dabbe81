import { z } from 'zod'
import { startAgent, targetOf } from '../engine/agent/start.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentBegunJob } from '../present/extract.ts'
import { AgentInput, agentArguments, JobResult } from '../schema/workflow/agent.ts'
import extractStatus from './extract-status.ts'

export default defineOperation({
  name: 'agent',
  route: 'POST /v2/agent',
  title: 'Answer a question from the web',
  about:
    'Answer a question or fill a JSON Schema from the web, naming the pages that bear out each part. Searches, reads pages and follows links by itself; needs no URL. Returns an id at once, or the answer if wait is set; continue with crawl_status.',
  effect: 'create',
  example: { prompt: 'Who maintains SQLite, and since when?', maxPages: 5, wait: 120 },
  input: AgentInput,
  output: z.object({
    id: z.string(),
    url: z.string().describe('URL of the job status.'),
    job: JobResult.optional().describe('Job status when the wait ended.'),
    warning: z.string().optional(),
  }),
  errors: ['SCRAPE_ZDR_VIOLATION_ERROR'],
  job: { endpoint: 'agent', target: targetOf, keep: () => undefined },
  price: () => 0,
  follow: { operation: extractStatus, answers: 'result' },
  mcp: { arguments: agentArguments, present: presentBegunJob },
  run: startAgent,
})
