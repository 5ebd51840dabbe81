import { z } from 'zod'
import { mapCredits } from '../engine/billing/price.ts'
import { mapSite } from '../engine/crawl/map/map-site.ts'
import { withoutCredentials } from '../engine/net/http/canonical-url.ts'
import { defineOperation, type Presentation } from '../kernel/operation.ts'
import { ownWords, shortened, splitUrls, withoutSiteName } from './present/present-lists.ts'
import { MapInput, MapLink } from '../schema/crawl-schema.ts'

/** Default limit for agents, which rarely read more links and can search for others. */
const shownLimit = 300
const { url, search } = MapInput.shape

const MapOutput = z.object({
  id: z.string(),
  links: z.array(MapLink),
  warning: z.string().optional(),
})

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
    // Not stored, because it is never read again and may be large.
    keep: () => undefined,
    replay: (input) => input,
  },
  price: ({ output }) => (output ? mapCredits : 0),
  limitMs: (input) => input.timeout,
  mcp: {
    arguments: z.object({
      url,
      search,
      limit: z.int().min(1).max(100_000).default(shownLimit).describe('Maximum links to list.'),
    }),
    toInput: (args) => ({ limit: shownLimit, ...args }),
    present: (output, input) => presentMap(output, input.url),
  },
  run: async (input, ctx) => ({ id: ctx.jobId, links: await mapSite(ctx.ports, input, ctx) }),
})

/** Shows one link per line, below their common base. Marked as page text, since titles and URLs come from the site. */
export function presentMap({ links, warning }: z.output<typeof MapOutput>, origin: string): Presentation {
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

/** The title on one line: further lines would look like links. */
const titleOf = (title: string | undefined) => (title ? ` — ${shortened(title)}` : '')
