import { sanitiseLine } from '../../util/sanitise-text.ts'
import { visitedUrl } from '../crawl/scope/key.ts'
import { siteOf } from '../crawl/scope/crawl-place.ts'
import { canonicalResult } from '../search/query/merge-and-filter.ts'
import { rank } from '../../util/rank.ts'

/** A page that the agent may read. A model selects it by its number, so no URL comes from a text. */
export type Candidate = {
  number: number
  url: string
  title: string
  about: string
  from: 'caller' | 'search' | 'link'
}
type Found = Pick<Candidate, 'url' | 'title' | 'about'>

export type Candidates = ReturnType<typeof createCandidates>

const maxTitle = 150
const maxAbout = 300

/**
 * Keeps the pages an agent may read: pages named by its caller, search results, and pages of the same sites that it
 * finds by links. So a page cannot lead the agent to a site that neither the caller nor a search named.
 * With `only the given`, only the pages named by the caller are kept.
 */
export function createCandidates({ reach, pages }: { reach: 'web' | 'only the given'; pages: number }) {
  const all = new Map<string, Candidate>()
  const offered: Candidate[] = []
  const taken = new Set<number>()
  const reads = new Map<string, number>()
  const callers = new Set<string>()
  const sites = new Set<string>()
  // A site that keeps linking to new pages of its own must leave budget for other sites.
  const maxOf = (site: string) => (callers.has(site) ? pages : Math.max(2, Math.ceil(pages / 2)))
  const isOpen = ({ number, url }: Candidate) =>
    !taken.has(number) && (reads.get(siteAt(url)) ?? 0) < maxOf(siteAt(url))

  function addOne(from: Candidate['from'], { url: found, title, about }: Found): void {
    const url = readable(found)
    if (url === undefined || (from !== 'caller' && reach === 'only the given')) return
    const site = siteAt(url)
    if (from === 'link' && !sites.has(site)) return
    sites.add(site)
    if (from === 'caller') callers.add(site)
    const key = canonicalResult(url)
    if (all.has(key)) return
    const texts = { title: sanitiseLine(title).slice(0, maxTitle), about: sanitiseLine(about).slice(0, maxAbout) }
    const candidate = { number: offered.length + 1, url, from, ...texts }
    all.set(key, candidate)
    offered.push(candidate)
  }

  return {
    /** Adds new pages that may be read. */
    add: (from: Candidate['from'], found: readonly Found[]) => found.forEach((page) => addOne(from, page)),
    /** Returns at most `most` pages that may still be taken, the most relevant to the words first. */
    best(words: string, most: number): Candidate[] {
      const open = offered.filter(isOpen)
      const fits = rank(open.map(textOf), words)
      const scored = open.map((candidate, at) => ({ candidate, score: fits[at]?.score ?? 0 }))
      return scored
        .toSorted((one, other) => other.score - one.score)
        .slice(0, most)
        .map(({ candidate }) => candidate)
    },
    /** True if the page with this number may be taken. */
    isOpen: (number: number) => offered.some((candidate) => candidate.number === number && isOpen(candidate)),
    /** Returns the page with this number; undefined if it was taken, was never offered, or its site is at the limit. */
    take(number: number): Candidate | undefined {
      const candidate = offered[number - 1]
      if (!candidate || !isOpen(candidate)) return undefined
      taken.add(number)
      const site = siteAt(candidate.url)
      reads.set(site, (reads.get(site) ?? 0) + 1)
      return candidate
    },
    /** True if a page at this URL belongs to a site that the agent may visit. */
    isAllowed: (url: string) => URL.canParse(url) && sites.has(siteAt(url)),
  }
}

const siteAt = (url: string) => siteOf(new URL(url))
const textOf = ({ title, about, url }: Candidate) => `${title} ${about} ${url.replace(/[^\p{L}\p{N}]+/gu, ' ')}`

/** Returns an HTTP URL without its user info, because a page could pass on data there; undefined for other URLs. */
function readable(url: string): string | undefined {
  const parsed = URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? visitedUrl(parsed) : undefined
}
