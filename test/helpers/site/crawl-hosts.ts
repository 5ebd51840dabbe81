import { html, inMain, navigation, type CrawlHost, type Pages, type Sitemap } from './crawl-model.ts'
import { makeOddities, sitemapOnly } from './crawl-oddities.ts'
import { makeTree } from './crawl-tree.ts'

/** Endless folders: any URL below them is a page with more such links. */
export const traps = ['/calendar/', '/session/', '/deep/'] as const
export type Trap = (typeof traps)[number]
export const trapOf = (path: string): Trap | undefined => traps.find((trap) => path.startsWith(trap))

const intoTraps = inMain('/calendar/2026/01', '/session/?sid=1', '/deep/a')

export type CrawlSiteOptions = {
  seed?: number
  /** Response time of slow pages in ms; 300 by default. */
  slowMs?: number
  /** Retry-After of busy pages in seconds; 1 by default. */
  retryAfterS?: number
  /** Links the endless folders from the home page. */
  traps?: 'linked'
}

/** Returns all pages by host. */
export function makeHosts({ seed = 1, slowMs = 300, traps: wanted }: CrawlSiteOptions): Record<CrawlHost, Pages> {
  const home = inMain('/odd/', '{origin}/index.html', '{secure}/', ...(wanted ? intoTraps.map(({ href }) => href) : []))
  return {
    'site.test': { '/': html([...navigation, ...home]), ...makeTree(seed), ...makeOddities(slowMs) },
    'docs.site.test': {
      '/': html(inMain('/guide/start', '/hidden/one')),
      '/guide/start': html(inMain('next', '{origin}/')),
      '/guide/next': html([]),
      '/hidden/one': html(inMain('/hidden/two')),
      '/hidden/two': html([]),
    },
    'other.test': {
      '/': html(inMain('/first', '/closed/door')),
      '/first': html(inMain('/second')),
      '/second': html([]),
      '/arrived': html([]),
      '/closed/door': html([]),
    },
  }
}

type RobotsGroup = { agent: string; rules: readonly (readonly [verb: 'allow' | 'disallow', path: string])[] }

/** Rules of each host by user agent; `*` applies to agents without a group. */
export const robotsRules: Record<CrawlHost, readonly RobotsGroup[]> = {
  'site.test': [
    {
      agent: '*',
      rules: [
        ['disallow', '/private/'],
        ['allow', '/private/open/'],
        ['disallow', '/*?print='],
      ],
    },
    { agent: 'slowbot', rules: [['disallow', '/blog/']] },
  ],
  'docs.site.test': [{ agent: '*', rules: [['disallow', '/hidden/']] }],
  'other.test': [{ agent: '*', rules: [['disallow', '/closed/']] }],
}

const crawlDelayS: Readonly<Record<string, number>> = { slowbot: 5 }

export function robotsTxt(host: CrawlHost): string {
  const groups = robotsRules[host].map(({ agent, rules }) =>
    [
      `User-agent: ${agent}`,
      ...rules.map(([verb, path]) => `${verb === 'allow' ? 'Allow' : 'Disallow'}: ${path}`),
      ...(crawlDelayS[agent] === undefined ? [] : [`Crawl-delay: ${crawlDelayS[agent]}`]),
    ].join('\n'),
  )
  const sitemaps = host === 'site.test' ? ['Sitemap: {origin}/sitemap.xml', 'Sitemap: {origin}/maps/extra.xml'] : []
  return `${[...groups, ...sitemaps].join('\n\n')}\n`
}

/**
 * The index at `/sitemap.xml` lists `plain` and `packed`. robots.txt lists the index and `extra`; `docs` is in its own
 * folder.
 */
export const sitemaps: Readonly<Record<'plain' | 'packed' | 'extra' | 'docs', Sitemap>> = {
  plain: sitemap('/maps/plain.xml', [
    ...sitemapOnly.plain,
    '/docs/harbour/',
    '/docs/lantern/lantern-1',
    '/blog/2025/03/first-post',
    '/private/listed',
    '/private/open/listed',
    '/archive/missing',
  ]),
  packed: sitemap('/maps/packed.xml.gz', [...sitemapOnly.packed, '/shop/item-50', '/about']),
  extra: { path: '/maps/extra.xml', urls: [...sitemapOnly.extra.map((path) => `{origin}${path}`), '{other}/listed'] },
  docs: sitemap('/docs/sitemap.xml', sitemapOnly.docs),
}
export const sitemapIndex = { path: '/sitemap.xml', children: [sitemaps.plain.path, sitemaps.packed.path] }

function sitemap(path: string, paths: readonly string[]): Sitemap {
  return { path, urls: paths.map((each) => `{origin}${each}`) }
}
