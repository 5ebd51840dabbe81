import { z } from 'zod'
import { callLabels } from './job-fields.ts'
import { Location } from './scrape/options.ts'
import { RequestHeaders } from './limits.ts'
import { WebUrl } from './url.ts'

export const MapInput = z.object({
  url: WebUrl.describe('Site to map.'),
  search: z.string().max(1000).optional().describe('Only links that match these words, best first.'),
  sitemap: z
    .enum(['include', 'only', 'skip'])
    .default('include')
    .describe('include: sitemaps and links; only: sitemaps; skip: links.'),
  includeSubdomains: z.boolean().default(true).describe('Include subdomains.'),
  ignoreQueryParameters: z.boolean().default(true).describe('List each URL once, without its query. Default true.'),
  limit: z.int().min(1).max(100_000).default(5000).describe('Maximum number of links.'),
  verifyLinks: z.boolean().default(false).describe('Drop dead links; slower.'),
  timeout: z.int().min(1).max(300_000).default(60_000).describe('Time limit for the whole call in milliseconds.'),
  location: Location.optional().describe('Country and languages to browse from.'),
  headers: RequestHeaders.optional().describe('HTTP request headers, such as {"Cookie": "a=b"}.'),
  ignoreCache: z.boolean().default(false).describe('Do not use cached pages.'),
  ...callLabels,
})
export type MapInput = z.output<typeof MapInput>

export const MapLink = z.object({ url: z.string(), title: z.string().optional(), description: z.string().optional() })
export type MapLink = z.output<typeof MapLink>

export const MapOutput = z.object({
  id: z.string(),
  links: z.array(MapLink),
  warning: z.string().optional(),
})
export type MapOutput = z.output<typeof MapOutput>
