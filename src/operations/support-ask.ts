import { z } from 'zod'
import { defineOperation } from '../kernel/operation.ts'
import { presentSupport } from '../present/support.ts'
import { AnyObject } from '../schema/limits.ts'

export default defineOperation({
  name: 'support_ask',
  route: 'POST /v2/support/ask',
  title: 'Ask why a job went wrong',
  about:
    'Find out why a scrape, crawl, search or session failed or brought too little. Reads your jobs of the last 24 hours, tries safe fixes and returns parameters to use. Free.',
  effect: 'read',
  example: { question: 'Why did my scrape of https://example.com/shop time out?' },
  input: z.object({
    question: z
      .string()
      .trim()
      .min(1)
      .max(8000)
      .describe('What goes wrong, in plain words; URLs and error codes help.'),
    rationale: z.string().max(8000).optional().describe('What you want to achieve.'),
    context: AnyObject.optional().describe('What may matter: the request, its answer.'),
    jobId: z.string().max(200).optional().describe('Id of the job, if you have it.'),
  }),
  output: z.object({
    answer: z.string().describe('What is wrong and what helps, in a few sentences.'),
    confidence: z.enum(['high', 'medium', 'low']),
    fixParameters: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Fields to set in the request; one that is null is to be left out. Null where none would help.'),
    validation: z
      .object({
        tested: z.boolean(),
        result: z.enum(['success', 'failure', 'skipped']),
        evidence: z.string().describe('What was run, and what came of it.'),
      })
      .nullable(),
    feedback: z
      .object({ blockedBy: z.string(), attempted: z.array(z.string()) })
      .nullable()
      .describe('Set where nothing was found or nothing helped: why, and what was tried.'),
    durationMs: z.int(),
  }),
  errors: ['SUPPORT_TIMEOUT'],
  mcp: { present: presentSupport },
  run: async (input, ctx) => (await import('../engine/support/ask/ask.ts')).askSupport(input, ctx),
})
