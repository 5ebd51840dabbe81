import type { PageResponse } from '../../contracts/fetch.ts'
import type { Ports } from '../../contracts/ports.ts'
import { toAppError } from '../../kernel/error.ts'
import type { Document, DocumentFields, Metadata } from '../../schema/scrape/document.ts'
import { bytesOf } from '../../util/file-bytes.ts'
import type { ParseInput } from '../../schema/scrape/file-upload.ts'
import { scrapeCredits } from '../billing/price.ts'
import { kindOfName, typeOfKind, typeOfName } from '../document/media-types.ts'
import { makeFields, warningOf } from './formats/format-table.ts'
import { refuseRedaction } from './plan.ts'
import { requestContent, rawText, readPage } from './read-content.ts'
import { unfilledText } from './load/visit-outcome.ts'
import { madeTypes, ownMetadata, pdfPagesOf, withoutCause } from './scrape.ts'
import { type ScrapeCall, modelFor, startTimeLimit } from './scrape-request.ts'
import type { PageContent } from '../../contracts/page-content.ts'

type ParsePorts = Pick<Ports, 'clock' | 'readHtml' | 'readDocument' | 'model'>

/**
 * Parses an uploaded file like a page. Nothing is fetched. Fails with SCRAPE_UNSUPPORTED_FILE_ERROR or a similar code.
 */
export async function parseFile(original: ParsePorts, input: ParseInput, call: ScrapeCall): Promise<Document> {
  refuseRedaction(input.redactPII, original.model.isSet())
  const limit = startTimeLimit(original.clock, call, input.timeout)
  try {
    call.progress(0, 1, 'Reading the file')
    const redacting = await openRedaction(original, input, { ...call, signal: limit.signal })
    const ports = redacting?.ports ?? original
    const page = (await redacting?.page(pageOf(input.file))) ?? pageOf(input.file)
    const request = requestContent(input)
    const isGivenUp = !request.needsBody
    const content = await readPage(ports, page, { ...request, isGivenUp }, { ...call, signal: limit.signal })
    const model = modelOf(ports, input, { ...call, signal: limit.signal })
    const view = { content, url: input.file.filename, rawHtml: () => rawText(page), model }
    const { warning, madeBy, ...fields } = await makeFields(input, view)
    const document = {
      ...fields,
      ...(content.pages && { pages: content.pages }),
      metadata: { ...metadataOf(input, page, { content, fields }, call), ...madeBy },
      ...warningOf(input.formats, page.status, content, {
        warning: [unfilledText(content), warning].filter(Boolean).join(' ') || undefined,
      }),
    }
    return redacting?.document(document) ?? document
  } catch (thrown) {
    const reason = limit.explain(thrown)
    throw input.zeroDataRetention ? withoutCause(toAppError(reason)) : reason
  } finally {
    limit.end()
  }
}

const modelOf = (ports: ParsePorts, { timeout, zeroDataRetention }: ParseInput, call: ScrapeCall) =>
  modelFor(ports, { ...call, timeoutMs: timeout, isZeroRetention: zeroDataRetention })

/** Returns ports that redact the file; undefined if no redaction is requested. */
async function openRedaction(ports: ParsePorts, input: ParseInput, call: ScrapeCall) {
  const { redactPII: redaction } = input
  if (!redaction) return undefined
  const { openRedacting } = await import('./redact/redacting-ports.ts')
  const model = modelOf(ports, input, call)
  const options = { redaction, teamId: call.team.id, signal: call.signal, model }
  const redacting = await openRedacting(ports, options)
  const readDocument: Ports['readDocument'] = async (request, signal) =>
    redacting.content(await ports.readDocument(request, signal))
  return { ...redacting, ports: { ...ports, readDocument } }
}

/**
 * Returns the file as a page. Its declared type is used unless it is generic: most programs send none, or
 * application/octet-stream.
 */
function pageOf({ filename, contentType = '', base64 }: ParseInput['file']): PageResponse {
  const isDeclared = contentType !== '' && !/^application\/octet-stream\b/i.test(contentType)
  // The SDK of Firecrawl declares every string as text/plain.
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
