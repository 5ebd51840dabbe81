import type { Snapshot } from '../../contracts/crawl-ports.ts'
import type { Ports } from '../../contracts/ports.ts'
import { AppError, failure, toAppError } from '../../kernel/error.ts'
import { type Document, type DocumentFields, Metadata } from '../../schema/scrape/document.ts'
import { once } from '../../util/async.ts'
import type { FetchAttempt } from '../../contracts/fetch.ts'
import { isRecord } from '../../util/json.ts'
import { cacheUrl, withoutCredentials } from '../net/http/canonical-url.ts'
import { makeFields, warningOf } from './formats/format-table.ts'
import type { PageHistory, PageView } from './formats/format-maker.ts'
import { getPage, type PagePorts, type ScrapedPage } from './get-page.ts'
import { withTwin } from './markdown-twin.ts'
import { rawText } from './read-content.ts'
import { type ScrapeRequest, modelFor, startTimeLimit } from './scrape-request.ts'
import { reportPlan } from './load/report-steps.ts'
import { refuseRedaction, refuseRetention } from './plan.ts'
import type { z } from 'zod'
import { type Format, formatTraits, type FormatType } from '../../schema/scrape/formats.ts'
import type { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { scrapeCredits } from '../billing/price.ts'
import { statusText } from '../net/http/answer-head.ts'
import type { PageContent } from '../../contracts/page-content.ts'

/** Merges the page's own metadata with that of the scrape, which takes precedence, so a page cannot forge it. */
function metadataOf({ input, jobId, queuedMs }: ScrapeRequest, page: ScrapedPage, made: DocumentFields): Metadata {
  const { response, content, proxyUsed, cacheState, cachedAt } = page
  const contentType = response.headers['content-type']
  return {
    ...ownMetadata(content.metadata),
    sourceURL: withoutCredentials(input.url),
    url: response.url,
    statusCode: response.status,
    ...(response.status >= 400 && { error: statusText(response.status) }),
    ...(contentType !== undefined && { contentType }),
    ...(content.timezone !== undefined && { timezone: content.timezone }),
    ...(content.markdownFrom !== undefined && { markdownFrom: content.markdownFrom }),
    ...(content.numPages !== undefined && { numPages: content.numPages }),
    ...(content.formFields !== undefined && { formFields: content.formFields }),
    scrapeId: jobId,
    proxyUsed: proxyUsed === 'enhanced' ? 'stealth' : 'basic',
    ...(cacheState && { cacheState }),
    ...(cachedAt !== undefined && { cachedAt: new Date(cachedAt).toISOString() }),
    creditsUsed: creditsOf(input, page, made),
    concurrencyLimited: queuedMs > 0,
    ...(queuedMs > 0 && { concurrencyQueueDurationMs: queuedMs }),
  }
}

/** Computes the credits. A bot challenge is free, because it is not the requested page. */
function creditsOf(
  { formats, lockdown }: ScrapeInput,
  { content, challenge, proxyUsed }: ScrapedPage,
  made: DocumentFields,
): number {
  if (challenge) return 0
  const enhancedProxy = proxyUsed === 'enhanced'
  return scrapeCredits({ formats: madeTypes(formats, made), lockdown, ...pdfPagesOf(content), enhancedProxy })
}

/** Returns the formats that have a result. A format without one, such as audio of a page without audio, is free. */
export const madeTypes = (formats: readonly Format[], made: DocumentFields): FormatType[] =>
  formats.flatMap(({ type }) => (made[formatTraits[type].field] === undefined ? [] : type))

/** Returns the number of billed pages: PDFs are billed per page, sheets and slides of other files are not. */
export const pdfPagesOf = ({ kind, numPages }: PageContent) =>
  kind === 'pdf' && numPages ? { pdfPages: numPages } : {}

/** Our own metadata fields that a page may set. */
const ofPage = new Set(['title', 'description', 'language', 'keywords', 'ogLocaleAlternate', 'favicon'])
const ownFields: Readonly<Record<string, z.ZodType>> = Metadata.shape

/**
 * Filters a page's metadata. Meta tags may have any name and may be repeated: our own names are removed, and the rest
 * is converted to fit the schema.
 */
export function ownMetadata(metadata: PageContent['metadata'] = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(metadata)
      .filter(([name]) => !Object.hasOwn(ownFields, name) || ofPage.has(name))
      .map(([name, value]) => [name, ofPage.has(name) ? fitting(name, value) : value]),
  )
}

function fitting(name: string, value: unknown): unknown {
  if (ownFields[name]?.safeParse(value).success) return value
  return Array.isArray(value) ? value.find(Boolean) : [value]
}

export type ScrapePorts = PagePorts & Pick<Ports, 'findMedia' | 'snapshots' | 'model'>
/** The document returned to the caller, and the page it was created from. */
export type ScrapeResult = { document: Document; page: ScrapedPage }

/** Scrapes one page within its timeout: gets the page, creates the formats and metadata. Fails with SCRAPE_* codes. */
export async function scrape(original: ScrapePorts, request: ScrapeRequest): Promise<ScrapeResult> {
  const { input, plan } = request
  refuseRetention(input)
  refuseRedaction(input.redactPII, original.model.isSet())
  const limit = startTimeLimit(original.clock, request, input.timeout)
  const limited = { ...request, signal: limit.signal }
  const gathered = gatherAttempts(original)
  try {
    request.progress(0, 1, 'Getting the page')
    reportPlan(request)
    const redacting = await openRedaction(gathered.ports, limited)
    const ports = redacting?.ports ?? gathered.ports
    const page = await withTwin(ports, limited, await getPage(ports, limited))
    const document = await makeDocument(ports, limited, page)
    return { document: redacting?.finish(document) ?? document, page }
  } catch (thrown) {
    const reason = gathered.addTo(cancelled(limit.explain(thrown)))
    throw plan.isZeroRetention ? withoutCause(toAppError(reason)) : reason
  } finally {
    limit.end()
  }
}

/** Collects the failed attempts to fetch a page, including those that a timeout of the whole scrape ended. */
function gatherAttempts<P extends Pick<Ports, 'fetchPage'>>(ports: P) {
  const attempts: FetchAttempt[] = []
  const reportAttempt = (attempt: FetchAttempt) => void attempts.push(attempt)
  return {
    ports: { ...ports, fetchPage: (request) => ports.fetchPage({ ...request, reportAttempt }) } as P,
    /** Adds the attempts to the details of an error, if there was more than one. */
    addTo(error: unknown): unknown {
      if (attempts.length < 2 || !(error instanceof AppError)) return error
      return error.with({ details: { ...(isRecord(error.details) && error.details), attempts } })
    },
  }
}

/** Returns the failed attempts to fetch a page, if there was more than one. */
export function attemptsOf({ details }: Pick<AppError, 'details'>): readonly FetchAttempt[] | undefined {
  return isRecord(details) && Array.isArray(details['attempts'])
    ? (details['attempts'] as readonly FetchAttempt[])
    : undefined
}

/** Returns ports that redact the page; undefined if no redaction is requested. */
async function openRedaction(ports: ScrapePorts, request: ScrapeRequest) {
  const { input, team, signal } = request
  const { redactPII: redaction, location, timeout, url } = input
  if (!redaction) return undefined
  const { openRedacting, redactingPorts } = await import('./redact/redacting-ports.ts')
  const model = modelFor(ports, { ...request, timeoutMs: timeout, isZeroRetention: request.plan.isZeroRetention })
  const options = { redaction, location: location?.country, url, teamId: team.id, signal, model }
  const redacting = await openRedacting(ports, options)
  return { ports: redactingPorts(ports, redacting), finish: redacting.document }
}

/** Converts REQUEST_CANCELLED to the error code of a scrape. */
const cancelled = (thrown: unknown): unknown =>
  thrown instanceof AppError && thrown.code === 'REQUEST_CANCELLED'
    ? failure('SCRAPE_JOB_CANCELLED', { cause: thrown })
    : thrown

async function makeDocument(ports: ScrapePorts, request: ScrapeRequest, page: ScrapedPage): Promise<Document> {
  const { formats } = request.input
  const { response, content, challenge } = page
  const { history, commit } = openHistory(ports, request, page)
  const { warning, madeBy, ...fields } = await makeFields(request.input, viewPage(ports, request, page, history))
  await commit()
  request.reportStep?.({ step: 'formats' })
  return {
    ...fields,
    ...(content.actions && { actions: content.actions }),
    ...(content.pages && { pages: content.pages }),
    metadata: { ...metadataOf(request, page, fields), ...madeBy },
    ...warningOf(formats, response.status, content, { challenge, warning }),
  }
}

/** Removes the cause, because causes are logged, and network errors contain the host. */
export const withoutCause = ({ code, status, message, hint, details }: AppError) =>
  new AppError(code, { status, message, hint, details })

type ViewPorts = Pick<Ports, 'findMedia' | 'snapshots' | 'clock' | 'model'>

/** Creates the view of a scraped page for format makers. */
function viewPage(ports: ViewPorts, request: ScrapeRequest, page: ScrapedPage, history: PageHistory): PageView {
  return {
    content: page.content,
    url: page.response.url,
    rawHtml: () => rawText({ ...page.response, body: page.body() }),
    findMedia: mediaSearch(ports, request, page),
    model: modelFor(ports, {
      ...request,
      timeoutMs: request.input.timeout,
      isZeroRetention: request.plan.isZeroRetention,
    }),
    history,
  }
}

const maxSearchMs = 20_000
/** Share of the remaining time that a search for media may use, so a slow one leaves time for the answer. */
const searchShare = 0.8

/**
 * Returns the search for media, run once for all formats; undefined if nothing may be fetched or no page was received.
 */
function mediaSearch(
  { findMedia, clock }: ViewPorts,
  { input, team, plan, startedAt, signal }: ScrapeRequest,
  { response, challenge }: ScrapedPage,
): PageView['findMedia'] {
  if (plan.onCacheMiss || (response.status >= 400 && !challenge)) return undefined
  const endsAt = startedAt + input.timeout
  return once(() => {
    const limitMs = Math.min(maxSearchMs, searchShare * (endsAt - clock.now()))
    return findMedia({ teamId: team.id, url: response.url, limitMs, signal })
  })
}

/**
 * Opens the team's snapshots of a URL. Offered snapshots are stored by `commit`: if the scrape fails later, the caller
 * has seen nothing, and a stored snapshot would hide the change from the next scrape.
 */
function openHistory(
  { snapshots }: ViewPorts,
  { input, team, plan, isLinked, signal }: ScrapeRequest,
  { response, content, challenge, fetchedAt, cachedAt }: ScrapedPage,
): { history: PageHistory; commit(): Promise<void> } {
  const key = cacheUrl(input.url)
  const offered: { tag: string; snapshot: Snapshot }[] = []
  return {
    history: {
      observation: {
        status: response.status,
        at: fetchedAt,
        origin: cachedAt === undefined ? 'site' : 'cache',
        standIn: challenge ? 'bot check' : content.needsBrowser ? 'shell without text' : undefined,
      },
      isLinked,
      last: (tag) => snapshots.last(team.id, key, tag),
      ...(!plan.isZeroRetention && { keep: (tag, snapshot) => void offered.push({ tag, snapshot }) }),
    },
    commit: async () => {
      if (offered.length > 0) signal.throwIfAborted()
      await Promise.all(offered.map(({ tag, snapshot }) => snapshots.keep(team.id, key, tag, snapshot)))
    },
  }
}
