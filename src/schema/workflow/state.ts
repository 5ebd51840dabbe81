import { z } from 'zod'

export const WorkflowId = z.uuid().toLowerCase().describe('Job id from the call that started it.')

/** How far a job that works towards one result is, and that result. */
export const WorkflowState = z.object({
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  completed: z.int().describe('Steps done so far, such as pages read.'),
  total: z.int().describe('Steps known so far.'),
  data: z.unknown().optional().describe('The result, once the job is completed.'),
  sources: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('URLs that each field of data comes from, by its path.'),
  creditsUsed: z.number(),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  expiresAt: z.string().describe('When the result expires, ISO 8601.'),
  error: z.string().optional(),
  warning: z.string().optional(),
})
export type WorkflowState = z.output<typeof WorkflowState>
