import { randomBytes } from 'node:crypto'
import type { CrawlKind } from '../../contracts/crawl-ports.ts'
import type { WorkflowKind } from '../../contracts/workflow.ts'
import type { Delivery } from '../../contracts/job-ports.ts'
import type { Webhook, WebhookEvent } from '../../schema/webhook-schema.ts'

export type JobEvent = {
  kind: CrawlKind | WorkflowKind
  crawlId: string
  event: WebhookEvent
  /** The one document of a page event, or the result of a workflow that has ended; nothing for the others. */
  data?: readonly [object] | undefined
  /** Why it failed; its absence says that it did not. */
  error?: string | undefined
  /** ms since the epoch. */
  now: number
  /** Ids of one crawl should sort in the order they are made: that is the order of deliveries of one millisecond. */
  newId?: (() => string) | undefined
}

/** What a receiver is told, exactly as it will be sent; undefined where it does not want to hear of that. */
export function createEvent(webhook: Webhook | undefined, happening: JobEvent): Delivery | undefined {
  const { kind, event, ...more } = happening
  return webhook?.events.includes(event) ? deliveryTo(webhook, { ...more, type: `${kind}.${event}` }) : undefined
}

/** The event as it will be sent, whatever its type. */
export function deliveryTo(
  webhook: Pick<Webhook, 'url' | 'headers' | 'metadata'>,
  happening: Omit<JobEvent, 'kind' | 'event'> & { type: string },
): Delivery {
  const { crawlId, type, data = [], error, now, newId = eventId } = happening
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

/** The document of a page that could not be had. */
export const missingPage = (url: string): { metadata: { sourceURL: string } } => ({ metadata: { sourceURL: url } })

const stepsAMs = 4096

/**
 * A UUID that sorts after those made before it, also within a millisecond: version 7 with the time in steps of
 * 1/4096 ms (RFC 9562, 5.7 and 6.2 method 3).
 */
export function eventId(atMs = performance.timeOrigin + performance.now()): string {
  const wholeMs = Math.floor(atMs)
  const step = Math.floor((atMs - wholeMs) * stepsAMs)
  const id = randomBytes(16)
  id.writeUIntBE(wholeMs, 0, 6)
  id.writeUInt16BE(0x7000 + step, 6)
  id.writeUInt8(0x80 + (id.readUInt8(8) & 0x3f), 8)
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
