import { z } from 'zod'
import { ownDocument } from '../engine/scrape/result.ts'
import { defineOperation } from '../kernel/operation.ts'
import { documentWithLinks } from '../present/document-links.ts'
import { presentDocument } from '../present/document.ts'
import { Document } from '../schema/scrape/document.ts'
import { WebUrl } from '../schema/url.ts'

export default defineOperation({
  name: 'scrape_result',
  route: 'GET /v2/scrape/:jobId',
  title: 'Read a page again',
  about:
    'Read a page again by its scrapeId or row of a crawl, without visiting it: on from offset, or by find or section.',
  effect: 'read',
  world: 'closed',
  example: { jobId: '0190c2a0-0000-7000-8000-000000000000' },
  input: z
    .object({
      jobId: z
        .uuid()
        .toLowerCase()
        .describe('metadata.scrapeId of the page, or the id of a crawl or batch with row or url.'),
      row: z
        .int()
        .min(1)
        .max(10_000_000)
        .optional()
        .describe('Page of the crawl or batch: its place in the results, from 1.'),
      url: WebUrl.optional().describe('Page of the crawl or batch: its URL.'),
    })
    .refine(({ row, url }) => row === undefined || url === undefined, { error: 'Send either row or url.' }),
  output: z.object({ data: Document }),
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  withLinks: async ({ data }, link) => ({ data: await documentWithLinks(data, link) }),
  mcp: {
    hasSections: true,
    present: (output, _input, offered) => presentDocument(output.data, 'readable again', offered),
    resource: { template: 'gossamer://scrape/{jobId}', name: 'Scraped page', mimeType: 'text/markdown' },
  },
  run: async (input, ctx) => ({ data: await ownDocument(ctx.ports, input, ctx) }),
})
