import { randomBytes } from 'node:crypto'
import type { CrawlKind } from '../../contracts/crawl-ports.ts'
import type { WorkflowKind } from '../../contracts/workflow.ts'
import type { Delivery } from '../../contracts/job-ports.ts'
import type { Webhook, WebhookEvent } from '../../schema/webhook-schema.ts'

export type JobEvent = {
  kind: CrawlKind | WorkflowKind
  crawlId: string
  event: WebhookEvent
  /** The document of a page event, or the result of an ended workflow; otherwise absent. */
  data?: readonly [object] | undefined
  /** Reason of the failure; absent on success. */
  error?: string | undefined
  /** ms since the epoch. */
  now: number
  /** Creates the id. Ids of one crawl must sort in order of creation, because deliveries are ordered by id. */
  newId?: (() => string) | undefined
}

/** Builds the webhook delivery, or undefined if the receiver is not subscribed to this event. */
export function createEvent(webhook: Webhook | undefined, jobEvent: JobEvent): Delivery | undefined {
  const { kind, event, ...more } = jobEvent
  return webhook?.events.includes(event) ? deliveryTo(webhook, { ...more, type: `${kind}.${event}` }) : undefined
}

/** Builds the delivery of an event of any type. */
export function deliveryTo(
  webhook: Pick<Webhook, 'url' | 'headers' | 'metadata'>,
  jobEvent: Omit<JobEvent, 'kind' | 'event'> & { type: string },
): Delivery {
  const { crawlId, type, data = [], error, now, newId = eventId } = jobEvent
  const id = newId()
  const body = JSON.stringify({
    success: error === undefined,
    type,
    id: crawlId,
    webhookId: id,
    data,
    ...(error !== undefined && { error }),
    metadata: webhook.metadata,
  })
  return { id, crawlId, type, url: webhook.url, headers: webhook.headers, body, createdAt: now }
}

/** Creates the document of a page that could not be fetched. */
export const missingPage = (url: string): { metadata: { sourceURL: string } } => ({ metadata: { sourceURL: url } })

const stepsPerMs = 4096

/**
 * Creates a UUID that sorts after those created before it, even within a millisecond: version 7 with the time in steps
 * of 1/4096 ms (RFC 9562, 5.7 and 6.2 method 3).
 */
export function eventId(atMs = performance.timeOrigin + performance.now()): string {
  const wholeMs = Math.floor(atMs)
  const step = Math.floor((atMs - wholeMs) * stepsPerMs)
  const id = randomBytes(16)
  id.writeUIntBE(wholeMs, 0, 6)
  id.writeUInt16BE(0x7000 + step, 6)
  id.writeUInt8(0x80 + (id.readUInt8(8) & 0x3f), 8)
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
