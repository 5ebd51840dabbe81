import { STATUS_CODES } from 'node:http'
import type { Ctx } from '../../core/ctx.ts'
import type { PageParts } from '../../core/ports.ts'
import type { Metadata } from '../../schema/document.ts'
import type { ScrapeInput } from '../../schema/scrape-options.ts'
import { scrapeCredits } from '../billing/price.ts'
import type { Acquired } from '../page/acquire.ts'

type Facts = { input: ScrapeInput; page: Acquired; parts: PageParts; call: Pick<Ctx, 'jobId' | 'queuedMs'> }

/** What the page says of itself, then what we know of the scrape; ours wins, so that a page cannot forge it. */
export function metadataOf({ input, page, parts, call }: Facts): Metadata {
  const contentType = page.headers['content-type']
  return {
    ...parts.metadata,
    sourceURL: input.url,
    url: page.url,
    statusCode: page.status,
    ...(page.status >= 400 && { error: STATUS_CODES[page.status] ?? `Status ${page.status}` }),
    ...(contentType !== undefined && { contentType }),
    scrapeId: call.jobId,
    proxyUsed: 'basic',
    cacheState: page.from === 'cache' ? 'hit' : 'miss',
    ...(page.from === 'cache' && { cachedAt: new Date(page.fetchedAt).toISOString() }),
    creditsUsed: scrapeCredits({ formats: input.formats.map(({ type }) => type), lockdown: input.lockdown }),
    concurrencyLimited: call.queuedMs > 0,
    ...(call.queuedMs > 0 && { concurrencyQueueDurationMs: call.queuedMs }),
  }
}
