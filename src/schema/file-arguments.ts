import { z } from 'zod'
import { flatScrapeOptions, foldScrapeOptions } from './scrape-arguments.ts'
import { fileFormats } from './upload.ts'

const { onlyMainContent, pdfOptions, parsers, timeout } = flatScrapeOptions

/** The arguments of `parse` in the form every MCP client can take: the file by its path, or by its bytes. */
export const fileArguments = z.object({
  path: z
    .string()
    .min(1)
    .optional()
    .describe('File on the machine that runs Gossamer, in a folder its operator allows.'),
  base64: z.string().optional().describe('Or the bytes of the file in base64, with filename.'),
  filename: z.string().optional().describe('Its name with ending, such as report.pdf.'),
  formats: z
    .array(z.enum(fileFormats))
    .default(['markdown'])
    .describe('What to return. Options of formats are given as in scrape.'),
  onlyMainContent: onlyMainContent.describe('For HTML: leave out headers, navigation and footers.'),
  parsers,
  pdfOptions,
  timeout,
})

/** Folds flat arguments into the input of `parse`; what is input already passes unchanged. */
export function foldFileArguments(args: Record<string, unknown>): Record<string, unknown> {
  const { base64, filename, ...rest } = foldScrapeOptions(args)
  return base64 === undefined && filename === undefined ? rest : { ...rest, file: { filename, base64 } }
}
