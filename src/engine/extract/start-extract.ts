import type { Ctx } from '../../kernel/ctx.ts'
import type { AgentInput, ExtractInput, LlmsTxtInput } from '../../schema/workflow-schemas.ts'
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

const startedEvent = (workflow: NewWorkflow | Workflow): Delivery | undefined =>
  eventOf(workflow, { event: 'started', now: workflow.createdAt })

export const cancelledEvent =
  (clock: Clock) =>
  (workflow: NewWorkflow | Workflow): Delivery | undefined =>
    eventOf(workflow, { event: 'cancelled', now: clock.now() })

/** Creates the event that ends a job; it contains the result. */
export function endEvents(workflow: Job, { status, result, error }: WorkflowEnd, now: number): Delivery[] {
  const event = eventOf(workflow, {
    event: status,
    now,
    ...(result && { data: [result] as const }),
    ...(error && { error: `${error.code}: ${error.message}` }),
  })
  return event ? [event] : []
}

function eventOf({ id, kind, request }: Job, happening: Pick<JobEvent, 'event' | 'data' | 'error' | 'now'>) {
  // Jobs of other kinds or from older versions have no webhook.
  const { webhook } = request as Pick<ExtractInput, 'webhook'>
  return createEvent(webhook, { ...happening, kind, crawlId: id })
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

/** Stores the task of an agent; returns before anything is searched or read. */
export async function startAgent(input: AgentInput, ctx: Ctx): Promise<{ id: string; url: string }> {
  refuseZeroRetention(input)
  const request: AgentInput = { ...input, urls: input.urls?.map(withoutCredentials) }
  const { id } = await startWorkflow({ kind: 'agent', target: targetOfAgent(input), request }, ctx, startedEvent)
  return { id, url: `${ctx.baseUrl}/v2/agent/${id}` }
}

const agentsPerPage = 20

/** Lists the team's agents that can still be read, newest first, one page at a time. */
export async function listAgents({ before }: { before?: number | undefined }, { ports, team, baseUrl }: Ctx) {
  const rows = await ports.jobs.activity({
    teamId: team.id,
    endpoint: 'agent',
    status: 'completed',
    since: ports.clock.now() - ports.account.jobRetentionMs,
    limit: agentsPerPage + 1,
    ...(before !== undefined && { before: { createdAt: before, id: '' } }),
  })
  const page = rows.slice(0, agentsPerPage)
  const agents = await Promise.all(page.map(({ id }) => ports.workflows.find(id)))
  const last = rows.length > agentsPerPage ? page.at(-1) : undefined
  return {
    agents: agents.flatMap((each) => (each ? [listedAgent(each)] : [])),
    ...(last && { next: `${baseUrl}/v2/agent?before=${last.createdAt}` }),
  }
}

function listedAgent({ id, createdAt, target, status, request }: Workflow) {
  const { prompt, urls, schema, effort, model = '', origin = 'api', integration } = request as AgentInput
  return {
    id,
    createdAt: new Date(createdAt).toISOString(),
    targetHint: target ?? '',
    origin,
    ...(integration !== undefined && { integration }),
    settings: { hidden: false, starred: false },
    status,
    options: { prompt, model, effort, ...(urls && { urls }), ...(schema && { schema }) },
  }
}

/** Returns the description shown in the activity list. */
export const targetOfAgent = ({ prompt }: Pick<AgentInput, 'prompt'>): string => prompt.slice(0, maxTarget)
const maxTarget = 500
