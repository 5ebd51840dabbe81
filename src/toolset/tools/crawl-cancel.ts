import { z } from 'zod'
import type { Tool } from '../../kernel/tool.ts'
import crawlCancel from '../../operations/crawl-cancel.ts'
import extractCancel from '../../operations/extract-cancel.ts'

export const crawlCancelTool: Tool = {
  name: 'crawl_cancel',
  title: 'Cancel a job',
  about: 'Stop a crawl, batch_scrape or agent. Scraped pages stay readable.',
  effect: 'destroy',
  example: crawlCancel.example,
  arguments: z.object({ id: crawlCancel.input.shape.id.describe('Job id from crawl, batch_scrape or agent.') }),
  variants: [{ operation: crawlCancel, orElse: { operation: extractCancel } }],
}
