import type { PageResponse } from '../../contracts/fetch.ts'
import type { Ports } from '../../contracts/ports.ts'
import { toAppError } from '../../kernel/error.ts'
import type { Document, DocumentFields, Metadata } from '../../schema/scrape/document.ts'
import { bytesOf } from '../../util/file-bytes.ts'
import type { ParseInput } from '../../schema/scrape/file-upload.ts'
import { scrapeCredits } from '../billing/price.ts'
import { kindOfName, typeOfKind, typeOfName } from '../document/media-types.ts'
import { requestContent, rawText, readPage } from './read-content.ts'
import { makeFields, warningOf } from './formats/make.ts'
import { unfilledText } from './load/visit-outcome.ts'
import { madeTypes, ownMetadata, pdfPagesOf, withoutCause } from './scrape.ts'
import { type ScrapeCall, modelFor, startTimeLimit } from './scrape-request.ts'
import type { PageContent } from '../../contracts/page-content.ts'

type ParsePorts = Pick<Ports, 'clock' | 'readHtml' | 'readDocument' | 'model'>

/**
 * Parses an uploaded file like a page. Nothing is fetched. Fails with SCRAPE_UNSUPPORTED_FILE_ERROR or a similar code.
 */
export async function parseFile(ports: ParsePorts, input: ParseInput, call: ScrapeCall): Promise<Document> {
  const limit = startTimeLimit(ports.clock, call, input.timeout)
  const page = pageOf(input.file)
  try {
    call.progress(0, 1, 'Reading the file')
    const request = requestContent(input)
    const isGivenUp = !request.needsBody
    const content = await readPage(ports, page, { ...request, isGivenUp }, { ...call, signal: limit.signal })
    const { timeout, zeroDataRetention } = input
    const model = modelFor(ports, {
      ...call,
      signal: limit.signal,
      timeoutMs: timeout,
      keepsNothing: zeroDataRetention,
    })
    const view = { content, url: input.file.filename, rawHtml: () => rawText(page), model }
    const { warning, madeBy, ...fields } = await makeFields(input, view)
    return {
      ...fields,
      metadata: { ...metadataOf(input, page, { content, fields }, call), ...madeBy },
      ...warningOf(input.formats, page.status, content, {
        warning: [unfilledText(content), warning].filter(Boolean).join(' ') || undefined,
      }),
    }
  } catch (thrown) {
    const reason = limit.explain(thrown)
    throw input.zeroDataRetention ? withoutCause(toAppError(reason)) : reason
  } finally {
    limit.end()
  }
}

/** Uses the declared type unless it is generic; most programs send none, or application/octet-stream. */
function pageOf({ filename, contentType = '', base64 }: ParseInput['file']): PageResponse {
  const isDeclared = contentType !== '' && !/^application\/octet-stream\b/i.test(contentType)
  // The SDK of the public service declares every string as text/plain.
  const declared = kindOfName(filename) === 'html' ? contentType.replace(/^text\/plain\b/i, 'text/html') : contentType
  const type = isDeclared ? declared : typeOfName(filename)
  return {
    url: `file:///${encodeURIComponent(filename)}`,
    status: 200,
    headers: type === undefined ? {} : { 'content-type': type },
    body: bytesOf(base64),
  }
}

function metadataOf(
  { file, formats }: ParseInput,
  page: PageResponse,
  { content, fields }: { content: PageContent; fields: DocumentFields },
  call: ScrapeCall,
): Metadata {
  const contentType = page.headers['content-type'] ?? (content.kind && typeOfKind(content.kind))
  return {
    ...ownMetadata(content.metadata),
    sourceURL: file.filename,
    url: file.filename,
    statusCode: 200,
    ...(contentType !== undefined && { contentType }),
    ...(content.numPages !== undefined && { numPages: content.numPages }),
    scrapeId: call.jobId,
    creditsUsed: scrapeCredits({ formats: madeTypes(formats, fields), lockdown: false, ...pdfPagesOf(content) }),
    concurrencyLimited: call.queuedMs > 0,
    ...(call.queuedMs > 0 && { concurrencyQueueDurationMs: call.queuedMs }),
  }
}
