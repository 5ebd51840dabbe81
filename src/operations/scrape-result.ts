import { z } from 'zod'
import { defineOperation } from '../core/operation.ts'
import { ownJob } from '../engine/scrape/result.ts'
import { presentDocument } from '../present/document.ts'
import { Document } from '../schema/document.ts'

export default defineOperation({
  name: 'scrape_result',
  route: 'GET /v2/scrape/:jobId',
  title: 'Read a scrape again',
  about:
    'Return the stored result of an earlier scrape by its scrapeId, without visiting the page. Use it with offset to read on where a long answer was cut.',
  effect: 'read',
  example: { jobId: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ jobId: z.uuid().toLowerCase().describe('metadata.scrapeId of the scrape.') }),
  output: z.object({ data: Document }),
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: {
    present: (output) => presentDocument(output.data, 'readable again'),
    resource: { template: 'gossamer://scrape/{jobId}', name: 'Scraped page', mimeType: 'text/markdown' },
  },
  run: async ({ jobId }, ctx) => (await ownJob(ctx.ports, jobId, 'scrape', ctx)).result as { data: Document },
})
