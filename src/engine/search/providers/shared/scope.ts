import {
  ProviderError,
  type SearchOperator,
  type SearchQuery,
  type SearchRequest,
} from '../../../../contracts/search-port.ts'
import { categorySites, isUnder } from '../../query/post-filter.ts'
import { toText } from '../../query/to-text.ts'

/** The query and domains of a request, with its category translated into them. */
export type Scope = { query: SearchQuery; includeDomains: readonly string[]; excludeDomains: readonly string[] }

/** For providers without categories of their own. */
export function scopeOf({ query, category, includeDomains, excludeDomains }: SearchRequest): Scope {
  const hasDomains = includeDomains.length > 0 || query.site.length > 0
  const isPdf = category === 'pdf' && query.filetype.length === 0
  return {
    query: isPdf ? { ...query, filetype: ['pdf'] } : query,
    includeDomains: hasDomains || category === undefined ? includeDomains : categorySites[category],
    excludeDomains,
  }
}

/** Domains as lists, for providers without `site:`. A site with a path counts as its host; excluded sites with a path are skipped. */
export function domainsOf({ query, includeDomains, excludeDomains }: Scope): { include: string[]; exclude: string[] } {
  const sites = query.site.map((site) => site.split('/')[0] ?? '')
  return {
    include: [...new Set(sites.length > 0 ? sites : includeDomains)],
    exclude: [...new Set([...excludeDomains, ...query.notSite.filter((site) => !site.includes('/'))])],
  }
}

export type MaxLength = { chars: number; words: number }

/** The query as text within the provider's limits; domains that do not fit are left to the post-filter. */
export function queryWithin(scope: Scope, operators: ReadonlySet<SearchOperator>, max: MaxLength): string {
  const { query, includeDomains, excludeDomains } = scope
  const count = Math.max(includeDomains.length, excludeDomains.length)
  for (let kept = count; kept >= 0; kept--) {
    const domains = { includeDomains: includeDomains.slice(0, kept), excludeDomains: excludeDomains.slice(0, kept) }
    const text = toText(query, operators, domains)
    if (text.length <= max.chars && text.split(/\s+/).length <= max.words) return text
  }
  return truncateQuery(toText(query, operators), max)
}

export function truncateQuery(text: string, { chars, words }: MaxLength): string {
  const short = text.split(/\s+/).slice(0, words).join(' ')
  return short.length <= chars ? short : short.slice(0, short.lastIndexOf(' ', chars) + 1 || chars).trim()
}

/** Fails with `refused` where a query holds operators only, which a word search cannot answer. */
export function requireWords(text: string): string {
  if (text.trim() !== '') return text
  throw new ProviderError('refused', 'It needs words to search for.', { pauseMs: 0 })
}

/** For providers of one site: fails with `other sites` when the request excludes it, since an empty answer would mean nothing. */
export function requireSite({ query, includeDomains, excludeDomains }: SearchRequest, ...hosts: string[]): void {
  const covers = (sites: readonly string[]) =>
    sites.some((site) => {
      const domain = site.split('/')[0] ?? ''
      return hosts.some((host) => isUnder(host, domain) || isUnder(domain, host))
    })
  const isIn = (sites: readonly string[]) => sites.length === 0 || covers(sites)
  const isOut = hosts.every((host) => [...excludeDomains, ...query.notSite].some((domain) => isUnder(host, domain)))
  if (isIn(includeDomains) && isIn(query.site) && !isOut) return
  throw new ProviderError('other sites', `It only knows pages of ${hosts.join(' and ')}.`, { pauseMs: 0 })
}
