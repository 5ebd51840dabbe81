import { z } from 'zod'
import { ownDocument } from '../engine/scrape/result.ts'
import { defineOperation } from '../kernel/operation.ts'
import { documentWithLinks } from '../present/document-links.ts'
import { presentDocument } from '../present/document.ts'
import { Document } from '../schema/scrape/document.ts'

export default defineOperation({
  name: 'scrape_result',
  route: 'GET /v2/scrape/:jobId',
  title: 'Read a scrape again',
  about:
    'Read a scraped or crawled page again by its scrapeId, without visiting it: on from offset, or a part by find or section.',
  effect: 'read',
  world: 'closed',
  example: { jobId: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ jobId: z.uuid().toLowerCase().describe('metadata.scrapeId of the page.') }),
  output: z.object({ data: Document }),
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  withLinks: async ({ data }, link) => ({ data: await documentWithLinks(data, link) }),
  mcp: {
    hasSections: true,
    present: (output) => presentDocument(output.data, 'readable again'),
    resource: { template: 'gossamer://scrape/{jobId}', name: 'Scraped page', mimeType: 'text/markdown' },
  },
  run: async ({ jobId }, ctx) => ({ data: await ownDocument(ctx.ports, jobId, ctx) }),
})
