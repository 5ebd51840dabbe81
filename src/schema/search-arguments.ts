import { z } from 'zod'
import { searchCategories, searchSources } from '../contracts/search.ts'
import { foldScrapeOptions } from './scrape/arguments.ts'
import { SearchInput } from './search.ts'
import { isRecord } from '../util/json.ts'

const { query, limit, tbs, location, country } = SearchInput.shape

/** A search in the form every MCP client can take; the other options are taken as well. */
export const searchArguments = z.object({
  query,
  limit,
  sources: z.array(z.enum(searchSources)).optional().describe('Default ["web"].'),
  categories: z.array(z.enum(searchCategories)).optional().describe('Limit web results to these kinds.'),
  includeDomains: z.array(z.string()).optional().describe('Only these hosts, e.g. example.com.'),
  excludeDomains: z.array(z.string()).optional().describe('Exclude these hosts.'),
  tbs,
  location,
  country,
  scrapeOptions: z
    .looseObject({})
    .optional()
    .describe('scrape arguments; reads each result too, e.g. {"formats": ["markdown"]}.'),
})

type Args = Record<string, unknown>

/** Who names options for the pages wants to read them. */
export function foldSearchArguments(args: Args): Args {
  const { scrapeOptions: page } = args
  return isRecord(page) ? { ...args, scrapeOptions: { formats: ['markdown'], ...foldScrapeOptions(page) } } : args
}
