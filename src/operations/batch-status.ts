import { statusOf } from '../engine/crawl/status.ts'
import { defineOperation } from '../kernel/operation.ts'
import { jobWithLinks } from '../present/document-links.ts'
import { JobStatus, StatusInput } from '../schema/crawl.ts'

export default defineOperation({
  name: 'batch_status',
  route: 'GET /v2/batch/scrape/:id',
  title: 'Status and pages of a batch',
  about: 'Show the progress of a batch and the pages scraped so far.',
  effect: 'read',
  world: 'closed',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: StatusInput,
  output: JobStatus,
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  watch: 'documents',
  awaits: 'pages',
  withLinks: jobWithLinks,
  mcp: false,
  run: (input, ctx) => statusOf(input, ctx, 'batch_scrape'),
})
