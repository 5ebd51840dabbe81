import { z } from 'zod'
import { actionTypes, pdfSizes } from './actions.ts'
import { AttributeQueries, ChangeTrackingOptions, JsonOptions, plainFormats, ScreenshotOptions } from './formats.ts'
import { Location, Profile, scrapeOptions } from './options.ts'

/** The scrape options in the form every MCP client can take: no unions, one flat field for the options of each format. */
const formatNames = [...plainFormats, 'attributes', 'question', 'highlights'] as const

const FlatAction = z.object({
  type: z.enum(actionTypes),
  milliseconds: z.int().min(1).optional().describe('wait: this long'),
  selector: z.string().optional().describe('wait for, click, scroll: CSS selector'),
  all: z.boolean().optional().describe('click: every match'),
  text: z.string().optional().describe('write: text'),
  key: z.string().optional().describe('press: e.g. Enter'),
  direction: z.enum(['up', 'down']).optional().describe('scroll'),
  script: z.string().optional().describe('executeJavascript'),
  fullPage: z.boolean().optional().describe('screenshot'),
  format: z.enum(pdfSizes).optional().describe('pdf'),
})

export const flatScrapeOptions = {
  formats: z.array(z.enum(formatNames)).default(['markdown']).describe('Formats to return, all from one visit.'),
  jsonOptions: JsonOptions.optional().describe('For json: a schema, a prompt or both.'),
  screenshotOptions: ScreenshotOptions.optional().describe('For screenshot.'),
  changeTrackingOptions: ChangeTrackingOptions.optional().describe('For changeTracking.'),
  attributes: AttributeQueries.optional().describe('For attributes: what to read.'),
  question: z.string().max(10_000).optional().describe('For question: what to answer.'),
  highlights: z.string().max(10_000).optional().describe('For highlights: topic of the passages.'),
  ...pick(scrapeOptions, [
    'onlyMainContent',
    'onlyCleanContent',
    'includeTags',
    'excludeTags',
    'maxAge',
    'minAge',
    'headers',
    'waitFor',
    'mobile',
  ]),
  ...pick(scrapeOptions, [
    'skipTlsVerification',
    'timeout',
    'removeBase64Images',
    'blockAds',
    'proxy',
    'storeInCache',
    'lockdown',
  ]),
  parsers: z
    .array(z.enum(['pdf']))
    .default(['pdf'])
    .describe('Empty: return PDFs as base64.'),
  pdfOptions: z
    .object({ mode: z.enum(['fast', 'auto', 'ocr']).optional(), maxPages: z.int().min(1).max(10_000).optional() })
    .optional()
    .describe('auto (default): OCR where a page has no text; fast: never; ocr: always.'),
  actions: z.array(FlatAction).max(50).optional().describe('Browser actions before the page is read.'),
  location: Location.optional().describe('Country and languages to browse from.'),
  profile: Profile.optional().describe('Stored browser profile to use.'),
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}

/** Flat option field → the format it belongs to, and how its value becomes the options of that format. */
const optionFields: Record<string, { type: string; options: (value: unknown) => object }> = {
  jsonOptions: { type: 'json', options: (value) => value as object },
  screenshotOptions: { type: 'screenshot', options: (value) => value as object },
  changeTrackingOptions: { type: 'changeTracking', options: (value) => value as object },
  attributes: { type: 'attributes', options: (selectors) => ({ selectors }) },
  question: { type: 'question', options: (question) => ({ question }) },
  highlights: { type: 'highlights', options: (query) => ({ query }) },
}

type Args = Record<string, unknown>

/** Folds flat arguments into scrape options. Options of a format that was not named ask for that format. Object forms pass unchanged. */
export function foldScrapeOptions(args: Args): Args {
  const { pdfOptions, ...rest } = args
  const given = Object.entries(optionFields).filter(([field]) => rest[field] !== undefined)
  const plain = Object.fromEntries(Object.entries(rest).filter(([field]) => !Object.hasOwn(optionFields, field)))
  const parsers = pdfOptions === undefined ? {} : { parsers: [{ ...(pdfOptions as object), type: 'pdf' }] }
  if (given.length === 0) return { ...plain, ...parsers }
  return { ...plain, ...parsers, formats: given.reduce(withOptions(rest), formatList(rest['formats'])) }
}

const formatList = (formats: unknown): unknown[] =>
  Array.isArray(formats) ? formats : formats === undefined ? ['markdown'] : [formats]

const withOptions =
  (args: Args) =>
  (formats: unknown[], [field, { type, options }]: [string, (typeof optionFields)[string]]): unknown[] => {
    const value = args[field]
    const isOptions = type === 'question' || type === 'highlights' || typeof value === 'object'
    const withType = isOptions && value !== null ? { ...options(value), type } : { type, options: value }
    return formats.includes(type)
      ? formats.map((format) => (format === type ? withType : format))
      : [...formats, withType]
  }
