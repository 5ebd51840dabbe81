import { z } from 'zod'
import { leastScrapeCredits, lockdownMissCredits } from '../engine/billing/price.ts'
import { withoutCredentials } from '../engine/net/http/canonical-url.ts'
import { keepsNothing } from '../engine/scrape/plan.ts'
import { scrapeRequest } from '../engine/scrape/request.ts'
import { scrape } from '../engine/scrape/scrape.ts'
import { defineOperation } from '../kernel/operation.ts'
import { documentWithLinks } from '../present/document-links.ts'
import { presentDocument } from '../present/document.ts'
import { flatScrapeOptions, foldScrapeOptions } from '../schema/scrape/arguments.ts'
import { Document } from '../schema/scrape/document.ts'
import { ScrapeInput } from '../schema/scrape/options.ts'

export default defineOperation({
  name: 'scrape',
  route: 'POST /v2/scrape',
  title: 'Scrape a page',
  about:
    'Fetch one web page and return its main content as clean markdown, or as HTML, links, images, a screenshot and more. Use it for any URL you know, PDFs and office files too. Opens a browser if the page needs one. Recent pages come from a cache; maxAge 0 fetches anew.',
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
    isPrivate: (input) => keepsNothing(input),
  },
  price: ({ output, error }) =>
    output?.data.metadata.creditsUsed ?? (error?.code === 'SCRAPE_LOCKDOWN_CACHE_MISS' ? lockdownMissCredits : 0),
  reserve: (input) => leastScrapeCredits(input),
  permissions: (input) => (input.zeroDataRetention ? ['zeroDataRetention'] : []),
  limitMs: (input) => input.timeout,
  withLinks: async (output, link, input) =>
    keepsNothing(input) ? output : { ...output, data: await documentWithLinks(output.data, link) },
  mcp: {
    arguments: z.object({ url: ScrapeInput.shape.url, ...flatScrapeOptions }),
    toInput: foldScrapeOptions,
    readsOn: true,
    hasSections: true,
    present: (output, input, offered) =>
      presentDocument(output.data, keepsNothing(input) ? 'not kept' : 'readable again', offered),
  },
  run: async (input, ctx) => ({ data: (await scrape(ctx.ports, scrapeRequest(input, ctx))).document }),
})
