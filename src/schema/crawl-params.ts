import { z } from 'zod'

/** Crawl options that a prompt stands for (spec: Crawl parameters preview). */
export const CrawlParams = z.object({
  url: z.string(),
  includePaths: z.array(z.string()).optional(),
  excludePaths: z.array(z.string()).optional(),
  maxDepth: z.int().optional(),
  maxDiscoveryDepth: z.int().optional(),
  crawlEntireDomain: z.boolean().optional(),
  allowExternalLinks: z.boolean().optional(),
  allowSubdomains: z.boolean().optional(),
  sitemap: z.enum(['include', 'skip', 'only']).optional(),
  ignoreQueryParameters: z.boolean().optional(),
  deduplicateSimilarURLs: z.boolean().optional(),
  delay: z.number().optional().describe('Seconds between two pages.'),
  limit: z.int().optional(),
})
