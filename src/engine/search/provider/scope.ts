import { SearchError, type SearchOperator, type SearchQuery, type SearchRequest } from '../../../contracts/search.ts'
import { categorySites, isUnder } from '../query/post-filter.ts'
import { toText } from '../query/to-text.ts'

/** Where a request searches: the domains it names or those of its category, and the query with the category in it. */
export type Scope = { query: SearchQuery; includeDomains: readonly string[]; excludeDomains: readonly string[] }

/** For providers that know no categories. */
export function scopeOf({ query, category, includeDomains, excludeDomains }: SearchRequest): Scope {
  const hasPlaces = includeDomains.length > 0 || query.site.length > 0
  const isPdf = category === 'pdf' && query.filetype.length === 0
  return {
    query: isPdf ? { ...query, filetype: ['pdf'] } : query,
    includeDomains: hasPlaces || category === undefined ? includeDomains : categorySites[category],
    excludeDomains,
  }
}

/** Domains as lists, for providers that take no `site:`. A site with a path counts by its host; one left out only as a whole. */
export function domainsOf({ query, includeDomains, excludeDomains }: Scope): { include: string[]; exclude: string[] } {
  const sites = query.site.map((site) => site.split('/')[0] ?? '')
  return {
    include: [...new Set(sites.length > 0 ? sites : includeDomains)],
    exclude: [...new Set([...excludeDomains, ...query.notSite.filter((site) => !site.includes('/'))])],
  }
}

export type Measure = { chars: number; words: number }

/** The query as text no longer than the provider takes: domains that do not fit are left to the check of the results. */
export function textWithin(scope: Scope, operators: ReadonlySet<SearchOperator>, max: Measure): string {
  const { query, includeDomains, excludeDomains } = scope
  const count = Math.max(includeDomains.length, excludeDomains.length)
  for (let kept = count; kept >= 0; kept--) {
    const domains = { includeDomains: includeDomains.slice(0, kept), excludeDomains: excludeDomains.slice(0, kept) }
    const text = toText(query, operators, domains)
    if (text.length <= max.chars && text.split(/\s+/).length <= max.words) return text
  }
  return cutTo(toText(query, operators), max)
}

export function cutTo(text: string, { chars, words }: Measure): string {
  const short = text.split(/\s+/).slice(0, words).join(' ')
  return short.length <= chars ? short : short.slice(0, short.lastIndexOf(' ', chars) + 1 || chars).trim()
}

/** A provider that searches words cannot answer for operators alone: that says nothing about other queries. */
export function someWords(text: string): string {
  if (text.trim() !== '') return text
  throw new SearchError('refused', 'It needs words to search for.', { pauseMs: 0 })
}

/** For providers of one site: fails when the request is about other places, where their finding nothing would say nothing. */
export function requireSite({ query, includeDomains, excludeDomains }: SearchRequest, ...hosts: string[]): void {
  const holds = (places: readonly string[]) =>
    places.some((place) => {
      const domain = place.split('/')[0] ?? ''
      return hosts.some((host) => isUnder(host, domain) || isUnder(domain, host))
    })
  const isIn = (places: readonly string[]) => places.length === 0 || holds(places)
  const isOut = hosts.every((host) => [...excludeDomains, ...query.notSite].some((domain) => isUnder(host, domain)))
  if (isIn(includeDomains) && isIn(query.site) && !isOut) return
  throw new SearchError('other sites', `It only knows pages of ${hosts.join(' and ')}.`, { pauseMs: 0 })
}
