import type { SearchHit, SearchPeriod } from '../../../contracts/search-port.ts'

/** Results of one provider, best first, and their weight. */
export type Ranked = { hits: readonly SearchHit[]; weight: number }

/** Rank constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
const k = 60

type Fused = { hit: SearchHit; score: number; bestRank: number }

/** Merges ranked lists by weighted reciprocal rank; a page in several lists becomes one result with the longest description. */
export function fuse(lists: readonly Ranked[], sort: SearchPeriod['sort'] = 'relevance'): SearchHit[] {
  const found = new Map<string, Fused>()
  for (const { hits, weight } of lists) {
    const seen = new Set<string>()
    for (const [rank, hit] of hits.entries()) {
      const key = canonicalResult(hit.url)
      const known = found.get(key)
      // A page counts once a list, at its first position.
      const share = seen.has(key) ? 0 : weight / (k + rank + 1)
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

/** A key under which different URLs of one page coincide; text that is not a URL is returned as it is. */
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
