import type { Ctx } from '../../kernel/ctx.ts'
import type { ExtractInput, LlmsTxtInput } from '../../schema/workflow-schemas.ts'
import { checkUrls } from '../crawl/start-crawl.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { refuseZeroRetention, startWorkflow } from '../workflow/workflow-job.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { Delivery } from '../../contracts/job-ports.ts'
import type { NewWorkflow, Workflow, WorkflowEnd } from '../../contracts/workflow.ts'
import { createEvent, type JobEvent } from '../webhook/event.ts'

/** Stored part of the input: everything that another process needs to resume the job. */
export type ExtractRequest = Pick<
  ExtractInput,
  'prompt' | 'schema' | 'systemPrompt' | 'enableWebSearch' | 'includeSubdomains' | 'limit' | 'showSources'
> & { urls: string[]; page: ExtractInput['scrapeOptions']; webhook: ExtractInput['webhook'] }

/** Stores an extraction; returns before anything is fetched. Fails with BAD_REQUEST if no URL is valid. */
export async function startExtract(
  input: ExtractInput,
  ctx: Ctx,
): Promise<{ id: string; url: string; invalidURLs?: string[] }> {
  refuseZeroRetention(input)
  const { prompt, schema, systemPrompt, enableWebSearch, includeSubdomains, limit, showSources, scrapeOptions } = input
  const { urls = [] } = input
  const { valid, invalidURLs } = urls.length > 0 ? await checkUrls(urls, input) : { valid: [], invalidURLs: [] }
  const options = { prompt, schema, systemPrompt, enableWebSearch, includeSubdomains, limit, showSources }
  const request: ExtractRequest = { ...options, urls: [...new Set(valid)], page: scrapeOptions, webhook: input.webhook }
  const { id } = await startWorkflow({ kind: 'extract', target: targetOf(input), request }, ctx, startedEvent)
  return { id, url: `${ctx.baseUrl}/v2/extract/${id}`, ...(invalidURLs.length > 0 && { invalidURLs }) }
}

/** Returns the target shown in the activity list. */
export function targetOf({ urls: [first] = [], prompt }: Pick<ExtractInput, 'urls' | 'prompt'>): string | null {
  return first === undefined ? (prompt ?? null) : withoutCredentials(first)
}

type Job = Pick<Workflow, 'id' | 'kind' | 'request'>

export const startedEvent = (workflow: NewWorkflow | Workflow): Delivery | undefined =>
  eventOf(workflow, { event: 'started', now: workflow.createdAt })

export const cancelledEvent =
  (clock: Clock) =>
  (workflow: NewWorkflow | Workflow): Delivery | undefined =>
    eventOf(workflow, { event: 'cancelled', now: clock.now() })

/** Creates the event that reports the end of a job, with its result or error; empty if the caller is not subscribed. */
export function endEvents(workflow: Job, { status, result, error }: WorkflowEnd, now: number): Delivery[] {
  const event = eventOf(workflow, {
    event: status,
    now,
    ...(result && { data: [result] as const }),
    ...(error && { error: `${error.code}: ${error.message}` }),
  })
  return event ? [event] : []
}

function eventOf({ id, kind, request }: Job, details: Pick<JobEvent, 'event' | 'data' | 'error' | 'now'>) {
  // Jobs of other kinds or from older versions have no webhook.
  const { webhook } = request as Pick<ExtractInput, 'webhook'>
  return createEvent(webhook, { ...details, kind, crawlId: id })
}

/** Stored part of the input: everything that another process needs to resume the job. */
export type LlmsTxtRequest = Pick<LlmsTxtInput, 'url' | 'maxUrls' | 'showFullText' | 'cache'>

/** Stores the job; returns before anything is fetched. */
export async function startLlmsTxt(input: LlmsTxtInput, ctx: Ctx): Promise<{ id: string; url: string }> {
  refuseZeroRetention(input)
  const { url, maxUrls, showFullText, cache } = input
  const request: LlmsTxtRequest = { url, maxUrls, showFullText, cache }
  const { id } = await startWorkflow({ kind: 'llmstxt', target: withoutCredentials(url), request }, ctx)
  return { id, url: `${ctx.baseUrl}/v2/llmstxt/${id}` }
}
