import type { Snapshot } from '../../contracts/crawl-ports.ts'
import type { Ports } from '../../contracts/ports.ts'
import { AppError, failure, toAppError } from '../../kernel/error.ts'
import { type Document, type DocumentFields, Metadata } from '../../schema/scrape/document.ts'
import { once } from '../../util/async.ts'
import { cacheUrl, withoutCredentials } from '../net/http/canonical-url.ts'
import { makeFields, warningOf } from './formats/make.ts'
import type { PageHistory, PageView } from './formats/format-maker.ts'
import { getPage, type PagePorts, type ScrapedPage } from './get-page.ts'
import { rawText } from './read-content.ts'
import { type ScrapeRequest, modelFor, startTimeLimit } from './scrape-request.ts'
import { tellPlan } from './load/tell-steps.ts'
import { refuseRetention } from './plan.ts'
import type { z } from 'zod'
import { type Format, formatTraits, type FormatType } from '../../schema/scrape/formats.ts'
import type { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { scrapeCredits } from '../billing/price.ts'
import { statusText } from '../net/http/answer-head.ts'
import type { PageContent } from '../../contracts/page-content.ts'

/** The page's own metadata, then that of the scrape; ours wins, so that a page cannot forge it. */
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

/** A bot challenge is not the page that was asked for, so it costs nothing. */
function creditsOf(
  { formats, lockdown }: ScrapeInput,
  { content, challenge, proxyUsed }: ScrapedPage,
  made: DocumentFields,
): number {
  if (challenge) return 0
  const enhancedProxy = proxyUsed === 'enhanced'
  return scrapeCredits({ formats: madeTypes(formats, made), lockdown, ...pdfPagesOf(content), enhancedProxy })
}

/** A format that found nothing, such as the audio of a page without any, costs nothing. */
export const madeTypes = (formats: readonly Format[], made: DocumentFields): FormatType[] =>
  formats.flatMap(({ type }) => (made[formatTraits[type].field] === undefined ? [] : type))

/** Each page of a PDF is billed; the sheets and slides of other files are not. */
export const pdfPagesOf = ({ kind, numPages }: PageContent) =>
  kind === 'pdf' && numPages ? { pdfPages: numPages } : {}

/** Fields of ours that a page may set; it sets none of the others. */
const ofPage = new Set(['title', 'description', 'language', 'keywords', 'ogLocaleAlternate', 'favicon'])
const ownFields: Readonly<Record<string, z.ZodType>> = Metadata.shape

/** A meta tag may have any name and may be repeated: our own names are left out, and the rest made to fit the schema. */
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
/** The document that answers the caller, and the page that it was made of. */
export type ScrapeResult = { document: Document; page: ScrapedPage }

/** Scrapes one page within its timeout: gets the page, makes the formats, describes it. Fails with SCRAPE_* codes. */
export async function scrape(ports: ScrapePorts, request: ScrapeRequest): Promise<ScrapeResult> {
  const { input, plan } = request
  refuseRetention(input)
  const limit = startTimeLimit(ports.clock, request, input.timeout)
  const limited = { ...request, signal: limit.signal }
  try {
    request.progress(0, 1, 'Getting the page')
    tellPlan(request)
    const page = await getPage(ports, limited)
    return { document: await makeDocument(ports, limited, page), page }
  } catch (thrown) {
    const reason = cancelled(limit.explain(thrown))
    throw plan.keepsNothing ? withoutCause(toAppError(reason)) : reason
  } finally {
    limit.end()
  }
}

/** The caller left in the middle of a scrape. */
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
  request.tellStep?.({ step: 'formats' })
  return {
    ...fields,
    ...(content.actions && { actions: content.actions }),
    metadata: { ...metadataOf(request, page, fields), ...madeBy },
    ...warningOf(formats, response.status, content, { challenge, warning }),
  }
}

/** Causes are written to the log, and those of the network name the host. */
export const withoutCause = ({ code, status, message, hint, details }: AppError) =>
  new AppError(code, { status, message, hint, details })

type ViewPorts = Pick<Ports, 'findMedia' | 'snapshots' | 'clock' | 'model'>

/** A scraped page as format makers see it. */
function viewPage(ports: ViewPorts, request: ScrapeRequest, page: ScrapedPage, history: PageHistory): PageView {
  return {
    content: page.content,
    url: page.response.url,
    rawHtml: () => rawText({ ...page.response, body: page.body() }),
    findMedia: mediaSearch(ports, request, page),
    model: modelFor(ports, { ...request, timeoutMs: request.input.timeout, keepsNothing: request.plan.keepsNothing }),
    history,
  }
}

const maxSearchMs = 20_000
/** Share of the time left, so that a slow search leaves some for the answer. */
const share = 0.8

/** The search for media, run once for all formats; undefined where nothing may be fetched or no page came. */
function mediaSearch(
  { findMedia, clock }: ViewPorts,
  { input, team, plan, startedAt, signal }: ScrapeRequest,
  { response, challenge }: ScrapedPage,
): PageView['findMedia'] {
  if (plan.onCacheMiss || (response.status >= 400 && !challenge)) return undefined
  const endsAt = startedAt + input.timeout
  return once(() => {
    const limitMs = Math.min(maxSearchMs, share * (endsAt - clock.now()))
    return findMedia({ teamId: team.id, url: response.url, limitMs, signal })
  })
}

/**
 * The team's snapshots of a URL. Those offered to be kept wait for `commit`: a scrape that fails later has shown its
 * caller nothing, and the next one would miss the change.
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
      ...(!plan.keepsNothing && { keep: (tag, snapshot) => void offered.push({ tag, snapshot }) }),
    },
    commit: async () => {
      if (offered.length > 0) signal.throwIfAborted()
      await Promise.all(offered.map(({ tag, snapshot }) => snapshots.keep(team.id, key, tag, snapshot)))
    },
  }
}
