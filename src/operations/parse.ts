import { z } from 'zod'
import { minScrapeCredits } from '../engine/billing/price.ts'
import { parseFile } from '../engine/scrape/parse-file.ts'
import { defineOperation } from '../kernel/operation.ts'
import { flatScrapeOptions, foldScrapeOptions } from '../schema/scrape/scrape-arguments.ts'
import { presentDocument } from './present/present-document.ts'
import { Document } from '../schema/scrape/document.ts'
import { fileFormats, maxUploadBytes, ParseInput } from '../schema/scrape/file-upload.ts'

/**
 * The call that reads the rest of a file that was not stored. It omits the content, which may be longer than the
 * answer.
 */
const repeatedCall = (filename: string) => ({
  tool: 'parse',
  arguments: { filename, base64: 'the same', zeroDataRetention: true },
})

const { pdfOptions } = flatScrapeOptions

/** Arguments of `parse` that every MCP client supports: the file by its path or content. */
export const fileArguments = z.object({
  path: z.string().min(1).optional().describe('File on the machine of Gossamer, in a folder it may read.'),
  base64: z.string().optional().describe('Content of the file in base64, with filename, instead of path.'),
  filename: z.string().optional().describe('File name with extension, such as report.pdf.'),
  formats: z.array(z.enum(fileFormats)).default(['markdown']).describe('Formats to return, with options as in scrape.'),
  pdfOptions,
})

/** Folds flat arguments into the input of `parse`; arguments already in input form are unchanged. */
export function foldFileArguments(args: Record<string, unknown>): Record<string, unknown> {
  const { base64, filename, ...rest } = foldScrapeOptions(args)
  return base64 === undefined && filename === undefined ? rest : { ...rest, file: { filename, base64 } }
}

export const parse = defineOperation({
  name: 'parse',
  route: 'POST /v2/parse',
  title: 'Convert a file to markdown',
  about:
    'Convert your file to markdown: PDF, Office and OpenDocument, EPUB, RTF, CSV, HTML, mail, notebooks, feeds, images. For a file on the web use scrape.',
  effect: 'read',
  world: 'closed',
  example: { file: { filename: 'prices.csv', base64: 'bmFtZSxwcmljZQpyb3BlLDcK' }, formats: ['markdown'] },
  input: ParseInput,
  output: z.object({ data: Document }),
  errors: [
    'SCRAPE_TIMEOUT',
    'SCRAPE_SITE_ERROR',
    'SCRAPE_UNSUPPORTED_FILE_ERROR',
    'SCRAPE_PDF_OCR_REQUIRED',
    'FILE_NOT_ALLOWED',
    'FILE_NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
  ],
  upload: { field: 'file', maxBytes: maxUploadBytes },
  job: {
    endpoint: 'scrape',
    target: (input) => input.file.filename,
    keep: (_, output) => output,
    isPrivate: ({ zeroDataRetention }) => zeroDataRetention,
  },
  price: ({ output }) => output?.data.metadata.creditsUsed ?? 0,
  reserve: ({ formats }) => minScrapeCredits({ formats, lockdown: false }),
  permissions: (input) => (input.zeroDataRetention ? ['zeroDataRetention'] : []),
  limitMs: (input) => input.timeout,
  mcp: {
    arguments: fileArguments,
    toInput: foldFileArguments,
    present: ({ data }, { file, zeroDataRetention }) =>
      zeroDataRetention
        ? { ...presentDocument(data, 'not kept'), readOn: repeatedCall(file.filename) }
        : presentDocument(data, 'readable again'),
  },
  run: async (input, ctx) => ({ data: await parseFile(ctx.ports, input, ctx) }),
})
