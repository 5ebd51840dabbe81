import { z } from 'zod'
import { workflowState } from '../engine/workflow/job.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentState } from '../present/extract.ts'
import { JobResult } from '../schema/workflow/agent.ts'
import { waitForEnd } from '../schema/job-fields.ts'
import { WorkflowId } from '../schema/workflow/state.ts'

export default defineOperation({
  name: 'extract_status',
  route: 'GET /v2/extract/:id',
  aliases: ['GET /v2/agent/:id'],
  title: 'Status and result of an extract or agent',
  about: 'Show how far an extract or agent is, and its result once it is completed.',
  effect: 'read',
  world: 'closed',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ id: WorkflowId, wait: waitForEnd }),
  output: JobResult,
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  awaits: 'result',
  mcp: { present: (output, { id }, offered) => presentState(output, id, offered) },
  run: ({ id }, ctx) => workflowState({ id, kinds: ['extract', 'agent'] }, ctx),
})
