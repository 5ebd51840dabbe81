import { counted } from '../util/amounts.ts'
import { z } from 'zod'
import { searchCredits } from '../engine/billing/price.ts'
import { search as searchWeb } from '../engine/search/search.ts'
import { allOffered } from '../kernel/offer.ts'
import { defineOperation, type Offered, type Part, type Presentation } from '../kernel/operation.ts'
import { isRecord } from '../util/json.ts'
import { isForResearch, jsonAnswer, oneLine, ownWords, shortened } from './present/present-lists.ts'
import { readingPages } from './agent-arguments.ts'
import { foldScrapeOptions, pageArguments, takenScrapeOptions } from '../schema/scrape/scrape-arguments.ts'
import {
  type NewsResult,
  searchCategories,
  SearchData,
  SearchInput,
  searchSources,
  type WebResult,
} from '../schema/search-schema.ts'

const shared = SearchInput.shape

/** Arguments that every MCP client supports; the other search options are accepted too. */
const searchArguments = z.object({
  query: shared.query,
  limit: shared.limit,
  sources: z.array(z.enum(searchSources)).optional().describe('Kinds of results; default ["web"].'),
  categories: z.array(z.enum(searchCategories)).optional().describe('Limit web results to these kinds.'),
  includeDomains: z.array(z.string()).optional().describe('Return only results of these hosts, such as example.com.'),
  excludeDomains: z.array(z.string()).optional().describe('Leave out results of these hosts.'),
  tbs: shared.tbs,
  country: shared.country,
  scrapeOptions: pageArguments.describe('Read each result too, with these or any other arguments of scrape.'),
})

/** Folds the options for reading results. Their presence alone requests markdown of each result. */
export function foldSearchArguments(args: Record<string, unknown>): Record<string, unknown> {
  const { scrapeOptions: page } = args
  return isRecord(page) ? { ...args, scrapeOptions: { formats: ['markdown'], ...foldScrapeOptions(page) } } : args
}

export const search = defineOperation({
  name: 'search',
  route: 'POST /v2/search',
  title: 'Search the web',
  about:
    'Search the web, news or images; returns titles, URLs and matching passages. Set scrapeOptions to read the results too. To find a page of one site use map.',
  effect: 'read',
  example: { query: 'sqlite write-ahead logging site:sqlite.org', limit: 5 },
  input: SearchInput,
  output: z.object({
    data: SearchData,
    warning: z.string().nullable().describe('Providers that failed and why, and options that had no effect.'),
    id: z.string(),
    creditsUsed: z.number(),
  }),
  errors: ['SCRAPE_ZDR_VIOLATION_ERROR', 'SEARCH_TIMEOUT', 'SEARCH_UNAVAILABLE'],
  job: {
    endpoint: 'search',
    target: ({ query }) => query,
    keep: () => undefined,
    // Options for reading result pages are not part of the search.
    replay: (input) => ({ ...input, scrapeOptions: undefined }),
    isPrivate: ({ enterprise, scrapeOptions }) =>
      (enterprise ?? []).some((mode) => mode !== 'default') || scrapeOptions?.lockdown === true,
  },
  price: ({ output }) => output?.creditsUsed ?? 0,
  reserve: ({ limit, enterprise }) => searchCredits(limit, enterprise),
  permissions: ({ enterprise = [] }) => (enterprise.some((mode) => mode !== 'default') ? ['searchEnterprise'] : []),
  mcp: {
    arguments: searchArguments,
    taken: takenScrapeOptions,
    forAgents: (args) => readingPages(args, 'scrapeOptions.actions'),
    toInput: foldSearchArguments,
    present: (output, _input, offered) =>
      isForResearch(offered) ? presentHits(output) : presentSearch(output, offered),
  },
  run: (input, ctx) => searchWeb(ctx.ports, input, ctx),
})

type Answer = { data: SearchData; warning: string | null }

const maxPassage = 300

/** The id of a result is its URL. */
function presentHits({ data: { web = [], news = [] }, warning }: Answer): Presentation {
  const hits = [
    ...web.map(({ url, title, description }) => ({ url, title, text: description })),
    ...news.map(({ url, title, snippet }) => ({ url, title, text: snippet })),
  ]
  const results = hits.map(({ url, title, text }) => ({ id: url, title, url, text: text?.slice(0, maxPassage) }))
  return jsonAnswer({ results, ...(warning !== null && { warning }) })
}

/** Shows results as a numbered list for an agent to choose from. They are marked, since all text comes from others. */
export function presentSearch({ data, warning }: Answer, offered: Offered = allOffered): Presentation {
  const { web, news, images } = data
  const count = [web, news, images].reduce((sum, list) => sum + (list?.length ?? 0), 0)
  const isScraped = [...(web ?? []), ...(news ?? [])].some(({ metadata }) => metadata !== undefined)
  const head = [
    count === 0 ? 'No results.' : `${counted(count, 'result')}.`,
    ...(warning === null ? [] : [`Warning: ${warning}`]),
    ...(isScraped && offered.has('scrape_result')
      ? ['Read a scraped page in full with scrape_result and its scrapeId.']
      : []),
  ]
  const lists = [
    ...section(
      'web',
      web?.map((result) => entry(result, result.description)),
    ),
    ...section(
      'news',
      news?.map((result) => entry(result, result.snippet)),
    ),
    ...section(
      'images',
      images?.map(({ position, title, imageUrl, imageWidth, imageHeight, url }) =>
        [
          `${position}. ${oneLine(title)}`,
          `${imageUrl}${imageWidth ? ` (${imageWidth}×${imageHeight ?? '?'})` : ''}`,
          `on ${url}`,
        ].join('\n   '),
      ),
    ),
  ]
  return { parts: [ownWords(...head), ...lists] }
}

function section(label: string, entries: readonly string[] | undefined): Part[] {
  return entries && entries.length > 0
    ? [{ kind: 'page', label, origin: 'search results', text: entries.join('\n') }]
    : []
}

function entry(result: WebResult | NewsResult, passage: string): string {
  const { position, title, url, date, metadata } = result
  const lines = [
    `${position}. ${oneLine(title)}`,
    [url, ...(date ? [date.slice(0, 10)] : [])].join(' · '),
    ...(passage ? [shortened(passage, maxPassage)] : []),
    ...(metadata?.error ? [`could not be scraped: ${oneLine(metadata.error)}`] : []),
    ...(typeof metadata?.['scrapeId'] === 'string'
      ? [`scrapeId ${metadata['scrapeId']}, ${result.markdown?.length ?? 0} characters`]
      : []),
  ]
  return lines.join('\n   ')
}
