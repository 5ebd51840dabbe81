import { z } from 'zod'
import { workflowState } from '../engine/workflow/job.ts'
import { defineOperation } from '../kernel/operation.ts'
import { LlmsTxtState } from '../schema/workflow/llmstxt.ts'
import { waitForEnd } from '../schema/job-fields.ts'
import { WorkflowId } from '../schema/workflow/state.ts'

export default defineOperation({
  name: 'llmstxt_status',
  route: 'GET /v2/llmstxt/:id',
  title: 'Status and result of an llmstxt job',
  about: 'Show how far an llmstxt job is, and the files once it is completed.',
  effect: 'read',
  world: 'closed',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ id: WorkflowId, wait: waitForEnd }),
  output: LlmsTxtState,
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  awaits: 'result',
  mcp: false,
  run: async ({ id }, ctx) => LlmsTxtState.parse(await workflowState({ id, kinds: ['llmstxt'] }, ctx)),
})
