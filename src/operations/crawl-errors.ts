import { z } from 'zod'
import { errorsOf } from '../engine/crawl/status.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentErrors } from '../present/job-lists.ts'
import { JobErrors, JobId } from '../schema/crawl.ts'

export default defineOperation({
  name: 'crawl_errors',
  route: 'GET /v2/crawl/:id/errors',
  title: 'Errors of a crawl or batch',
  about:
    'List failed pages of a crawl or batch_scrape with reasons, what robots.txt forbids, and why other URLs were skipped.',
  effect: 'read',
  world: 'closed',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ id: JobId }),
  output: JobErrors,
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: { present: presentErrors },
  run: (input, ctx) => errorsOf(input, ctx),
})
