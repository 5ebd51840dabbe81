import { z } from 'zod'
import { words } from '../common-fields.ts'
import { JsonSchema } from '../json-schema.ts'
import type { DocumentFields } from './document.ts'

const Prompt = words(10_000)
const Schema = JsonSchema.describe('JSON Schema of the result.')
const Viewport = z.object({ width: z.int().min(1).max(7680), height: z.int().min(1).max(4320) })

export const ScreenshotOptions = z.object({
  fullPage: z.boolean().default(false).describe('Whole page instead of the visible part.'),
  quality: z.int().min(1).max(100).optional().describe('JPEG quality; omit for PNG.'),
  viewport: Viewport.optional().describe('Window size in pixels.'),
})
export const JsonOptions = z.object({
  schema: Schema.optional(),
  prompt: Prompt.optional().describe('Data to extract.'),
  evidence: z.boolean().optional().describe('Also return where the page states each value.'),
})
export const ChangeTrackingOptions = z.object({
  modes: z
    .array(z.enum(['git-diff', 'json']))
    .max(10)
    .optional()
    .describe('Forms of the difference; json compares extracted data.'),
  schema: Schema.optional(),
  prompt: Prompt.optional().describe('Data to extract and compare, in words.'),
  tag: z.string().max(128).optional().describe('Name of a separate history.'),
})
const AttributeQueries = z
  .array(
    z.object({
      selector: words(10_000).describe('CSS selector.'),
      attribute: words(1000).describe('Attribute name.'),
    }),
  )
  .min(1)
  .max(500)

const AnswerMode = z.enum(['freeform', 'directQuote']).describe('directQuote: only words of the page.')
/** Predecessor of `question`, still sent by clients of Firecrawl. */
const QueryFormat = z.object({ type: z.literal('query'), prompt: Prompt, mode: AnswerMode.optional() })

const bare = <T extends string>(type: T) => z.object({ type: z.literal(type) })

const FormatObject = z.discriminatedUnion('type', [
  bare('markdown'),
  bare('html'),
  bare('rawHtml'),
  bare('links'),
  bare('images'),
  bare('summary'),
  bare('branding'),
  bare('audio'),
  bare('video'),
  ScreenshotOptions.extend({ type: z.literal('screenshot') }),
  ChangeTrackingOptions.extend({ type: z.literal('changeTracking') }),
  JsonOptions.extend({ type: z.literal('json') }),
  bare('product'),
  bare('menu'),
  z.object({ type: z.literal('attributes'), selectors: AttributeQueries }),
  z.object({ type: z.literal('question'), question: Prompt, mode: AnswerMode.optional() }),
  z.object({ type: z.literal('highlights'), query: Prompt }),
])
export type Format = z.output<typeof FormatObject>
export type FormatType = Format['type']

type FormatTraits = {
  options: 'none' | 'optional' | 'required'
  /** Availability: for web pages and files, or for web pages only. */
  source: 'page or file' | 'page'
  /** Credits in addition to those for the page. */
  credits: number
  /** Document field filled by the format. */
  field: keyof DocumentFields
}

/**
 * Traits of each format, which determine its arguments, its price and whether files support it. A missing format does
 * not compile.
 */
export const formatTraits = {
  markdown: { options: 'none', source: 'page or file', credits: 0, field: 'markdown' },
  html: { options: 'none', source: 'page or file', credits: 0, field: 'html' },
  rawHtml: { options: 'none', source: 'page or file', credits: 0, field: 'rawHtml' },
  links: { options: 'none', source: 'page or file', credits: 0, field: 'links' },
  images: { options: 'none', source: 'page or file', credits: 0, field: 'images' },
  summary: { options: 'none', source: 'page or file', credits: 0, field: 'summary' },
  branding: { options: 'none', source: 'page', credits: 0, field: 'branding' },
  audio: { options: 'none', source: 'page', credits: 4, field: 'audio' },
  video: { options: 'none', source: 'page', credits: 4, field: 'video' },
  screenshot: { options: 'optional', source: 'page', credits: 0, field: 'screenshot' },
  changeTracking: { options: 'optional', source: 'page', credits: 0, field: 'changeTracking' },
  json: { options: 'optional', source: 'page or file', credits: 4, field: 'json' },
  product: { options: 'none', source: 'page', credits: 0, field: 'product' },
  menu: { options: 'none', source: 'page or file', credits: 0, field: 'menu' },
  attributes: { options: 'required', source: 'page or file', credits: 0, field: 'attributes' },
  question: { options: 'required', source: 'page or file', credits: 4, field: 'answer' },
  highlights: { options: 'required', source: 'page or file', credits: 4, field: 'highlights' },
} as const satisfies Record<FormatType, FormatTraits>

type FormatsWith<O extends FormatTraits['options']> = {
  [T in FormatType]: (typeof formatTraits)[T]['options'] extends O ? T : never
}[FormatType]
export type ConfigurableFormat = FormatsWith<'optional' | 'required'>
type PlainFormat = FormatsWith<'none' | 'optional'>

export const formatTypes: readonly FormatType[] = FormatObject.options.map(({ shape }) => shape.type.value)
const isPlain = (type: FormatType): type is PlainFormat => formatTraits[type].options !== 'required'
/** Formats that can be requested by name alone. */
export const plainFormats = formatTypes.filter(isPlain)

function toObject(format: PlainFormat | Format | z.output<typeof QueryFormat>): Format {
  if (typeof format === 'string') return FormatObject.parse({ type: format })
  if (format.type !== 'query') return format
  const { prompt, mode } = format
  return { type: 'question', question: prompt, mode }
}

/** A format as a name or as an object with options; parsed to an object. */
export const FormatInput = z
  .union([z.enum(plainFormats), z.discriminatedUnion('type', [...FormatObject.options, QueryFormat])])
  .transform(toObject)
