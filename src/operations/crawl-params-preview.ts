import { z } from 'zod'
import { optionsFromPrompt } from '../engine/crawl/prompt/from-prompt.ts'
import { defineOperation } from '../kernel/operation.ts'
import { CrawlParams } from '../schema/crawl.ts'
import { WebUrl } from '../schema/url.ts'
import { words } from '../schema/limits.ts'

export default defineOperation({
  name: 'crawl_params_preview',
  route: 'POST /v2/crawl/params-preview',
  title: 'Preview what a crawl prompt means',
  about:
    'Show the crawl options that a prompt in plain English translates to, without crawling. Parts not understood are named in warning.',
  effect: 'read',
  example: { url: 'https://example.com', prompt: 'Only the blog, at most 50 pages, without /blog/tags' },
  input: z.object({
    url: WebUrl.describe('URL the crawl would start from.'),
    prompt: words(10_000).describe('What to crawl, in plain English.'),
  }),
  output: z.object({ data: CrawlParams, warning: z.string().optional() }),
  errors: [],
  // The crawl itself takes the prompt, and says what it made of it.
  mcp: false,
  run: async ({ url, prompt }) => {
    const { options, warning } = optionsFromPrompt(url, prompt)
    return { data: { url, ...options }, ...(warning !== undefined && { warning }) }
  },
})
