import { z } from 'zod'
import { callLabels, Country, filledIn, RequestHeaders, WebUrl, words } from '../common-fields.ts'
import { Action } from '../page-actions.ts'
import { type Format, FormatInput } from './formats.ts'

/** Kinds of personal data, as the SDK of Firecrawl names them. */
export const piiEntities = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const
export type PiiEntity = (typeof piiEntities)[number]

const RedactOptions = z.object({
  mode: z
    .enum(['accurate', 'aggressive', 'fast'])
    .default('accurate')
    .describe(
      'fast: without a language model, so names and postal addresses stay. aggressive: also numbers that may be personal.',
    ),
  entities: z
    .array(z.enum(piiEntities))
    .min(1)
    .max(piiEntities.length)
    .optional()
    .describe(
      'What to replace; all if absent. FINANCIAL: cards, IBANs. SECRET: national ids, IP addresses, keys. PERSON and LOCATION need a language model.',
    ),
  replaceStyle: z
    .enum(['tag', 'mask', 'remove'])
    .default('tag')
    .describe('tag: <EMAIL>; mask: as many asterisks; remove: nothing.'),
})

/** Undefined if nothing is to be replaced. */
const RedactPii = z
  .union([z.boolean(), RedactOptions])
  .transform((value) => (value === true ? RedactOptions.parse({}) : value === false ? undefined : value))
  .optional()
  .describe('Replace personal data in all that is returned and stored: true, or options.')
export type Redaction = NonNullable<z.output<typeof RedactPii>>

type Wanted = {
  redactPII?: Redaction | undefined
  formats: readonly { type: string }[]
  actions?: readonly { type: string }[] | undefined
  parsers: readonly { type: string }[]
}

/** A broken rule between fields, and the field to change. */
type RuleFault = { path: (string | number)[]; message: string }

/** Pictures, and files that are returned unchanged, cannot be redacted. */
export function redactionFaults({ redactPII, formats, actions = [], parsers }: Wanted): RuleFault[] {
  if (!redactPII) return []
  const pictures = [...formats, ...actions].filter(({ type }) => type === 'screenshot' || type === 'pdf')
  const messages = [
    ...(pictures.length > 0 ? ['A screenshot or pdf cannot be redacted: leave it out, or redactPII.'] : []),
    ...(!parsers.some(({ type }) => type === 'pdf')
      ? ['A PDF that is not parsed cannot be redacted: include pdf in parsers, or leave redactPII out.']
      : []),
  ]
  return messages.map((message) => ({ path: ['redactPII'], message }))
}

export const PdfParser = z.object({
  type: z.literal('pdf'),
  mode: z
    .enum(['fast', 'auto', 'ocr'])
    .default('auto')
    .describe('OCR: never (fast), where needed (auto, default), always.'),
  maxPages: z.int().min(1).max(10_000).optional().describe('Read only this many pages.'),
  pages: z.boolean().optional().describe('Return the markdown of each page in `pages` too.'),
  pageMarkers: z.boolean().optional().describe('Separate the pages of the markdown by `<!-- page N -->`.'),
  blocks: z
    .literal(false, 'Blocks with positions are not available; set pages to true to get the markdown of each page.')
    .optional(),
})
const ParserInput = z
  .union([z.enum(['pdf', 'image']), PdfParser, z.object({ type: z.literal('image') })])
  .transform((parser) =>
    parser === 'pdf' ? PdfParser.parse({ type: 'pdf' }) : parser === 'image' ? { type: parser } : parser,
  )

/** Accepts an underscore too: `en_US` is a common spelling. */
const LanguageTag = z
  .string()
  .min(1)
  .max(100)
  .overwrite((tag) => tag.replaceAll('_', '-'))
  .refine(isLanguageTag, { error: 'Expected a language tag, such as de or en-US' })

function isLanguageTag(tag: string): boolean {
  if (tag === '*') return true
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

export const Location = z.object({
  country: Country,
  languages: z.array(LanguageTag).max(100).optional().describe('Language tags by preference, e.g. de.'),
})
const Profile = z.object({
  name: words(128).describe('Profile name.'),
  saveChanges: z.boolean().default(true).describe('Save changes at the end.'),
})

const Selectors = filledIn(z.array(words(10_000)).max(1000))

/** Fields shared by scrape, batch, crawl and search (spec: Scrape request options). */
export const scrapeOptions = {
  formats: z
    .array(FormatInput)
    .max(50)
    .default([{ type: 'markdown' }])
    .describe('Formats to return: names, or objects with options. Default ["markdown"].'),
  onlyMainContent: z.boolean().default(true).describe('Drop headers, navigation and footers.'),
  onlyCleanContent: z.boolean().default(false).describe('Remove leftover boilerplate with a language model.'),
  includeTags: Selectors.optional().describe('CSS selectors; return only what matches.'),
  excludeTags: Selectors.optional().describe('CSS selectors; drop what matches.'),
  maxAge: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Maximum age of a cached copy in ms; 0 fetches. Default 2 days; 2 years with lockdown, 0 with changeTracking.',
    ),
  minAge: z.int().min(0).optional().describe('Read only from the cache, a copy at least this old in ms; 1 = any.'),
  headers: RequestHeaders.optional().describe('HTTP request headers, such as {"Cookie": "a=b"}.'),
  waitFor: z.int().min(0).max(60_000).default(0).describe('Wait this many ms more before reading (at most 60000).'),
  mobile: z.boolean().default(false).describe('Browse like a phone.'),
  skipTlsVerification: z
    .boolean()
    .optional()
    .describe(
      'Accept invalid TLS certificates. Default true; false with headers, actions, a profile or credentials in the URL.',
    ),
  timeout: z.int().min(1000).max(300_000).default(60_000).describe('Time limit for the scrape in ms.'),
  parsers: z
    .array(ParserInput)
    .max(10)
    .default([{ type: 'pdf', mode: 'auto' }, { type: 'image' }])
    .describe('Default ["pdf", "image"]: PDFs become markdown, pictures are read by OCR. Without pdf: PDFs as base64.'),
  actions: z.array(Action).max(50).optional().describe('Browser actions to perform before the page is read.'),
  location: Location.optional().describe('Country and languages to browse from.'),
  removeBase64Images: z.boolean().default(true).describe('Replace inline images in markdown with a placeholder.'),
  removeSmallImages: z
    .boolean()
    .default(true)
    .describe('Leave icons, avatars, thumbnails and repeated images out of the markdown of the main content.'),
  blockAds: z.boolean().default(true).describe('Block ads and cookie banners.'),
  proxy: z
    .enum(['basic', 'enhanced', 'stealth', 'auto'])
    .default('auto')
    .describe('Proxy type; auto tries basic, then enhanced.'),
  storeInCache: z
    .boolean()
    .optional()
    .describe('Cache the page. Default true; always false with options that make the page private, such as headers.'),
  lockdown: z.boolean().default(false).describe('Answer from the cache only, without any request.'),
  redactPII: RedactPii,
}

const scrapeRequest = {
  url: WebUrl.describe('URL to scrape.'),
  ...scrapeOptions,
  profile: Profile.optional().describe('Stored browser profile (cookies, logins) to use.'),
  zeroDataRetention: z
    .boolean()
    .default(false)
    .describe('Store nothing about this request. Must be enabled by the operator.'),
  ...callLabels,
}

/** Options for each page of a job with many pages (spec: nested under `scrapeOptions`). */
const PageOptionsFields = z.object({
  ...scrapeOptions,
  profile: Profile.optional().describe('Stored browser profile (cookies, logins) to use, read-only.'),
})
export type PageOptions = z.output<typeof PageOptionsFields>
export const PageOptions = PageOptionsFields.superRefine((options, check) => {
  for (const fault of scrapeFaults(options)) check.addIssue({ code: 'custom', ...fault, input: options })
})

const ScrapeFields = z.object(scrapeRequest)
export type ScrapeInput = z.output<typeof ScrapeFields>
type ScrapeOptions = Omit<ScrapeInput, 'url' | 'profile' | 'zeroDataRetention' | 'origin' | 'integration'>

const maxWaitMs = 60_000
/** Time that a wait for an element adds to the sum of waits. */
const selectorWaitMs = 1_000

const waitMs = (action: Action) => (action.type === 'wait' ? (action.milliseconds ?? selectorWaitMs) : 0)

/** Rules between the actions of one request. */
function actionFaults(actions: readonly Action[], waitForMs: number): RuleFault[] {
  const unclear = actions.flatMap((action, index) =>
    action.type === 'wait' && (action.milliseconds === undefined) === (action.selector === undefined) ? [index] : [],
  )
  const sumMs = actions.reduce((sum, action) => sum + waitMs(action), waitForMs)
  const message = `waitFor and all wait actions together may take at most ${maxWaitMs} ms, not ${sumMs}.`
  return [
    ...unclear.map((index) => ({
      path: ['actions', index],
      message: 'A wait takes either milliseconds or selector.',
    })),
    ...(sumMs > maxWaitMs ? [{ path: [actions.length > 0 ? 'actions' : 'waitFor'], message }] : []),
  ]
}

/** Rules between the fields of one scrape. */
function scrapeFaults(options: ScrapeOptions): RuleFault[] {
  return [
    ...formatFaults(options.formats).map((message) => ({ path: ['formats'], message })),
    ...redactionFaults(options),
    ...actionFaults(options.actions ?? [], options.waitFor),
    ...(options.waitFor > options.timeout / 2
      ? [{ path: ['waitFor'], message: 'waitFor may be at most half of timeout.' }]
      : []),
  ]
}

/** Rules between formats, for every request that contains them. */
function formatFaults(formats: readonly Format[]): string[] {
  const types = formats.map((format) => format.type)
  return [
    ...(types.filter((type) => type === 'screenshot').length > 1 ? ['Request at most one screenshot format.'] : []),
    ...(types.includes('changeTracking') && !types.includes('markdown')
      ? ['changeTracking also needs the markdown format.']
      : []),
  ]
}

export const ScrapeInput = ScrapeFields.superRefine((input, check) => {
  for (const fault of scrapeFaults(input)) check.addIssue({ code: 'custom', ...fault, input })
})
