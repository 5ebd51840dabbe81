import { z } from 'zod'
import { isRecord } from '../../util/json.ts'
import { ExtractInput } from './extract.ts'
import { foldScrapeOptions } from '../scrape/arguments.ts'

const { prompt, schema, enableWebSearch, limit, showSources, wait } = ExtractInput.shape

/** What agents are shown of an extraction; the other options are taken as well. */
export const extractArguments = z.object({
  urls: z
    .array(z.string())
    .optional()
    .describe('Pages; /* at the end: the pages below. Without any, the web is searched for the prompt.'),
  prompt,
  schema,
  enableWebSearch,
  limit,
  showSources,
  wait,
})

export function foldExtractArguments(args: Record<string, unknown>): Record<string, unknown> {
  const { scrapeOptions: page } = args
  return isRecord(page) ? { ...args, scrapeOptions: foldScrapeOptions(page) } : args
}
