import { z } from 'zod'
import { WebUrl } from '../url.ts'
import { Action, actionFaults } from './actions.ts'
import { formatFaults, FormatInput } from './formats.ts'

export const defaultMaxAgeMs = 172_800_000
export const lockdownMaxAgeMs = 2 * 365 * 86_400_000

const PdfParser = z.object({
  type: z.literal('pdf'),
  mode: z.enum(['fast', 'auto', 'ocr']).default('auto'),
  maxPages: z.int().min(1).max(10_000).optional(),
})
const ParserInput = z
  .union([z.literal('pdf'), PdfParser])
  .transform((parser) => (parser === 'pdf' ? PdfParser.parse({ type: 'pdf' }) : parser))

export const Location = z.object({
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, { error: 'Expected an ISO 3166 country code of two letters, such as US' })
    .toUpperCase()
    .default('US')
    .describe('ISO country code.'),
  languages: z.array(z.string().min(1)).optional().describe('Language tags, most wanted first.'),
})
export const Profile = z.object({
  name: z.string().min(1).max(128).describe('Name of the stored browser profile.'),
  saveChanges: z.boolean().default(true).describe('Write changes back when the session ends.'),
})

/** Fields shared by scrape, batch, crawl and search (spec: Scrape request options). */
export const scrapeOptions = {
  formats: z
    .array(FormatInput)
    .default([{ type: 'markdown' }])
    .describe('What to return: names, or objects with options. Default markdown.'),
  onlyMainContent: z.boolean().default(true).describe('Leave out headers, navigation and footers.'),
  onlyCleanContent: z.boolean().default(false).describe('Let a model remove what boilerplate is left in the markdown.'),
  includeTags: z.array(z.string().min(1)).optional().describe('CSS selectors to keep; nothing else is returned.'),
  excludeTags: z.array(z.string().min(1)).optional().describe('CSS selectors to leave out.'),
  maxAge: z
    .int()
    .min(0)
    .optional()
    .describe('Accept a cached page younger than this, ms. Default 2 days, with lockdown 2 years; 0 fetches anew.'),
  minAge: z.int().min(0).optional().describe('Only look in the cache, for a page at least this old, ms; 1 takes any.'),
  headers: z.record(z.string(), z.string()).optional().describe('HTTP headers to send, such as cookies.'),
  waitFor: z.int().min(0).max(60_000).default(0).describe('Extra wait before reading the page, ms.'),
  mobile: z.boolean().default(false).describe('Emulate a phone.'),
  skipTlsVerification: z
    .boolean()
    .optional()
    .describe('Accept invalid certificates. Default true, but false once headers or actions are given.'),
  timeout: z.int().min(1000).max(300_000).default(60_000).describe('Limit for the whole scrape, ms.'),
  parsers: z
    .array(ParserInput)
    .default([{ type: 'pdf', mode: 'auto' }])
    .describe('With pdf, PDFs become markdown; empty returns them as base64.'),
  actions: z.array(Action).max(50).optional().describe('Steps in the browser before the page is read.'),
  location: Location.optional().describe('Country and languages to appear from.'),
  removeBase64Images: z.boolean().default(true).describe('Replace embedded images in markdown by a placeholder.'),
  blockAds: z.boolean().default(true).describe('Block ads and cookie banners.'),
  proxy: z
    .enum(['basic', 'enhanced', 'stealth', 'auto'])
    .default('auto')
    .describe('Kind of proxy; auto tries enhanced when basic fails.'),
  storeInCache: z
    .boolean()
    .optional()
    .describe('Keep the page in the cache. Default true; always false with headers, actions or a profile.'),
  lockdown: z.boolean().default(false).describe('Serve from the cache only; no request leaves.'),
}

const scrapeRequest = {
  url: WebUrl.describe('Page to scrape.'),
  ...scrapeOptions,
  profile: Profile.optional().describe('Browser storage to use.'),
  zeroDataRetention: z
    .boolean()
    .default(false)
    .describe('Keep nothing of this request; must be enabled by the operator.'),
  origin: z.string().max(256).optional().describe('Label of the calling program.'),
  integration: z.string().max(256).optional().describe('Label of the calling integration.'),
}

/** The options for each page of a job of many (spec: nested under `scrapeOptions`). */
const PageOptionsFields = z.object({
  ...scrapeOptions,
  profile: Profile.optional().describe('Browser storage to use; only read.'),
})
export type PageOptions = z.output<typeof PageOptionsFields>
export const PageOptions = PageOptionsFields.superRefine((options, check) => {
  for (const message of scrapeFaults(options)) check.addIssue({ code: 'custom', message, input: options })
})

const ScrapeFields = z.object(scrapeRequest)
export type ScrapeInput = z.output<typeof ScrapeFields>
export type ScrapeOptions = Omit<ScrapeInput, 'url' | 'profile' | 'zeroDataRetention' | 'origin' | 'integration'>

/** Rules between the fields of one scrape. */
function scrapeFaults(options: ScrapeOptions): string[] {
  return [
    ...formatFaults(options.formats),
    ...actionFaults(options.actions ?? [], options.waitFor),
    ...(options.waitFor > options.timeout / 2 ? ['waitFor may be at most half of timeout.'] : []),
  ]
}

export const ScrapeInput = ScrapeFields.superRefine((input, check) => {
  for (const message of scrapeFaults(input)) check.addIssue({ code: 'custom', message, input })
})
