import { z } from 'zod'
import { AnyObject, headerFault, mapOf } from './common-fields.ts'

export const webhookEvents = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

const maxHeaders = 50
const maxHeaderLength = 8192
const maxMetadataBytes = 10_240
const eventName = /^(?:(?:crawl|batch_scrape|extract|agent)\.)?(?:started|page|completed|failed|cancelled)$/

/** Headers that only the service may set: they describe the connection, the body or the sender. */
const reservedHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-firecrawl-signature',
  'x-service-signature',
])

const ReceiverUrl = z
  .string()
  .trim()
  .max(4096)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
    error: 'Expected an http or https URL, such as https://example.com/hook',
  })

const Headers = mapOf(z.string().max(65_536), maxHeaders).superRefine((headers, check) => {
  const entries = Object.entries(headers)
  if (entries.length > maxHeaders)
    check.addIssue({ code: 'custom', message: `At most ${maxHeaders} headers`, input: headers })
  for (const [name, value] of entries) {
    const message = ruleFault(name, value) ?? headerFault(name, value)
    if (message !== undefined) check.addIssue({ code: 'custom', path: [name], message, input: headers })
  }
})

function ruleFault(name: string, value: string): string | undefined {
  if (reservedHeaders.has(name.toLowerCase())) return 'This header is set by the service'
  return value.length > maxHeaderLength ? `At most ${maxHeaderLength} characters` : undefined
}

const Metadata = AnyObject.refine(
  (metadata) => new TextEncoder().encode(JSON.stringify(metadata)).length <= maxMetadataBytes,
  {
    error: `At most ${maxMetadataBytes} bytes as JSON`,
  },
)

/** Receiver of events of any kind. */
export const receiver = {
  url: ReceiverUrl.describe('URL that receives the events.'),
  headers: Headers.default({}).describe('HTTP headers to send with each event.'),
  metadata: Metadata.default({}).describe('Any JSON object; returned in every event.'),
}

const Receiver = z.object({
  ...receiver,
  events: z
    .array(z.string().regex(eventName, { error: `Expected one of ${webhookEvents.join(', ')}` }))
    .min(1)
    .max(50)
    .optional()
    .describe('Events to send: started, page, completed, failed, cancelled. Default all.'),
})

/** Receiver of the events of a job: a URL, or a URL with options. */
export const Webhook = z
  .union([ReceiverUrl, Receiver])
  .transform((given) => {
    const { url, headers, metadata, events } = typeof given === 'string' ? Receiver.parse({ url: given }) : given
    return { url, headers, metadata, events: eventsNamed(events) }
  })
  .describe('URL that receives job events, or an object with url, headers, metadata and events.')
export type Webhook = z.output<typeof Webhook>

/** The events with these names, with or without the kind of job; all events if no names are given. */
function eventsNamed(names: readonly string[] | undefined): WebhookEvent[] {
  if (names === undefined) return [...webhookEvents]
  return webhookEvents.filter((event) => names.some((name) => name === event || name.endsWith(`.${event}`)))
}
