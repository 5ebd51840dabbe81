import { z } from 'zod'
import { minScrapeCredits, lockdownMissCredits } from '../engine/billing/price.ts'
import { withoutCredentials } from '../engine/net/http/canonical-url.ts'
import { isZeroRetention } from '../engine/scrape/plan.ts'
import { scrapeRequest } from '../engine/scrape/scrape-request.ts'
import { ownDocument } from '../engine/scrape/own-results.ts'
import { scrape as scrapePage } from '../engine/scrape/scrape.ts'
import { defineOperation, type Presentation } from '../kernel/operation.ts'
import type { Tool } from '../kernel/tool.ts'
import { readingScrape } from './agent-arguments.ts'
import { documentWithLinks, presentDocument } from './present/present-document.ts'
import { isForResearch, jsonAnswer } from './present/present-lists.ts'
import { flatScrapeOptions, foldScrapeOptions } from '../schema/scrape/scrape-arguments.ts'
import { Document } from '../schema/scrape/document.ts'
import { ScrapeInput } from '../schema/scrape/scrape-options.ts'
import { WebUrl } from '../schema/common-fields.ts'

/** Options listed for agents. The others are accepted too, but too rarely used to be listed. */
const listedScrapeOptions = omit(flatScrapeOptions, [
  'changeTrackingOptions',
  'onlyCleanContent',
  'lockdown',
  'proxy',
  'skipTlsVerification',
])

function omit<T extends object, K extends keyof T>(from: T, names: readonly K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name as K))) as Omit<T, K>
}

export const scrape = defineOperation({
  name: 'scrape',
  route: 'POST /v2/scrape',
  title: 'Scrape a page',
  about:
    'Fetch one web page and return its main content as clean markdown, or as HTML, links, images, a screenshot and more. Use it for any URL you know, PDFs and office files too. Opens a browser if the page needs one. Recent pages come from a cache; maxAge 0 skips it.',
  effect: 'create',
  example: { url: 'https://example.com/article', formats: ['markdown', 'links'] },
  input: ScrapeInput,
  output: z.object({ data: Document }),
  errors: [
    'SCRAPE_TIMEOUT',
    'SCRAPE_NO_CACHED_DATA',
    'SCRAPE_LOCKDOWN_CACHE_MISS',
    'SCRAPE_ADDRESS_REFUSED',
    'SCRAPE_DNS_RESOLUTION_ERROR',
    'SCRAPE_SSL_ERROR',
    'SCRAPE_SITE_ERROR',
    'SCRAPE_ALL_ENGINES_FAILED',
    'SCRAPE_UNSUPPORTED_FILE_ERROR',
    'SCRAPE_PDF_OCR_REQUIRED',
    'SCRAPE_ACTION_ERROR',
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
    'SCRAPE_BRANDING_NOT_SUPPORTED',
    'SCRAPE_AUDIO_UNSUPPORTED_URL',
    'SCRAPE_VIDEO_UNSUPPORTED_URL',
    'SCRAPE_ZDR_VIOLATION_ERROR',
    'SCRAPE_JOB_CANCELLED',
    'SCRAPE_PROXY_SELECTION_ERROR',
    'BROWSER_UNAVAILABLE',
    'PROFILE_IN_USE',
    'PROFILE_UNREADABLE',
  ],
  job: {
    endpoint: 'scrape',
    target: (input) => withoutCredentials(input.url),
    keep: (_, output) => output,
    replay: (input) => input,
    isPrivate: (input) => isZeroRetention(input),
  },
  price: ({ output, error }) =>
    output?.data.metadata.creditsUsed ?? (error?.code === 'SCRAPE_LOCKDOWN_CACHE_MISS' ? lockdownMissCredits : 0),
  reserve: (input) => minScrapeCredits(input),
  permissions: (input) => (input.zeroDataRetention ? ['zeroDataRetention'] : []),
  limitMs: (input) => input.timeout,
  withLinks: async (output, link, input) =>
    isZeroRetention(input) ? output : { ...output, data: await documentWithLinks(output.data, link) },
  mcp: {
    arguments: z.object({ url: ScrapeInput.shape.url, ...listedScrapeOptions }),
    taken: z.object(flatScrapeOptions),
    forAgents: readingScrape,
    toInput: foldScrapeOptions,
    effect: 'read',
    hasSections: true,
    present: (output, input, offered) =>
      isForResearch(offered)
        ? presentFetched(input.url, output.data)
        : presentDocument(output.data, isZeroRetention(input) ? 'not kept' : 'readable again', offered),
  },
  run: async (input, ctx) => ({
    data: (await scrapePage(ctx.ports, scrapeRequest(input, ctx, { isSingle: true }))).document,
  }),
})

const maxText = 100_000

/** The answer of `fetch`. */
function presentFetched(id: string, { markdown = '', metadata }: Document): Presentation {
  const { url, title = url, statusCode, description } = metadata
  const text = markdown.slice(0, maxText)
  const facts = { statusCode, description, ...(text.length < markdown.length && { characters: markdown.length }) }
  return jsonAnswer({ id, title, text, url, metadata: facts })
}

export const scrapeResult = defineOperation({
  name: 'scrape_result',
  route: 'GET /v2/scrape/:jobId',
  title: 'Read a page again',
  about:
    'Read a page again by its scrapeId or row of a crawl, without visiting it: from offset, or what matches find or section.',
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

const { jobId, row } = scrapeResult.input.shape

export const scrapeResultTool: Tool = {
  name: 'scrape_result',
  title: scrapeResult.title,
  about: scrapeResult.about,
  effect: scrapeResult.effect,
  example: { id: '0190c2a0-0000-7000-8000-000000000000', row: 3 },
  arguments: z.object({
    id: jobId.describe('scrapeId of a page; or id of a crawl or batch_scrape, with row or url.'),
    row: row.describe('Row of the table that crawl_status shows, from 1.'),
    url: z.string().optional().describe('URL of the page, instead of row.'),
  }),
  variants: [{ operation: scrapeResult, fields: { id: 'jobId' } }],
}
