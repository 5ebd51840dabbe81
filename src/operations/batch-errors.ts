import { z } from 'zod'
import { errorsOf } from '../engine/crawl/status.ts'
import { defineOperation } from '../kernel/operation.ts'
import { JobErrors, JobId } from '../schema/crawl.ts'

export default defineOperation({
  name: 'batch_errors',
  route: 'GET /v2/batch/scrape/:id/errors',
  title: 'Errors of a batch',
  about: 'List the pages of a batch that failed, and why.',
  effect: 'read',
  world: 'closed',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ id: JobId }),
  output: JobErrors,
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: false,
  run: (input, ctx) => errorsOf(input, ctx, 'batch_scrape'),
})
