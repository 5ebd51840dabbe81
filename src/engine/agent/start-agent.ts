import type { Workflow } from '../../contracts/workflow.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import type { AgentInput } from '../../schema/workflow-schemas.ts'
import { startedEvent } from '../extract/start-extract.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { refuseZeroRetention, startWorkflow } from '../workflow/workflow-job.ts'

/** Stores the task of an agent; returns before anything is searched or read. */
export async function startAgent(input: AgentInput, ctx: Ctx): Promise<{ id: string; url: string }> {
  refuseZeroRetention(input)
  const request: AgentInput = { ...input, urls: input.urls?.map(withoutCredentials) }
  const { id } = await startWorkflow({ kind: 'agent', target: targetOf(input), request }, ctx, startedEvent)
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
export const targetOf = ({ prompt }: Pick<AgentInput, 'prompt'>): string => prompt.slice(0, maxTarget)
const maxTarget = 500
