import { z } from 'zod'
import { isRecord } from '../../util/json.ts'
import {
  ChangeTrackingOptions,
  type ConfigurableFormat,
  type FormatType,
  formatTraits,
  formatTypes,
  JsonOptions,
  ScreenshotOptions,
} from './formats.ts'
import { scrapeOptions } from './scrape-options.ts'

/** Actions that only read. For others, agents use browser_act. */
export const readingActions = ['wait', 'scroll', 'screenshot', 'scrape', 'pdf'] as const
const FlatAction = z.object({
  type: z.enum(readingActions).describe('Kind of action: wait, scroll, or record the page as it is then.'),
  milliseconds: z.int().min(1).optional().describe('wait: this long, instead of for a target'),
  target: z.string().optional().describe('wait, scroll: CSS selector of the element'),
  direction: z.enum(['up', 'down']).optional().describe('scroll: which way; default down'),
  fullPage: z.boolean().optional().describe('screenshot: the whole page'),
})

const Screenshot = z.object({ fullPage: ScreenshotOptions.shape.fullPage })
const Changes = ChangeTrackingOptions.pick({ modes: true, schema: true, tag: true })
const Json = JsonOptions.pick({ schema: true, prompt: true })

/**
 * Scrape options in a form that every MCP client supports: no unions, and one flat field for the options of each
 * format. Rarely used options are left out, but accepted.
 */
export const flatScrapeOptions = {
  formats: z
    .array(z.enum(formatTypes))
    .default(['markdown'])
    .describe(
      'Formats to return, from one visit; default markdown. question, highlights, jsonOptions and attributes imply theirs.',
    ),
  jsonOptions: Json.optional().describe('Data to extract: schema, prompt or both.'),
  screenshotOptions: Screenshot.optional().describe('Options of the screenshot.'),
  changeTrackingOptions: Changes.optional().describe('For format changeTracking: compare with your last visit.'),
  attributes: z
    .array(
      z.object({
        selector: z.string().describe('CSS selector of elements'),
        attribute: z.string().describe('Name of the attribute'),
      }),
    )
    .optional()
    .describe('Attributes to return: [{"selector": "a.buy", "attribute": "href"}].'),
  question: z.string().max(10_000).optional().describe('Question to answer from the page.'),
  highlights: z.string().max(10_000).optional().describe('Topic whose sentences to return.'),
  ...pick(scrapeOptions, [
    'onlyMainContent',
    'onlyCleanContent',
    'includeTags',
    'excludeTags',
    'headers',
    'mobile',
    'blockAds',
  ]),
  maxAge: scrapeOptions.maxAge.describe('Accept a cached copy up to this old, in ms; 0: always fetch. Default 2 days.'),
  lockdown: scrapeOptions.lockdown.describe('Read from the cache only; never contact the site.'),
  waitFor: z.int().min(0).optional().describe('Extra wait before reading, in ms.'),
  timeout: z.int().default(60_000).describe('Give up after this many ms (1000 to 300000).'),
  proxy: scrapeOptions.proxy.describe('Proxy type; auto tries basic, then enhanced.'),
  skipTlsVerification: scrapeOptions.skipTlsVerification.describe('Accept invalid TLS certificates.'),
  pdfOptions: z
    .object({
      mode: z
        .enum(['fast', 'auto', 'ocr'])
        .optional()
        .describe('OCR: never (fast), where needed (auto, default), always.'),
      maxPages: z.int().min(1).max(10_000).optional().describe('Read only this many pages.'),
    })
    .optional()
    .describe('Options of PDFs.'),
  actions: z
    .array(FlatAction)
    .max(50)
    .optional()
    .describe('Done in order before the page is read. To click or type use browser_act.'),
  location: z
    .object({
      country: z.string().optional().describe('Two-letter country code, such as DE.'),
      languages: z.array(z.string()).optional().describe('Language tags by preference, such as de.'),
    })
    .optional()
    .describe('Country and languages to browse from.'),
  profile: z
    .object({ name: z.string().describe('Name of the profile.') })
    .optional()
    .describe('Browse with the cookies and logins stored under this name.'),
}

/** Options for the pages of a job: the most used ones are listed, the others are accepted. */
export const pageArguments = z
  .object({
    formats: z.array(z.string()).optional().describe('Formats, as in scrape.'),
    onlyMainContent: z.boolean().default(true).describe('Drop navigation and footers.'),
    includeTags: z.array(z.string()).optional().describe('CSS selectors to keep.'),
    maxAge: z.int().optional().describe('Oldest cached copy, in ms.'),
    waitFor: z.int().optional().describe('Extra wait, in ms.'),
  })
  .optional()
export const takenScrapeOptions = z.object({ scrapeOptions: z.object(flatScrapeOptions).optional() })

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}

type FlatOptions = {
  field: keyof typeof flatScrapeOptions
  /** True if the field alone requests only its format. A question, for example, does not also return the page. */
  isWhole: boolean
  /** The options of the format; undefined for invalid values, which validation then reports. */
  toOptions(value: unknown): object | undefined
}
const objectOf = (value: unknown) => (typeof value === 'object' && value !== null ? value : undefined)

/** The flat field with the options of each format. A missing format with options does not compile. */
const flatOptions: Record<ConfigurableFormat, FlatOptions> = {
  json: { field: 'jsonOptions', isWhole: true, toOptions: objectOf },
  screenshot: { field: 'screenshotOptions', isWhole: false, toOptions: objectOf },
  changeTracking: { field: 'changeTrackingOptions', isWhole: false, toOptions: objectOf },
  attributes: { field: 'attributes', isWhole: true, toOptions: (value) => objectOf(value) && { selectors: value } },
  question: {
    field: 'question',
    isWhole: true,
    toOptions: (value) => (value === null ? undefined : { question: value }),
  },
  highlights: {
    field: 'highlights',
    isWhole: true,
    toOptions: (value) => (value === null ? undefined : { query: value }),
  },
}
const optionFields = new Set<string>(Object.values(flatOptions).map(({ field }) => field))

type Args = Record<string, unknown>

/**
 * Folds flat arguments into scrape options. The options of a format also request that format; without `formats`, some
 * of them request only that (`isWhole`), the others markdown too. Arguments in object form are unchanged.
 */
export function foldScrapeOptions(args: Args): Args {
  const { pdfOptions, ...others } = args
  const rest = Array.isArray(others['actions']) ? { ...others, actions: others['actions'].map(wireAction) } : others
  const given = Object.entries(flatOptions).filter(([, { field }]) => rest[field] !== undefined)
  const plain = Object.fromEntries(Object.entries(rest).filter(([field]) => !optionFields.has(field)))
  const parsers =
    pdfOptions === undefined ? {} : { parsers: [isRecord(pdfOptions) ? { ...pdfOptions, type: 'pdf' } : pdfOptions] }
  const named: unknown = rest['formats']
  if (given.length === 0 || !(named === undefined || Array.isArray(named))) return { ...plain, ...parsers }
  const formats = given.reduce<readonly unknown[]>(
    (list, [type, { field, toOptions }]) =>
      withOptions(list, type, { value: rest[field], options: toOptions(rest[field]) }),
    named ?? (given.every(([, { isWhole }]) => isWhole) ? [] : ['markdown']),
  )
  return { ...plain, ...parsers, formats }
}

/** Folds the scrape options nested in `scrapeOptions`. */
export function foldPageOptions(args: Args): Args {
  const { scrapeOptions: page } = args
  return isRecord(page) ? { ...args, scrapeOptions: foldScrapeOptions(page) } : args
}

/** The first named format that lacks its required flat field; undefined if none does. */
export function missingOptions({ formats, ...args }: Args): { format: string; field: string } | undefined {
  const named = Array.isArray(formats) ? formats : []
  const required = Object.entries(flatOptions).filter(
    ([type]) => formatTraits[type as FormatType].options === 'required',
  )
  const [format, options] =
    required.find(([type, { field }]) => named.includes(type) && args[field] === undefined) ?? []
  return format === undefined || options === undefined ? undefined : { format, field: options.field }
}

/** Renames `target`, as in browser_act, to `selector`, its name in the public API. */
function wireAction(action: unknown): unknown {
  if (!isRecord(action) || !('target' in action) || 'selector' in action) return action
  const { target, ...rest } = action
  return { ...rest, selector: target }
}

/** Applies options to one of the formats, adding it if it was not named. */
function withOptions(
  formats: readonly unknown[],
  type: string,
  { value, options }: { value: unknown; options: object | undefined },
): readonly unknown[] {
  const withType = options ? { ...options, type } : { type, options: value }
  return formats.includes(type)
    ? formats.map((format) => (format === type ? withType : format))
    : [...formats, withType]
}
