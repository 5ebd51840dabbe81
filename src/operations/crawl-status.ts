import { statusOf } from '../engine/crawl/status.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentStatus } from '../present/crawl.ts'
import { jobWithLinks } from '../present/document-links.ts'
import { JobStatus, StatusInput } from '../schema/crawl.ts'

export default defineOperation({
  name: 'crawl_status',
  route: 'GET /v2/crawl/:id',
  title: 'Status and pages of a crawl or batch',
  about: 'Show the progress of a crawl or batch_scrape and its pages. Set skip to list later pages.',
  effect: 'read',
  world: 'closed',
  example: { id: '0190c2a0-0000-7000-8000-000000000000', skip: 100 },
  input: StatusInput,
  output: JobStatus,
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  watch: 'documents',
  awaits: 'pages',
  withLinks: jobWithLinks,
  mcp: { hasPages: true, present: (output, input, offered) => presentStatus(output, input, offered) },
  run: (input, ctx) => statusOf(input, ctx),
})
