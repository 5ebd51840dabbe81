import { z } from 'zod'
import { actionTypes, pdfSizes } from './actions.ts'
import { AttributeQueries, ChangeTrackingOptions, JsonOptions, plainFormats, ScreenshotOptions } from './formats.ts'
import { Location, Profile, scrapeOptions } from './options.ts'

/** The scrape options in the form every MCP client can take: no unions, one flat field for the options of each format. */
const formatNames = [...plainFormats, 'attributes', 'question', 'highlights'] as const

const FlatAction = z.object({
  type: z.enum(actionTypes),
  milliseconds: z.int().min(1).optional().describe('wait'),
  selector: z.string().optional().describe('wait, click, scroll'),
  all: z.boolean().optional().describe('click every match'),
  text: z.string().optional().describe('write'),
  key: z.string().optional().describe('press'),
  direction: z.enum(['up', 'down']).optional().describe('scroll'),
  script: z.string().optional().describe('executeJavascript'),
  fullPage: z.boolean().optional().describe('screenshot'),
  format: z.enum(pdfSizes).optional().describe('pdf'),
})

export const flatScrapeOptions = {
  formats: z
    .array(z.enum(formatNames))
    .default(['markdown'])
    .describe('What to return. Several are made from one visit.'),
  jsonOptions: JsonOptions.optional().describe('For json: a JSON Schema and/or a prompt.'),
  screenshotOptions: ScreenshotOptions.optional().describe('For screenshot.'),
  changeTrackingOptions: ChangeTrackingOptions.optional().describe('For changeTracking.'),
  attributes: AttributeQueries.optional().describe('For attributes: which attributes of which elements.'),
  question: z.string().max(10_000).optional().describe('For question: answered from the page.'),
  highlights: z.string().max(10_000).optional().describe('For highlights: what the passages should be about.'),
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
    .describe('Empty returns a PDF as base64.'),
  pdfOptions: z
    .object({ mode: z.enum(['fast', 'auto', 'ocr']).optional(), maxPages: z.int().min(1).max(10_000).optional() })
    .optional()
    .describe('For PDFs: how they are read.'),
  actions: z.array(FlatAction).max(50).optional().describe('Browser steps before the page is read.'),
  location: Location.optional().describe('Country and languages to appear from.'),
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
