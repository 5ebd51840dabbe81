import type { Ports } from '../../contracts/ports.ts'
import { AppError, toAppError } from '../../kernel/error.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { makeFields, refuseUnavailable, warningOf } from './formats/make.ts'
import { getPage, type PagePorts, type ScrapedPage } from './get-page.ts'
import { metadataOf } from './metadata.ts'
import { openHistory, viewPage } from './page-view.ts'
import type { ScrapeRequest } from './request.ts'
import { startTimeLimit } from './time-limit.ts'

export type ScrapePorts = PagePorts & Pick<Ports, 'findMedia' | 'snapshots'>
/** The document that answers the caller, and the page that it was made of. */
export type ScrapeResult = { document: Document; page: ScrapedPage }

/** Scrapes one page within its timeout: gets the page, makes the formats, describes it. Fails with SCRAPE_* codes. */
export async function scrape(ports: ScrapePorts, request: ScrapeRequest): Promise<ScrapeResult> {
  const { input, plan } = request
  refuseUnavailable(input)
  const limit = startTimeLimit(ports.clock, request, input.timeout)
  const limited = { ...request, signal: limit.signal }
  try {
    request.progress(0, 1, 'Getting the page')
    const page = await getPage(ports, limited)
    return { document: await makeDocument(ports, limited, page), page }
  } catch (thrown) {
    const reason = limit.explain(thrown)
    throw plan.keepsNothing ? withoutCause(toAppError(reason)) : reason
  } finally {
    limit.end()
  }
}

async function makeDocument(ports: ScrapePorts, request: ScrapeRequest, page: ScrapedPage): Promise<Document> {
  const { formats } = request.input
  const { response, content, challenge } = page
  const { history, commit } = openHistory(ports, request, page)
  const { warning, ...fields } = await makeFields(formats, viewPage(ports, request, page, history))
  await commit()
  return {
    ...fields,
    ...(content.actions && { actions: content.actions }),
    metadata: metadataOf(request, page),
    ...warningOf(formats, response.status, content, { challenge, warning }),
  }
}

/** Causes are written to the log, and those of the network name the host. */
export const withoutCause = ({ code, status, message, hint, details }: AppError) =>
  new AppError(code, { status, message, hint, details })
