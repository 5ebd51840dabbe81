import { z } from 'zod'
import { isRecord } from '../../util/json.ts'
import { actionTypes } from '../page-actions.ts'
import {
  ChangeTrackingOptions,
  type ConfigurableFormat,
  formatTypes,
  JsonOptions,
  ScreenshotOptions,
} from './formats.ts'
import { scrapeOptions } from './scrape-options.ts'

/** Fields are called as in browser_act; the wire keeps the words of the public contract. */
const wireWords: Readonly<Record<string, string>> = { target: 'selector', value: 'text' }
const FlatAction = z.object({
  type: z.enum(actionTypes),
  milliseconds: z.int().min(1).optional().describe('wait: this long'),
  target: z.string().optional().describe('wait for, click, scroll: CSS selector'),
  all: z.boolean().optional().describe('click: every match'),
  value: z.string().optional().describe('write'),
  key: z.string().optional().describe('press: e.g. Enter'),
  direction: z.enum(['up', 'down']).optional().describe('scroll'),
  script: z.string().optional().describe('executeJavascript'),
  fullPage: z.boolean().optional().describe('screenshot'),
  format: z.string().optional().describe('pdf: A4, Letter …'),
})

const Screenshot = z.object({
  fullPage: ScreenshotOptions.shape.fullPage.describe('The whole page.'),
  viewport: z.object({ width: z.int(), height: z.int() }).optional(),
})
const Changes = ChangeTrackingOptions.pick({ modes: true, schema: true, prompt: true, tag: true })

/**
 * The scrape options in a form that every MCP client supports: no unions, one flat field for the options of each format. What is
 * rarely wanted is not shown, but taken as well.
 */
export const flatScrapeOptions = {
  formats: z.array(z.enum(formatTypes)).default(['markdown']).describe('All from one visit.'),
  jsonOptions: JsonOptions.optional().describe('For json.'),
  screenshotOptions: Screenshot.optional().describe('For screenshot.'),
  changeTrackingOptions: Changes.optional().describe('For changeTracking.'),
  attributes: z
    .array(z.object({ selector: z.string(), attribute: z.string() }))
    .optional()
    .describe('What to read.'),
  question: z.string().max(10_000).optional().describe('What to answer.'),
  highlights: z.string().max(10_000).optional().describe('Their topic.'),
  ...pick(scrapeOptions, [
    'onlyMainContent',
    'onlyCleanContent',
    'includeTags',
    'excludeTags',
    'headers',
    'mobile',
    'blockAds',
  ]),
  maxAge: scrapeOptions.maxAge.describe('Oldest cached copy in ms.'),
  lockdown: scrapeOptions.lockdown.describe('From the cache only.'),
  waitFor: z.int().min(0).optional().describe('Extra wait before reading, in ms.'),
  timeout: z.int().default(60_000).describe('In ms.'),
  proxy: scrapeOptions.proxy.describe('auto: basic, then enhanced.'),
  skipTlsVerification: scrapeOptions.skipTlsVerification.describe('Accept invalid TLS certificates.'),
  pdfOptions: z
    .object({ mode: z.enum(['fast', 'auto', 'ocr']).optional(), maxPages: z.int().min(1).max(10_000).optional() })
    .optional()
    .describe('OCR: where needed (auto), never (fast).'),
  actions: z.array(FlatAction).max(50).optional().describe('Before reading.'),
  location: z
    .object({ country: z.string().optional(), languages: z.array(z.string()).optional() })
    .optional()
    .describe('Such as country US, languages de.'),
  profile: z.object({ name: z.string(), saveChanges: z.boolean().optional() }).optional().describe('Stored profile.'),
}

/** Where they are the options of each page; agents are told of them by the scrape tool alone. */
export const takenScrapeOptions = z.object({ scrapeOptions: z.object(flatScrapeOptions).optional() })

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}

type FlatOptions = {
  field: keyof typeof flatScrapeOptions
  /** The options of the format; undefined for a value that cannot be any, which validation then reports. */
  toOptions(value: unknown): object | undefined
}
const objectOf = (value: unknown) => (typeof value === 'object' && value !== null ? value : undefined)

/** The flat field with the options of each format. A format with options that is missing here does not compile. */
const flatOptions: Record<ConfigurableFormat, FlatOptions> = {
  json: { field: 'jsonOptions', toOptions: objectOf },
  screenshot: { field: 'screenshotOptions', toOptions: objectOf },
  changeTracking: { field: 'changeTrackingOptions', toOptions: objectOf },
  attributes: { field: 'attributes', toOptions: (value) => objectOf(value) && { selectors: value } },
  question: { field: 'question', toOptions: (value) => (value === null ? undefined : { question: value }) },
  highlights: { field: 'highlights', toOptions: (value) => (value === null ? undefined : { query: value }) },
}
const optionFields = new Set<string>(Object.values(flatOptions).map(({ field }) => field))

type Args = Record<string, unknown>

/** Folds flat arguments into scrape options. The options of a format request it. What is already in object form passes unchanged. */
export function foldScrapeOptions(args: Args): Args {
  const { pdfOptions, ...others } = args
  const rest = Array.isArray(others['actions']) ? { ...others, actions: others['actions'].map(wireAction) } : others
  const given = Object.entries(flatOptions).filter(([, { field }]) => rest[field] !== undefined)
  const plain = Object.fromEntries(Object.entries(rest).filter(([field]) => !optionFields.has(field)))
  const parsers =
    pdfOptions === undefined ? {} : { parsers: [isRecord(pdfOptions) ? { ...pdfOptions, type: 'pdf' } : pdfOptions] }
  const named = rest['formats']
  if (given.length === 0 || !(named === undefined || Array.isArray(named))) return { ...plain, ...parsers }
  const formats = given.reduce(
    (list, [type, { field, toOptions }]) =>
      withOptions(list, type, { value: rest[field], options: toOptions(rest[field]) }),
    listOf(named),
  )
  return { ...plain, ...parsers, formats }
}

function wireAction(action: unknown): unknown {
  if (!isRecord(action)) return action
  return Object.fromEntries(
    Object.entries(action).map(([name, value]) => {
      const field = wireWords[name] ?? name
      return [field in action ? name : field, value]
    }),
  )
}

const listOf = (formats: unknown): readonly unknown[] => (Array.isArray(formats) ? formats : ['markdown'])

/** The formats with the options of one of them, which is added if it was not named. */
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
