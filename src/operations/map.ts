import { z } from 'zod'
import { mapCredits } from '../engine/billing/price.ts'
import { mapSite } from '../engine/crawl/map/map-site.ts'
import { withoutCredentials } from '../engine/net/http/canonical-url.ts'
import { defineOperation, type Presentation } from '../kernel/operation.ts'
import { ownWords, shortened, splitUrls, withoutSiteName } from './present/present-lists.ts'
import { MapInput, MapOutput } from '../schema/crawl-schema.ts'

/** A few hundred links are what an agent reads; it searches for the rest. */
const shownLimit = 300
const { url, search, sitemap } = MapInput.shape

export const map = defineOperation({
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

/** The links one a line, what all of them begin with once. Titles and addresses are the site's, so they stand in the marked block only. */
export function presentMap({ links, warning }: MapOutput, origin: string): Presentation {
  const count = links.length === 1 ? '1 link' : `${links.length} links`
  const own = ownWords(`${count}.`, ...(warning ? [`Warning: ${warning}`] : []))
  if (links.length === 0) return { parts: [own] }
  const { base, rests } = splitUrls(links.map((link) => link.url))
  const below = base === '' ? [] : [`Below ${base}`]
  const titles = withoutSiteName(links.map(({ title = '' }) => title))
  const text = [...below, ...links.map((_, index) => `${rests[index]}${titleOf(titles[index])}`)].join('\n')
  return {
    parts: [own, { kind: 'page', text, origin, label: 'links' }],
  }
}

/** A title of several lines would look like further links. */
const titleOf = (title: string | undefined) => (title ? ` — ${shortened(title)}` : '')
