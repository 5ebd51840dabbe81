import { z } from 'zod'
import { mapCredits } from '../engine/billing/price.ts'
import { mapSite } from '../engine/crawl/map/map.ts'
import { withoutCredentials } from '../engine/net/http/canonical-url.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentMap } from '../present/map.ts'
import { MapInput, MapOutput } from '../schema/map.ts'

/** A few hundred links are what an agent reads; it searches for the rest. */
const shownLimit = 300
const { url, search, sitemap } = MapInput.shape

export default defineOperation({
  name: 'map',
  route: 'POST /v2/map',
  title: 'List the pages of a site',
  about: 'List the pages of a web site quickly, without reading them. Use it when you know the site but not the page.',
  effect: 'read',
  example: { url: 'https://example.com', search: 'pricing', limit: 100 },
  input: MapInput,
  output: MapOutput,
  errors: ['MAP_TIMEOUT', 'MAP_FAILED'],
  job: {
    endpoint: 'map',
    target: (input) => withoutCredentials(input.url),
    // Nothing reads it again, and it may be large.
    keep: () => undefined,
    replay: (input) => input,
  },
  price: ({ output }) => (output ? mapCredits : 0),
  limitMs: (input) => input.timeout,
  mcp: {
    arguments: z.object({
      url,
      search,
      limit: z.int().min(1).max(100_000).default(shownLimit).describe('Maximum links.'),
      sitemap,
    }),
    toInput: (args) => ({ limit: shownLimit, ...args }),
    present: (output, input) => presentMap(output, input.url),
  },
  run: async (input, ctx) => ({ id: ctx.jobId, links: await mapSite(ctx.ports, input, ctx) }),
})
