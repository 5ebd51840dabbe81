import { z } from 'zod'
import { callLabels } from '../common-fields.ts'
import { FileBytes } from '../../util/file-bytes.ts'
import { sanitiseLine } from '../../util/sanitise-text.ts'
import { flatScrapeOptions, foldScrapeOptions } from './scrape-arguments.ts'
import { fileFormats } from './formats.ts'
import { scrapeOptions } from './scrape-options.ts'

/** Bytes of a file that may be sent (spec: POST /v2/parse). */
export const maxUploadBytes = 50 * 1024 * 1024
/** Characters of such a file in base64, with room for line ends. */
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

/** Text in base64, which is all that callers can send; in its place its bytes, where whoever received the call has decoded it. */
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

/** A name is shown among our own words, and whoever made the file chose it. */
function shownName(name: string): string {
  return sanitiseLine(name.replace(/\p{Cc}+/gu, ' ')) || 'file'
}

/** A sample of both ends is enough: what is not base64 in between is left out by the decoder. */
function isBase64(text: string): boolean {
  return /^[\w+/=\s-]*$/.test(text.slice(0, 4096)) && /^[\w+/=\s-]*$/.test(text.slice(-4096))
}

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
    zeroDataRetention: z
      .boolean()
      .default(false)
      .describe('Store nothing about this request. Must be enabled by the operator.'),
    ...callLabels,
  })
  .superRefine(({ formats }, check) => {
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

const { pdfOptions } = flatScrapeOptions

/** The arguments of `parse` in the form every MCP client can take: the file by its path, or by its bytes. */
export const fileArguments = z.object({
  path: z.string().min(1).optional().describe('File on the machine of Gossamer, in a folder it may read.'),
  base64: z.string().optional().describe('Or the file content in base64, with filename.'),
  filename: z.string().optional().describe('File name with extension, such as report.pdf.'),
  formats: z.array(z.enum(fileFormats)).default(['markdown']).describe('Formats to return; options as in scrape.'),
  pdfOptions,
})

/** Folds flat arguments into the input of `parse`; what is input already passes unchanged. */
export function foldFileArguments(args: Record<string, unknown>): Record<string, unknown> {
  const { base64, filename, ...rest } = foldScrapeOptions(args)
  return base64 === undefined && filename === undefined ? rest : { ...rest, file: { filename, base64 } }
}
