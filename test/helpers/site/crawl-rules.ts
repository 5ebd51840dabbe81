import type { SkipReason } from '../../../src/contracts/crawl-ports.ts'
import { robotsRules, sitemaps, trapOf } from './crawl-hosts.ts'
import { hostOf } from './crawl-model.ts'

/** Crawl options that determine the returned pages, as in the request, with the start URL in two parts. */
export type CrawlWish = {
  /** By default `site.test`; 127.0.0.1 and localhost are the same site. */
  host?: string
  /** By default `/`. */
  path?: string
  limit?: number
  maxDiscoveryDepth?: number
  includePaths?: readonly string[]
  excludePaths?: readonly string[]
  regexOnFullURL?: boolean
  sitemap?: 'include' | 'skip' | 'only'
  ignoreQueryParameters?: boolean
  deduplicateSimilarURLs?: boolean
  crawlEntireDomain?: boolean
  allowExternalLinks?: boolean
  allowSubdomains?: boolean
  ignoreRobotsTxt?: boolean
  /** First word of the user agent that reads robots.txt. */
  robotsAgent?: string
  /** Runs scripts of pages; off by default. */
  scripts?: 'run'
}

/** Returns the key shared by all URLs of one page. */
export function identityOf(url: URL, { ignoreQueryParameters, deduplicateSimilarURLs = true }: CrawlWish): string {
  const route = /^#!?\//.test(url.hash) ? url.hash : ''
  const query = ignoreQueryParameters ? '' : url.search
  if (!deduplicateSimilarURLs) return `${url.origin}${url.pathname}${query}${route}`
  const path = url.pathname.replace(/\/index\.(?:html|php)$/, '/').replace(/\/$/, '')
  return `${url.host.replace(/^www\./, '')}${path}${withoutTracking(query)}${route}`
}

/** Removes parameters that identify where a visitor came from. */
function withoutTracking(query: string): string {
  const kept = query
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !/^(?:utm_\w+|gclid)=/.test(parameter))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** Returns the reason why a URL is not part of the crawl; undefined if it is. */
export function reasonAgainst(url: URL, bases: readonly URL[], wish: CrawlWish): SkipReason | undefined {
  if (!bases.some((base) => isInScope(url, base, wish))) return 'outOfScope'
  const subject = wish.regexOnFullURL ? url.href : url.pathname
  const matches = (patterns: readonly string[]) => patterns.some((pattern) => new RegExp(pattern).test(subject))
  if (matches(wish.excludePaths ?? [])) return 'excluded'
  if (wish.includePaths?.length && !matches(wish.includePaths)) return 'notIncluded'
  if (isForbidden(url, wish)) return 'robots'
  return trapOf(url.pathname) && hostOf(url) === 'site.test' ? 'trap' : undefined
}

/** Applies the robots.txt of the host. */
export const isForbidden = (url: URL, { ignoreRobotsTxt, robotsAgent }: CrawlWish): boolean =>
  !ignoreRobotsTxt && !isAllowed(url, robotsAgent)

function isInScope(url: URL, start: URL, wish: CrawlWish): boolean {
  if (bare(url) === bare(start) && url.port === start.port)
    return wish.crawlEntireDomain === true || `${url.pathname}/`.startsWith(folderOf(start))
  return (wish.allowSubdomains && bare(url).endsWith(`.${bare(start)}`)) || wish.allowExternalLinks === true
}

const bare = ({ hostname }: URL) => hostname.replace(/^www\./, '')

/** Returns `/docs/` for `/docs` and `/docs/`; a last segment with an extension is removed. */
const folderOf = ({ pathname }: URL) => `${pathname.replace(/\/[^/]*\.[^/]*$/, '').replace(/\/$/, '')}/`

/** The longest matching rule decides (RFC 9309); rules here only use `*`. */
function isAllowed(url: URL, agent = ''): boolean {
  const groups = robotsRules[hostOf(url)]
  const group = groups.find((each) => each.agent === agent) ?? groups.find((each) => each.agent === '*')
  const path = url.pathname + url.search
  const [longest] = (group?.rules ?? [])
    .filter(([, rule]) => new RegExp(`^${rule.replaceAll('?', '\\?').replaceAll('*', '.*')}`).test(path))
    .toSorted(([, one], [, other]) => other.length - one.length)
  return longest?.[0] !== 'disallow'
}

/** Returns the URLs in the sitemaps that a crawl reads: those of robots.txt, of the root and of the start folder. */
export function listedUrls(start: URL, { sitemap = 'include' }: CrawlWish): string[] {
  if (sitemap === 'skip' || hostOf(start) !== 'site.test') return []
  const { plain, packed, extra, docs } = sitemaps
  const ofFolder = docs.path === `${folderOf(start)}sitemap.xml` ? docs.urls : []
  return [...plain.urls, ...packed.urls, ...extra.urls, ...ofFolder]
}
