import { sanitiseLine } from '../../util/sanitise-text.ts'
import { visitedUrl } from '../crawl/scope/key.ts'
import { siteOf } from '../crawl/scope/crawl-place.ts'
import { canonicalResult } from '../search/query/post-filter.ts'
import { rank } from '../../util/rank.ts'

/** A page that the agent may read. It is chosen by its number: no address is ever taken from a text. */
export type Candidate = {
  number: number
  url: string
  title: string
  about: string
  from: 'caller' | 'search' | 'link'
}
type Found = Pick<Candidate, 'url' | 'title' | 'about'>

export type Candidates = {
  /** Adds the pages that may be read and are new. */
  add(from: Candidate['from'], pages: readonly Found[]): void
  /** Those not taken yet that fit the words best, at most so many. */
  best(words: string, most: number): Candidate[]
  /** Whether the page of that number may be taken. */
  isOpen(number: number): boolean
  /** The page of that number, once; undefined for one that is taken, was never offered, or is of a site read often enough. */
  take(number: number): Candidate | undefined
  /** Whether a page at that address belongs to a site that the agent may visit. */
  isAllowed(url: string): boolean
}

const maxTitle = 150
const maxAbout = 300

/**
 * The pages an agent may read: those its caller names, those a search brings, and links on pages it has read that stay on
 * such a site. A page can therefore lead the agent to no site that neither the caller nor a search named, and its links
 * are the addresses as they stood there. With `only the given` nothing is added to the caller's list.
 */
export function createCandidates({ reach, pages }: { reach: 'web' | 'only the given'; pages: number }): Candidates {
  const all = new Map<string, Candidate>()
  const offered: Candidate[] = []
  const taken = new Set<number>()
  const reads = new Map<string, number>()
  const callers = new Set<string>()
  const sites = new Set<string>()
  // A site that links to ever new pages of its own must leave room for the others.
  const mostOf = (site: string) => (callers.has(site) ? pages : Math.max(2, Math.ceil(pages / 2)))
  const isOpen = ({ number, url }: Candidate) =>
    !taken.has(number) && (reads.get(siteAt(url)) ?? 0) < mostOf(siteAt(url))

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
    add: (from, found) => found.forEach((page) => addOne(from, page)),
    best(words, most) {
      const open = offered.filter(isOpen)
      const fits = rank(open.map(textOf), words)
      const scored = open.map((candidate, at) => ({ candidate, score: fits[at]?.score ?? 0 }))
      return scored
        .toSorted((one, other) => other.score - one.score)
        .slice(0, most)
        .map(({ candidate }) => candidate)
    },
    isOpen: (number) => offered.some((candidate) => candidate.number === number && isOpen(candidate)),
    take(number) {
      const candidate = offered[number - 1]
      if (!candidate || !isOpen(candidate)) return undefined
      taken.add(number)
      const site = siteAt(candidate.url)
      reads.set(site, (reads.get(site) ?? 0) + 1)
      return candidate
    },
    isAllowed: (url) => URL.canParse(url) && sites.has(siteAt(url)),
  }
}

const siteAt = (url: string) => siteOf(new URL(url))
const textOf = ({ title, about, url }: Candidate) => `${title} ${about} ${url.replace(/[^\p{L}\p{N}]+/gu, ' ')}`

/** Without user info, which a page could use to hand on data. */
function readable(url: string): string | undefined {
  const parsed = URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? visitedUrl(parsed) : undefined
}
