import { z } from 'zod'
import { searchCredits } from '../engine/billing/price.ts'
import { search } from '../engine/search/search.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentSearch } from '../present/search.ts'
import { foldSearchArguments, searchArguments } from '../schema/search-arguments.ts'
import { takenScrapeOptions } from '../schema/scrape/arguments.ts'
import { SearchData, SearchInput } from '../schema/search.ts'

export default defineOperation({
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
    // The pages that are read of its results are no part of it.
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
    toInput: foldSearchArguments,
    present: (output, _input, offered) => presentSearch(output, offered),
  },
  run: (input, ctx) => search(ctx.ports, input, ctx),
})
