import type { PageResponse } from '../../contracts/fetch.ts'
import type { PageParts, Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { toAppError } from '../../kernel/error.ts'
import type { Document, Metadata } from '../../schema/scrape/document.ts'
import type { ParseInput } from '../../schema/scrape/upload.ts'
import { scrapeCredits } from '../billing/price.ts'
import { typeOfKind, typeOfName } from '../document/media-types.ts'
import { fieldsOf, refuseFormats, warningOf } from './fields.ts'
import { pdfPagesOf, saidByPage } from './metadata.ts'
import { rawText, readPage } from './parse-page.ts'
import { wishOf } from './parts.ts'
import { withoutCause } from './scrape.ts'
import { interrupted, timeLeft } from './time-limit.ts'

type Needs = Pick<Ports, 'clock' | 'readHtml' | 'readDocument'>
type Call = Pick<Ctx, 'jobId' | 'startedAt' | 'signal' | 'queuedMs' | 'progress'>

/** Reads a file that was sent, as if it were a page. Nothing is fetched. Fails with SCRAPE_UNSUPPORTED_FILE_ERROR and the like. */
export async function parseFile(ports: Needs, input: ParseInput, call: Call): Promise<Document> {
  refuseFormats(input.formats)
  const { onlyMainContent, includeTags = [], excludeTags = [], removeBase64Images } = input
  const wish = wishOf(input, { onlyMainContent, includeTags, excludeTags, removeBase64Images })
  const signal = timeLeft(ports.clock, call, input.timeout)
  const page = pageOf(input.file)
  try {
    call.progress(0, 1, 'Reading the file')
    const parts = await readPage(ports, page, wish, signal)
    const { warning, ...fields } = await fieldsOf(input.formats, { parts, rawHtml: () => rawText(page) })
    return {
      ...fields,
      metadata: metadataOf(input, page, parts, call),
      ...warningOf(input.formats, page.status, parts, { warning }),
    }
  } catch (thrown) {
    const reason = interrupted(thrown, signal, call.signal, input.timeout)
    throw input.zeroDataRetention ? withoutCause(toAppError(reason)) : reason
  }
}

/** The type that was sent counts where it says something; most programs send none, or application/octet-stream. */
function pageOf({ filename, contentType = '', base64 }: ParseInput['file']): PageResponse {
  const says = contentType !== '' && !/^application\/octet-stream\b/i.test(contentType)
  const type = says ? contentType : typeOfName(filename)
  return {
    url: `file:///${encodeURIComponent(filename)}`,
    status: 200,
    headers: type === undefined ? {} : { 'content-type': type },
    body: Buffer.from(base64, 'base64'),
  }
}

function metadataOf({ file, formats }: ParseInput, page: PageResponse, parts: PageParts, call: Call): Metadata {
  const contentType = page.headers['content-type'] ?? (parts.kind && typeOfKind(parts.kind))
  const types = formats.map(({ type }) => type)
  return {
    ...saidByPage(parts.metadata),
    sourceURL: file.filename,
    url: file.filename,
    statusCode: 200,
    ...(contentType !== undefined && { contentType }),
    ...(parts.numPages !== undefined && { numPages: parts.numPages }),
    scrapeId: call.jobId,
    cacheState: 'miss',
    creditsUsed: scrapeCredits({ formats: types, lockdown: false, ...pdfPagesOf(parts) }),
    concurrencyLimited: call.queuedMs > 0,
    ...(call.queuedMs > 0 && { concurrencyQueueDurationMs: call.queuedMs }),
  }
}
