import { z } from 'zod'
import { cancelledEvent } from '../engine/extract/events.ts'
import { cancelWorkflow } from '../engine/workflow/job.ts'
import { defineOperation } from '../kernel/operation.ts'
import { WorkflowId } from '../schema/workflow/state.ts'

export default defineOperation({
  name: 'extract_cancel',
  route: 'DELETE /v2/extract/:id',
  aliases: ['DELETE /v2/agent/:id', 'DELETE /v2/llmstxt/:id'],
  title: 'Cancel an extract, agent or llmstxt job',
  about: 'Stop an extract, agent or llmstxt job. What it has read so far stays charged.',
  effect: 'destroy',
  world: 'closed',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ id: WorkflowId }),
  output: z.object({ status: z.literal('cancelled') }),
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM', 'JOB_IS_OVER'],
  mcp: false,
  run: ({ id }, ctx) =>
    cancelWorkflow({ id, kinds: ['extract', 'agent', 'llmstxt'] }, ctx, cancelledEvent(ctx.ports.clock)),
})
