import type {
  SearchCategory,
  SearchHit,
  SearchQuery,
  SearchRequest,
  SearchPeriod,
} from '../../../contracts/search-port.ts'
import { percentDecoded } from '../../../util/words.ts'

/** Results of one provider, best first, and their weight. */
export type Ranked = { hits: readonly SearchHit[]; weight: number }

/** Constant `k` of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
const rankConstant = 60

/**
 * Merges ranked lists by weighted reciprocal rank; a page in several lists becomes one result with the longest
 * description.
 */
export function fuse(lists: readonly Ranked[], sort: SearchPeriod['sort'] = 'relevance'): SearchHit[] {
  const found = new Map<string, { hit: SearchHit; score: number; bestRank: number }>()
  for (const { hits, weight } of lists) {
    const seen = new Set<string>()
    for (const [rank, hit] of hits.entries()) {
      const key = canonicalResult(hit.url)
      const known = found.get(key)
      // A page counts once per list, at its first position.
      const share = seen.has(key) ? 0 : weight / (rankConstant + rank + 1)
      seen.add(key)
      const score = (known?.score ?? 0) + share
      const bestRank = Math.min(known?.bestRank ?? rank, rank)
      found.set(key, { hit: known ? mergeHits(known.hit, hit) : hit, score, bestRank })
    }
  }
  const ranked = [...found.values()].toSorted((a, b) => b.score - a.score || a.bestRank - b.bestRank)
  const hits = ranked.map(({ hit }) => hit)
  // The sort is stable; results without a date come last.
  return sort === 'date' ? hits.toSorted((a, b) => timeOf(b) - timeOf(a)) : hits
}

function mergeHits(first: SearchHit, second: SearchHit): SearchHit {
  const [one = '', other = ''] = [first.description, second.description]
  return { ...second, ...first, ...((one || other) && { description: other.length > one.length ? other : one }) }
}

const timeOf = ({ date }: SearchHit): number => {
  const at = Date.parse(date ?? '')
  return Number.isNaN(at) ? -Infinity : at
}

const tracking = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|igshid|ref|ref_src)$/i

/** Returns a key that is equal for different URLs of one page; text that is not a URL is returned unchanged. */
export function canonicalResult(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  for (const name of Array.from(parsed.searchParams.keys())) if (tracking.test(name)) parsed.searchParams.delete(name)
  parsed.searchParams.sort()
  const host = parsed.host.replace(/^(?:www|m|amp)\.(?=[^.]+\.)/, '')
  const path = parsed.pathname.replace(/\/(?:index\.(?:html?|php))?$/, '')
  const route = /^#!?\//.test(parsed.hash) ? parsed.hash : ''
  return `${host}${path}${parsed.search}${route}`
}

const dayMs = 86_400_000

/** True if a result matches the request, as far as its fields show: providers ignore some operators. */
export function matchesRequest(request: SearchRequest, hit: SearchHit, now: number): boolean {
  const url = URL.parse(hit.url)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  const { query, category, source } = request
  return (
    isInDomains(url, request) &&
    isOnSites(url, query) &&
    fitsText(url, hit, query) &&
    isInPeriod(hit, request, now) &&
    (category === undefined || isOfCategory(url, category)) &&
    (source !== 'images' || (Boolean(hit.imageUrl) && fitsSize(hit, query)))
  )
}

function isInDomains({ hostname }: URL, { includeDomains, excludeDomains }: SearchRequest): boolean {
  const isIn = (domain: string) => isUnder(hostname, domain)
  return (includeDomains.length === 0 || includeDomains.some(isIn)) && !excludeDomains.some(isIn)
}

function isOnSites(url: URL, { site, notSite, filetype, notFiletype }: SearchQuery): boolean {
  const isOn = (each: string) => isOnSite(url, each)
  const isA = (extension: string) => isOfType(url, extension)
  return (
    (site.length === 0 || site.some(isOn)) &&
    !notSite.some(isOn) &&
    (filetype.length === 0 || filetype.some(isA)) &&
    !notFiletype.some(isA)
  )
}

function isOnSite({ hostname, pathname }: URL, site: string): boolean {
  const [host = '', ...path] = site.split('/')
  if (!isUnder(hostname, host)) return false
  const prefix = decodedUrl(`/${path.join('/')}`)
  const at = decodedUrl(pathname)
  return path.length === 0 || at === prefix || at.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
}

function fitsText(url: URL, { title, description = '' }: SearchHit, query: SearchQuery): boolean {
  const urlText = searchableUrl(url.href)
  const heading = title.toLowerCase()
  const words = `${title} ${description}`.toLowerCase()
  const inUrl = (text: string) => urlText.includes(text.toLowerCase())
  const inTitle = (text: string) => heading.includes(text.toLowerCase())
  return (
    query.inUrl.every(inUrl) &&
    !query.notInUrl.some(inUrl) &&
    query.inTitle.every(inTitle) &&
    !query.notInTitle.some(inTitle) &&
    !query.without.some((text) => containsWords(words, text.toLowerCase()))
  )
}

/** True if a text contains whole words: "cat" is not in "category". In scripts without spaces, any match counts. */
function containsWords(text: string, words: string): boolean {
  let at = text.indexOf(words)
  while (at >= 0) {
    const [before = '', after = ''] = [text[at - 1], text[at + words.length]]
    if (!isWordPart(before) && !isWordPart(after)) return true
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(words)) return true
    at = text.indexOf(words, at + 1)
  }
  return false
}

const isWordPart = (letter: string) => /[\p{L}\p{N}]/u.test(letter)

const searchableUrl = (url: string) => `${decodedUrl(url)} ${url.toLowerCase()}`

const decodedUrl = (url: string) => percentDecoded(url).toLowerCase()

/** True if a result is from the period, or has no date. */
function isInPeriod({ date }: SearchHit, { period }: SearchRequest, now: number): boolean {
  if (!period || date === undefined) return true
  const at = Date.parse(date)
  if (Number.isNaN(at)) return true
  // A date without a time covers the whole day.
  const end = /^\d{4}-\d\d-\d\d$/.test(date) ? at + dayMs - 1 : at
  return end >= (period.from ?? -Infinity) && at <= (period.to ?? Math.max(now, at))
}

function fitsSize({ imageWidth, imageHeight }: SearchHit, { imageSize, larger }: SearchQuery): boolean {
  if (imageSize && (imageWidth !== imageSize.width || imageHeight !== imageSize.height)) return false
  return !larger || ((imageWidth ?? 0) >= larger.width && (imageHeight ?? 0) >= larger.height)
}

/** Sites that providers without categories search for a category. */
export const categorySites: Record<SearchCategory, readonly string[]> = {
  github: ['github.com'],
  research: [
    'arxiv.org',
    'scholar.google.com',
    'pubmed.ncbi.nlm.nih.gov',
    'researchgate.net',
    'nature.com',
    'science.org',
    'ieee.org',
    'acm.org',
    'springer.com',
    'wiley.com',
    'sciencedirect.com',
    'plos.org',
    'biorxiv.org',
    'medrxiv.org',
  ],
  pdf: [],
}

/** Further sites whose results belong to a category. */
const extraCategorySites: Record<SearchCategory, readonly string[]> = {
  github: ['github.io', 'githubusercontent.com'],
  research: [
    'doi.org',
    'semanticscholar.org',
    'openalex.org',
    'openreview.net',
    'crossref.org',
    'ncbi.nlm.nih.gov',
    'jstor.org',
    'frontiersin.org',
    'mdpi.com',
    'tandfonline.com',
    'sagepub.com',
  ],
  pdf: [],
}

/** True for the same host or a sub-domain of it. */
export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

function isOfCategory(url: URL, category: SearchCategory): boolean {
  if (category === 'pdf') return isOfType(url, 'pdf')
  return [...categorySites[category], ...extraCategorySites[category]].some((site) => isUnder(url.hostname, site))
}

/** True if the URL is a file of this type; arXiv serves PDFs without an extension. */
function isOfType(url: URL, extension: string): boolean {
  const path = url.pathname.toLowerCase()
  if (path.endsWith(`.${extension}`) || url.searchParams.get('format')?.toLowerCase() === extension) return true
  return (
    extension === 'pdf' && (path.includes('.pdf/') || (isUnder(url.hostname, 'arxiv.org') && path.startsWith('/pdf/')))
  )
}
