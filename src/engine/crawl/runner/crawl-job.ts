import type { Crawl } from '../../../contracts/crawl-ports.ts'
import type { Delivery } from '../../../contracts/job-ports.ts'
import type { Log } from '../../../kernel/log.ts'
import type { PageOptions, ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { type Webhook, webhookEvents } from '../../../schema/webhook-schema.ts'
import { withoutSecrets } from '../../net/http/request-headers.ts'
import { keepsNothing } from '../../scrape/plan.ts'
import { createEvent, type JobEvent } from '../../webhook/event.ts'
import { completeOptions, type CrawlOptions, type Origins } from '../crawl-options.ts'
import { siteOf } from '../scope/crawl-place.ts'

/** What a job keeps of its request: all that is needed to go on with it in another process. */
export type JobRequest = {
  /** The rules of a crawl; null for a batch, which follows no links. */
  options: CrawlOptions | null
  /** Where the options come from; absent for a batch, and where an older version has written it down. */
  origins?: Origins | undefined
  page: PageOptions
  webhook: Webhook | undefined
  zeroDataRetention: boolean
}

/** Whether nothing of it may be written to a disk: neither pages nor where they are. */
export const isUnkept = ({ page, zeroDataRetention }: JobRequest) =>
  keepsNothing({ lockdown: page.lockdown, zeroDataRetention })

/** How warnings of a start page that leads nowhere begin. */
export const startTrouble = {
  refused: 'The start page answered with status',
  unread: 'The start page could not be read',
  unwanted: 'The start page does not match includePaths, so it was read for its links and is not among the results.',
} as const

const plainWebhook = { headers: {}, metadata: {}, events: [...webhookEvents] }

/** What an older version has written down lacks the fields that were added since. */
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
 * One page of a job, as a scrape of its own. A profile is shared by pages at the same time, so none of them saves to
 * it. Cookies and keys that were given for the start are not for the other sites that a crawl may lead to.
 */
export function pageInput({ options, page, zeroDataRetention }: JobRequest, url: string): ScrapeInput {
  const profile = page.profile && { ...page.profile, saveChanges: false }
  const isForeign = options !== null && !isOneSite(options.url, url)
  const headers = isForeign && page.headers ? { headers: withoutSecrets(page.headers) } : {}
  return { ...page, ...headers, url, profile, zeroDataRetention, origin: undefined, integration: undefined }
}

/** What was meant for https is not for http, where everybody on the way reads it. */
export function isOneSite(start: string, url: string): boolean {
  const [from, to] = [URL.parse(start), URL.parse(url)]
  if (!from || !to || siteOf(from) !== siteOf(to)) return false
  return from.protocol === to.protocol || to.protocol === 'https:'
}

/** The webhook event of something that happened to a job, if its receiver wants to hear of that. */
export function jobEvent(
  crawl: Pick<Crawl, 'id' | 'kind' | 'request'>,
  event: JobEvent['event'],
  now: number,
  more: Pick<JobEvent, 'data' | 'error'> = {},
): Delivery | undefined {
  return createEvent(requestOf(crawl).webhook, { kind: crawl.kind, crawlId: crawl.id, event, now, ...more })
}

/** For crawls of which nothing is kept: causes name what was asked for. */
export const withoutCauses = (log: Log): Log => ({
  ...log,
  error: (event, facts) => log.error(event, facts && { ...facts, cause: undefined }),
})
