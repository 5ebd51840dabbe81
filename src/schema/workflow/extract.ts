import { z } from 'zod'
import { callLabels, noRetention, waitSeconds } from '../job-fields.ts'
import { AnyObject, words } from '../limits.ts'
import { isRecord } from '../../util/json.ts'
import { foldScrapeOptions } from '../scrape/arguments.ts'
import { PageOptions } from '../scrape/options.ts'
import { Webhook } from '../webhook.ts'

const Text = words(10_000)

const ExtractFields = z.object({
  urls: z
    .array(z.string().max(16_384))
    .max(1000)
    .optional()
    .describe(
      'Pages to read. https://example.com/docs/* stands for pages below that path. Without any, the web is searched for the prompt.',
    ),
  prompt: Text.optional().describe('What to extract, in plain English.'),
  schema: AnyObject.optional().describe('JSON Schema of the result.'),
  systemPrompt: Text.optional().describe('Further instructions for the extraction.'),
  enableWebSearch: z.boolean().default(false).describe('Also read pages that a web search for the prompt finds.'),
  includeSubdomains: z.boolean().default(false).describe('Wildcard URLs also stand for pages of subdomains.'),
  limit: z.int().min(1).max(1000).default(20).describe('Maximum pages to read.'),
  showSources: z.boolean().default(false).describe('List the URLs that each field comes from.'),
  ignoreInvalidURLs: z.boolean().default(true).describe('Skip invalid URLs instead of failing. Default true.'),
  webhook: Webhook.optional().describe('URL that receives job events, or {url, headers, metadata, events}.'),
  scrapeOptions: PageOptions.prefault({}).describe('Options for each page, as in scrape; formats have no effect.'),
  zeroDataRetention: noRetention,
  ...callLabels,
  wait: waitSeconds('Seconds to wait for the result. Omit to get the id of the job at once.'),
})
export type ExtractInput = z.output<typeof ExtractFields>

export const ExtractInput = ExtractFields.superRefine(({ urls = [], prompt, schema, enableWebSearch }, check) => {
  const fault = (path: string, message: string) => check.addIssue({ code: 'custom', path: [path], message })
  if (prompt === undefined && schema === undefined) fault('prompt', 'Send a prompt, a schema or both.')
  else if (prompt === undefined && urls.length === 0) fault('urls', 'Send urls, or a prompt to search the web for.')
  else if (prompt === undefined && enableWebSearch) fault('prompt', 'enableWebSearch needs a prompt to search for.')
})

/** What agents are shown of an extraction; the other options are taken as well. */
export const extractArguments = z.object({
  urls: z
    .array(z.string())
    .optional()
    .describe('Pages; /* at the end: the pages below. Without any, the web is searched for the prompt.'),
  ...ExtractFields.pick({
    prompt: true,
    schema: true,
    enableWebSearch: true,
    limit: true,
    showSources: true,
    wait: true,
  }).shape,
})

export function foldExtractArguments(args: Record<string, unknown>): Record<string, unknown> {
  const { scrapeOptions: page } = args
  return isRecord(page) ? { ...args, scrapeOptions: foldScrapeOptions(page) } : args
}
