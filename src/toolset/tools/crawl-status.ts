import { z } from 'zod'
import type { Tool } from '../../kernel/tool.ts'
import crawlErrors from '../../operations/crawl-errors.ts'
import crawlStatus from '../../operations/crawl-status.ts'
import extractStatus from '../../operations/extract-status.ts'

const { id, skip, limit, wait } = crawlStatus.input.shape

export const crawlStatusTool: Tool = {
  name: 'crawl_status',
  title: 'Status and results of a job',
  about:
    'Show how far a crawl or batch_scrape is, and its pages: small ones in full, else a table whose rows scrape_result reads; or the result of an agent.',
  effect: 'read',
  example: crawlStatus.example,
  arguments: z.object({
    id: id.describe('Job id from crawl, batch_scrape or agent.'),
    wait,
    skip,
    limit,
    errors: z.boolean().default(false).describe('List the failed pages with reasons, and why other URLs were skipped.'),
  }),
  variants: [
    { operation: crawlErrors, when: { errors: true } },
    { operation: crawlStatus, when: { errors: false }, orElse: { operation: extractStatus } },
  ],
}
