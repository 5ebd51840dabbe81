import type { Ports } from '../../contracts/ports.ts'
import type { SearchHit, SearchRequest, SearchSource } from '../../contracts/search.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { AppError, fail, failure } from '../../kernel/error.ts'
import type { SearchData, SearchInput } from '../../schema/search.ts'
import { WebUrl } from '../../schema/url.ts'
import { withDeadline } from '../../util/deadline.ts'
import { searchCredits } from '../billing/price.ts'
import { refuseUnavailable } from '../scrape/formats/make.ts'
import { timeLeft } from '../scrape/time-limit.ts'
import { canonicalResult } from './query/fuse.ts'
import { requestsOf } from './requests.ts'
import { imageResult, newsResult, webResult } from './results.ts'
import { scrapeResults, type ScrapeResultsPorts } from './scrape-results.ts'

export type SearchPorts = ScrapeResultsPorts & Pick<Ports, 'search' | 'index'>
type Call = Pick<Ctx, 'team' | 'jobId' | 'startedAt' | 'signal' | 'progress' | 'warn'>
export type SearchAnswer = { data: SearchData; warning: string | null; id: string; creditsUsed: number }

/** Of the time of a call, so much is for finding; the rest is for what comes after it. */
const shareForFinding = { alone: 0.95, beforeScrapes: 0.6 }
/** Passages are worth waiting for, but not the answer. */
const highlightsMs = 2000

/**
 * Searches all sources of a call at once, and scrapes the results when asked to. Fails with SEARCH_UNAVAILABLE when
 * nobody can answer, with BAD_REQUEST for a tbs that is none.
 */
export async function search(ports: SearchPorts, input: SearchInput, call: Call): Promise<SearchAnswer> {
  const signal = timeLeft(ports.clock, call, input.timeout)
  if (input.scrapeOptions) refuseUnavailable(input.scrapeOptions)
  try {
    const { teamId, startedAt } = { teamId: call.team.id, startedAt: call.startedAt }
    const share = wantsPages(input) ? shareForFinding.beforeScrapes : shareForFinding.alone
    const requests = requestsOf(input, { teamId, startedAt, signal, endsAt: startedAt + input.timeout * share })
    call.progress(0, undefined, 'Searching')
    const found = await Promise.all(requests.map(async (request) => ({ request, ...(await ports.search(request)) })))
    const notes = [...new Set([...found.flatMap((each) => each.notes), ...unusedOf(input)])]
    if (found.every(({ isBlind }) => isBlind)) refuse(notes)
    const hits = await withHighlights(ports, joined(found, input), requests)
    const data = dataOf(hits)
    const results = Object.values(data).flat().length
    const scraped = wantsPages(input)
      ? await scrapeResults(ports, input, data, { ...call, signal })
      : { data, credits: 0 }
    call.signal.throwIfAborted()
    return {
      data: scraped.data,
      warning: notes.length > 0 ? notes.join(' ') : null,
      id: call.jobId,
      creditsUsed: searchCredits(results, input.enterprise) + scraped.credits,
    }
  } catch (thrown) {
    throw ended(thrown, signal, call, input.timeout)
  }
}

const wantsPages = ({ scrapeOptions }: SearchInput): boolean => (scrapeOptions?.formats.length ?? 0) > 0

function unusedOf(input: SearchInput): string[] {
  const { categories, sources, scrapeOptions } = input
  return [
    ...(categories.length > 0 && !sources.includes('web') ? ['Categories count for web results only.'] : []),
    ...(scrapeOptions && !wantsPages(input) ? ['Nothing was scraped: scrapeOptions name no formats.'] : []),
  ]
}

/** An abort is told by who caused it: the caller or the time. */
function ended(thrown: unknown, signal: AbortSignal, call: Call, timeoutMs: number): unknown {
  if (thrown instanceof AppError || !signal.aborted) return thrown
  if (call.signal.aborted) return failure('REQUEST_CANCELLED', { cause: thrown })
  const message = `No search provider could answer within ${timeoutMs} ms.`
  return failure('SEARCH_UNAVAILABLE', { message, details: { timeoutMs }, cause: thrown })
}

function refuse(notes: readonly string[]): never {
  return fail('SEARCH_UNAVAILABLE', {
    message: `No search provider could answer. ${notes.join(' ')}`.trim(),
    details: { providers: notes },
  })
}

type Hits = Partial<Record<SearchSource, SearchHit[]>>
type FoundBy = { request: SearchRequest; hits: readonly SearchHit[] }

/** Categories of one source share its limit, taking turns. */
function joined(found: readonly FoundBy[], { limit, ignoreInvalidURLs }: SearchInput): Hits {
  const bySource = Object.groupBy(found, ({ request }) => request.source)
  return Object.fromEntries(
    Object.entries(bySource).map(([source, lists]) => {
      const seen = new Set<string>()
      const isNew = ({ url }: SearchHit) => !seen.has(canonicalResult(url)) && seen.add(canonicalResult(url))
      const longest = Math.max(...lists.map(({ hits }) => hits.length))
      const all = Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => inCategory(list, rank))).flat()
      const usable = ignoreInvalidURLs ? all.filter(({ url }) => WebUrl.safeParse(url).success) : all
      return [source, usable.filter(isNew).slice(0, limit)]
    }),
  )
}

function inCategory({ hits, request: { category } }: FoundBy, rank: number): SearchHit[] {
  const hit = hits[rank]
  if (!hit) return []
  return [category === undefined ? hit : { ...hit, category }]
}

/** What we have read ourselves says better why a page fits than a provider's snippet. */
async function withHighlights(
  { index }: Pick<Ports, 'index'>,
  hits: Hits,
  requests: readonly SearchRequest[],
): Promise<Hits> {
  const first = requests.find(({ passages }) => passages !== 'none')
  const urls = [...(hits.web ?? []), ...(hits.news ?? [])].map(({ url }) => url)
  if (!first || urls.length === 0) return hits
  const passages = await withDeadline({ step: 'find passages', ms: highlightsMs }, first.signal, () =>
    index.highlights(first.teamId, first.query, urls),
  ).catch(() => new Map<string, string>())
  const better = (list: SearchHit[]) =>
    list.map((hit) => ({ ...hit, description: passages.get(hit.url) ?? hit.description ?? '' }))
  return { ...hits, ...(hits.web && { web: better(hits.web) }), ...(hits.news && { news: better(hits.news) }) }
}

const dataOf = ({ web, images, news }: Hits): SearchData => ({
  ...(web && { web: web.map(webResult) }),
  ...(images && { images: images.map(imageResult) }),
  ...(news && { news: news.map(newsResult) }),
})
