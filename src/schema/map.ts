import { z } from 'zod'
import { Location } from './scrape/options.ts'
import { WebUrl } from './url.ts'

export const MapInput = z.object({
  url: WebUrl.describe('Best the home page.'),
  search: z.string().max(1000).optional().describe('Only links that match these words.'),
  sitemap: z.enum(['include', 'only', 'skip']).default('include').describe('Sitemaps and links, or one of them.'),
  includeSubdomains: z.boolean().default(true).describe('Also pages of sub-domains.'),
  ignoreQueryParameters: z.boolean().default(true).describe('List addresses without their query, each once.'),
  limit: z.int().min(1).max(100_000).default(5000).describe('Most links.'),
  verifyLinks: z.boolean().default(false).describe('Leave out dead links; slower.'),
  timeout: z.int().min(1000).max(300_000).default(60_000).describe('Limit for the whole call, ms.'),
  location: Location.optional().describe('Country and languages to appear from.'),
  headers: z.record(z.string(), z.string()).optional().describe('HTTP headers to send, such as cookies.'),
  ignoreCache: z.boolean().default(false).describe('Take no page from the cache.'),
  origin: z.string().max(256).optional().describe('Label of the calling program.'),
  integration: z.string().max(256).optional().describe('Label of the calling integration.'),
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
