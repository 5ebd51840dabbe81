import { z } from 'zod'
import { callLabels } from '../common-fields.ts'
import { FileBytes } from '../../util/file-bytes.ts'
import { sanitiseLine } from '../../util/sanitise-text.ts'
import { redactionFaults, scrapeOptions } from './scrape-options.ts'
import { formatTraits, formatTypes } from './formats.ts'

/** Maximum size of an uploaded file (spec: POST /v2/parse). */
export const maxUploadBytes = 50 * 1024 * 1024
/** Maximum length of such a file in base64, including line breaks. */
const maxEncoded = Math.ceil(maxUploadBytes * 1.4)

const base64Text = z
  .string()
  .min(1, { error: 'The file is empty.', abort: true })
  .max(maxEncoded)
  .refine((text) => /\S/.test(text), { error: 'The file is empty.', abort: true })
  .refine((text) => Buffer.byteLength(text, 'base64') <= maxUploadBytes, {
    error: `A file may have at most ${maxUploadBytes} bytes.`,
    abort: true,
  })
  .refine(isBase64, { error: 'Expected the content of the file in base64.' })

/** The file as base64, the only form that callers can send, or as bytes if the surface has already decoded it. */
export const fileContent = z
  .custom<FileBytes | string>()
  .superRefine((content, check) => {
    if (!(content instanceof FileBytes))
      for (const issue of base64Text.safeParse(content).error?.issues ?? [])
        check.issues.push({ ...issue, input: content } as z.core.$ZodRawIssue)
    else if (content.byteLength === 0) check.addIssue({ code: 'custom', message: 'The file is empty.' })
  })
  .meta({ type: 'string', minLength: 1, maxLength: maxEncoded, description: 'Content of the file in base64.' })

export const Upload = z.object(
  {
    filename: z
      .string()
      .trim()
      .min(1)
      .max(512)
      .transform(shownName)
      .describe('File name with extension, such as report.pdf.'),
    contentType: z.string().max(256).optional().describe('Media type, if the name does not show it.'),
    base64: fileContent,
  },
  { error: 'Expected a file with filename and base64, or a path.' },
)

/** Makes a name safe to show among our own text, since the author of the file chooses it. */
function shownName(name: string): string {
  return sanitiseLine(name.replace(/\p{Cc}+/gu, ' ')) || 'file'
}

/** Checks both ends only, which is enough: the decoder skips invalid characters in between. */
function isBase64(text: string): boolean {
  return /^[\w+/=\s-]*$/.test(text.slice(0, 4096)) && /^[\w+/=\s-]*$/.test(text.slice(-4096))
}

export const fileFormats = formatTypes.filter((type) => formatTraits[type].source === 'page or file')

export const ParseInput = z
  .object({
    file: Upload.describe('File to convert.'),
    formats: scrapeOptions.formats,
    onlyMainContent: scrapeOptions.onlyMainContent,
    includeTags: scrapeOptions.includeTags,
    excludeTags: scrapeOptions.excludeTags,
    removeBase64Images: scrapeOptions.removeBase64Images,
    removeSmallImages: scrapeOptions.removeSmallImages,
    parsers: scrapeOptions.parsers,
    timeout: scrapeOptions.timeout,
    redactPII: scrapeOptions.redactPII,
    zeroDataRetention: z
      .boolean()
      .default(false)
      .describe('Store nothing about this request. Must be enabled by the operator.'),
    ...callLabels,
  })
  .superRefine(({ formats, parsers, redactPII }, check) => {
    for (const fault of redactionFaults({ formats, parsers, redactPII }))
      check.addIssue({ code: 'custom', ...fault, input: redactPII })
    const wrong = formats.map(({ type }) => type).filter((type) => !fileFormats.includes(type))
    if (wrong.length > 0)
      check.addIssue({
        code: 'custom',
        path: ['formats'],
        message: `A file has no ${wrong.join(', ')}.`,
        input: formats,
      })
  })
export type ParseInput = z.output<typeof ParseInput>
