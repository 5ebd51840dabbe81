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

/** Returns the description shown in the activity list. */
export const targetOf = ({ prompt }: Pick<AgentInput, 'prompt'>): string => prompt.slice(0, maxTarget)
const maxTarget = 500
