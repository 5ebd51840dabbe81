import { z } from 'zod'
import { derive } from '../engine/crawl/prompt/derive.ts'
import { defineOperation } from '../kernel/operation.ts'
import { CrawlParams, CrawlPrompt, PromptReasons } from '../schema/crawl.ts'
import { WebUrl } from '../schema/url.ts'

export default defineOperation({
  name: 'crawl_params_preview',
  route: 'POST /v2/crawl/params-preview',
  title: 'Preview what a crawl prompt means',
  about:
    'Show the crawl options that a prompt in plain English translates to, without crawling. Where the prompt names parts of the site, its addresses are looked up, and a language model is asked if one is set. Parts not understood are named in warning.',
  effect: 'read',
  example: { url: 'https://example.com', prompt: 'Only the blog, at most 50 pages, without /blog/tags' },
  input: z.object({
    url: WebUrl.describe('URL the crawl would start from.'),
    prompt: CrawlPrompt.describe('What to crawl, in plain English.'),
  }),
  output: z.object({ data: CrawlParams, promptReasons: PromptReasons, warning: z.string().optional() }),
  errors: [],
  // The crawl itself takes the prompt, and says what it made of it.
  mcp: false,
  run: async ({ url, prompt }, ctx) => {
    const { options, reasons, warning } = await derive(ctx.ports, { url, prompt, keepsNothing: false }, ctx)
    return { data: { url, ...options }, promptReasons: reasons, ...(warning !== undefined && { warning }) }
  },
})
