import type { z } from 'zod'
import type { PageParts } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { Metadata } from '../../schema/scrape/document.ts'
import type { ScrapeInput } from '../../schema/scrape/options.ts'
import { scrapeCredits } from '../billing/price.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { statusText } from '../net/http/status-text.ts'
import type { Got } from './get-page.ts'

type Facts = { input: ScrapeInput; got: Got; call: Pick<Ctx, 'jobId' | 'queuedMs'> }

/** What the page says of itself, then what we know of the scrape; ours wins, so that a page cannot forge it. */
export function metadataOf({ input, got, call }: Facts): Metadata {
  const { page, parts, cachedAt } = got
  const contentType = page.headers['content-type']
  return {
    ...saidByPage(parts.metadata),
    sourceURL: withoutCredentials(input.url),
    url: page.url,
    statusCode: page.status,
    ...(page.status >= 400 && { error: statusText(page.status) }),
    ...(contentType !== undefined && { contentType }),
    ...(parts.numPages !== undefined && { numPages: parts.numPages }),
    scrapeId: call.jobId,
    proxyUsed: got.proxyUsed,
    cacheState: cachedAt === undefined ? 'miss' : 'hit',
    ...(cachedAt !== undefined && { cachedAt: new Date(cachedAt).toISOString() }),
    creditsUsed: creditsOf(input, got),
    concurrencyLimited: call.queuedMs > 0,
    ...(call.queuedMs > 0 && { concurrencyQueueDurationMs: call.queuedMs }),
  }
}

/** The page of a wall is not what was asked for, so it costs nothing. */
function creditsOf({ formats, lockdown }: ScrapeInput, { parts, wall, proxyUsed }: Got): number {
  if (wall) return 0
  const types = formats.map(({ type }) => type)
  return scrapeCredits({ formats: types, lockdown, ...pdfPagesOf(parts), enhancedProxy: proxyUsed === 'enhanced' })
}

/** Pages of a PDF are paid one by one; the sheets and slides of other files are not. */
export const pdfPagesOf = ({ kind, numPages }: PageParts) => (kind === 'pdf' && numPages ? { pdfPages: numPages } : {})

/** What a page may say of itself; every other field of ours is ours to say. */
const ofPage = new Set(['title', 'description', 'language', 'keywords', 'ogLocaleAlternate', 'favicon'])
const fields: Readonly<Record<string, z.ZodType>> = Metadata.shape

/** A meta tag may have any name and may be repeated, so names of ours are left out and the rest is made to fit. */
export function saidByPage(metadata: PageParts['metadata'] = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(metadata)
      .filter(([name]) => !Object.hasOwn(fields, name) || ofPage.has(name))
      .map(([name, value]) => [name, ofPage.has(name) ? fitting(name, value) : value]),
  )
}

function fitting(name: string, value: unknown): unknown {
  if (fields[name]?.safeParse(value).success) return value
  return Array.isArray(value) ? value.find(Boolean) : [value]
}
