import { z } from 'zod'
import type { Tool } from '../../kernel/tool.ts'
import scrapeResult from '../../operations/scrape-result.ts'

const { jobId, row } = scrapeResult.input.shape

export const scrapeResultTool: Tool = {
  name: 'scrape_result',
  title: scrapeResult.title,
  about: scrapeResult.about,
  effect: scrapeResult.effect,
  example: { id: '0190c2a0-0000-7000-8000-000000000000', row: 3 },
  arguments: z.object({
    id: jobId.describe('scrapeId; or a job id, with row or url.'),
    row: row.describe('Row of its table.'),
    url: z.string().optional().describe('Or its URL.'),
  }),
  variants: [{ operation: scrapeResult, fields: { id: 'jobId' } }],
}
