import { z } from 'zod'

const Prompt = z.string().min(1).max(10_000)
const Schema = z.record(z.string(), z.unknown()).describe('JSON Schema of the result.')
const Viewport = z.object({ width: z.int().min(1).max(7680), height: z.int().min(1).max(4320) })

export const ScreenshotOptions = z.object({
  fullPage: z.boolean().default(false).describe('Whole page instead of the visible part.'),
  quality: z.int().min(1).max(100).optional().describe('JPEG quality; omit for PNG.'),
  viewport: Viewport.optional().describe('Window size in pixels.'),
})
export const JsonOptions = z.object({
  schema: Schema.optional(),
  prompt: Prompt.optional().describe('What to extract.'),
})
export const ChangeTrackingOptions = z.object({
  modes: z
    .array(z.enum(['git-diff', 'json']))
    .optional()
    .describe('Diff formats.'),
  schema: Schema.optional(),
  prompt: Prompt.optional(),
  tag: z.string().max(128).optional().describe('Separate history under this name.'),
})
export const AttributeQueries = z
  .array(
    z.object({
      selector: z.string().min(1).describe('CSS selector.'),
      attribute: z.string().min(1).describe('Attribute name.'),
    }),
  )
  .min(1)

/** Formats that need no options. */
export const plainFormats = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'summary',
  'branding',
  'audio',
  'video',
  'screenshot',
  'changeTracking',
  'json',
  'product',
] as const
/** Formats that only make sense with options. */
export const optionFormats = ['attributes', 'question', 'highlights'] as const
export const formatTypes = [...plainFormats, ...optionFormats] as const
export type FormatType = (typeof formatTypes)[number]

const bare = <T extends FormatType>(type: T) => z.object({ type: z.literal(type) })

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
  bare('product'),
  JsonOptions.extend({ type: z.literal('json') }),
  ScreenshotOptions.extend({ type: z.literal('screenshot') }),
  ChangeTrackingOptions.extend({ type: z.literal('changeTracking') }),
  z.object({ type: z.literal('attributes'), selectors: AttributeQueries }),
  z.object({ type: z.literal('question'), question: Prompt }),
  z.object({ type: z.literal('highlights'), query: Prompt }),
])
export type Format = z.output<typeof FormatObject>

const toObject = (format: (typeof plainFormats)[number] | Format): Format =>
  typeof format === 'string' ? FormatObject.parse({ type: format }) : format

/** A format as its name or as an object with options; always an object afterwards. */
export const FormatInput = z.union([z.enum(plainFormats), FormatObject]).transform(toObject)

/** Rules between formats, for every request that carries them. */
export function formatFaults(formats: readonly Format[]): string[] {
  const types = formats.map((format) => format.type)
  return [
    ...(types.filter((type) => type === 'screenshot').length > 1 ? ['Request at most one screenshot format.'] : []),
    ...(types.includes('changeTracking') && !types.includes('markdown')
      ? ['changeTracking also needs the markdown format.']
      : []),
  ]
}
