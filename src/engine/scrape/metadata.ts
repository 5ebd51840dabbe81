import type { z } from 'zod'
import { type DocumentFields, Metadata } from '../../schema/scrape/document.ts'
import { type Format, formatTraits, type FormatType } from '../../schema/scrape/formats.ts'
import type { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { scrapeCredits } from '../billing/price.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { statusText } from '../net/http/status-text.ts'
import type { ScrapedPage } from './get-page.ts'
import type { ScrapeRequest } from './request.ts'
import type { PageContent } from '../../contracts/page-content.ts'

/** The page's own metadata, then that of the scrape; ours wins, so that a page cannot forge it. */
export function metadataOf(
  { input, jobId, queuedMs }: ScrapeRequest,
  page: ScrapedPage,
  made: DocumentFields,
): Metadata {
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
