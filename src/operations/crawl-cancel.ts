import { z } from 'zod'
import { cancelJob } from '../engine/crawl/status.ts'
import { defineOperation } from '../kernel/operation.ts'
import { JobId } from '../schema/crawl.ts'

export default defineOperation({
  name: 'crawl_cancel',
  route: 'DELETE /v2/crawl/:id',
  title: 'Cancel a crawl or batch',
  about: 'Stop a crawl or batch_scrape. Pages already scraped stay readable.',
  effect: 'destroy',
  world: 'closed',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ id: JobId }),
  output: z.object({ status: z.literal('cancelled') }),
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM', 'JOB_IS_OVER'],
  run: (input, ctx) => cancelJob(input, ctx),
})
