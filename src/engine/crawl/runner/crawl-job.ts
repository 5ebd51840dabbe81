import type { Crawl } from '../../../contracts/crawl-ports.ts'
import type { Delivery } from '../../../contracts/job-ports.ts'
import type { Log } from '../../../kernel/log.ts'
import type { PageOptions, ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { type Webhook, webhookEvents } from '../../../schema/webhook-schema.ts'
import { withoutSecrets } from '../../net/http/request-headers.ts'
import { isZeroRetention } from '../../scrape/plan.ts'
import { createEvent, type JobEvent } from '../../webhook/event.ts'
import { completeOptions, type CrawlOptions, type Origins } from '../crawl-options.ts'
import { siteOf } from '../scope/crawl-place.ts'

/** Stored request of a job: everything another process needs to resume it. */
export type JobRequest = {
  /** Options of a crawl; null for a batch, which follows no links. */
  options: CrawlOptions | null
  /** Origins of the options; undefined for a batch and for jobs stored by an older version. */
  origins?: Origins | undefined
  page: PageOptions
  webhook: Webhook | undefined
  zeroDataRetention: boolean
}

/** True if neither pages nor URLs of the job may be written to disk. */
export const isEphemeral = ({ page, zeroDataRetention }: JobRequest) =>
  isZeroRetention({ lockdown: page.lockdown, zeroDataRetention })

/** Prefixes of warnings about a start page that yields no links. */
export const startTrouble = {
  refused: 'The start page answered with status',
  unread: 'The start page could not be read',
  unwanted: 'The start page does not match includePaths, so it was read for its links and is not among the results.',
} as const

const plainWebhook = { headers: {}, metadata: {}, events: [...webhookEvents] }

/** Reads a stored request. Jobs of older versions lack fields that were added later. */
export function requestOf({ request }: Pick<Crawl, 'request'>): JobRequest {
  const { options, origins, page, webhook, zeroDataRetention } = request as Partial<JobRequest>
  return {
    options: options ? completeOptions(options) : null,
    ...(origins && { origins }),
    page: page ?? ({} as PageOptions),
    webhook: webhook && { ...plainWebhook, ...webhook },
    zeroDataRetention: zeroDataRetention ?? false,
  }
}

/**
 * Creates the scrape input of one page of a job. Concurrent pages share a profile, so none of them saves changes to it.
 * Cookies and keys given for the start site are not sent to other sites.
 */
export function pageInput({ options, page, zeroDataRetention }: JobRequest, url: string): ScrapeInput {
  const profile = page.profile && { ...page.profile, saveChanges: false }
  const isForeign = options !== null && !isOneSite(options.url, url)
  const headers = isForeign && page.headers ? { headers: withoutSecrets(page.headers) } : {}
  return { ...page, ...headers, url, profile, zeroDataRetention, origin: undefined, integration: undefined }
}

/**
 * True if both URLs are on one site. Data meant for https is never sent over http, which anyone on the network can
 * read.
 */
export function isOneSite(start: string, url: string): boolean {
  const [from, to] = [URL.parse(start), URL.parse(url)]
  if (!from || !to || siteOf(from) !== siteOf(to)) return false
  return from.protocol === to.protocol || to.protocol === 'https:'
}

/** Creates the webhook event of a job, or undefined if the receiver is not subscribed to it. */
export function jobEvent(
  crawl: Pick<Crawl, 'id' | 'kind' | 'request'>,
  event: JobEvent['event'],
  now: number,
  more: Pick<JobEvent, 'data' | 'error'> = {},
): Delivery | undefined {
  return createEvent(requestOf(crawl).webhook, { kind: crawl.kind, crawlId: crawl.id, event, now, ...more })
}

/** Removes causes from the logged errors of crawls with zero data retention, because those causes contain URLs. */
export const withoutCauses = (log: Log): Log => ({
  ...log,
  error: (event, facts) => log.error(event, facts && { ...facts, cause: undefined }),
})
