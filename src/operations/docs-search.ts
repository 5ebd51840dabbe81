import { z } from 'zod'
import { defineOperation } from '../kernel/operation.ts'
import { presentDocsAnswer } from '../present/docs.ts'

export default defineOperation({
  name: 'docs_search',
  route: 'POST /v2/support/docs-search',
  title: 'Ask the documentation',
  about:
    'Answer a question about this server from its documentation: options, settings, limits, errors, prices. Use it when unsure how to call a tool.',
  effect: 'read',
  world: 'closed',
  example: { question: 'How do I crawl only the blog of a site?' },
  input: z.object({
    question: z.string().trim().min(1).max(8000).describe('What you want to know, in plain words.'),
  }),
  output: z.object({
    requestId: z.string(),
    answer: z.string(),
    evidence: z.array(z.object({ pathOrUrl: z.string(), reason: z.string() })),
    usage: z.object({ inputTokens: z.int(), outputTokens: z.int(), totalTokens: z.int() }),
    durationMs: z.int(),
  }),
  errors: [],
  mcp: { present: presentDocsAnswer },
  run: async ({ question }, ctx) => {
    const { answerFromDocs } = await import('../engine/support/docs/answer.ts')
    const found = await answerFromDocs(ctx.ports, question, ctx)
    return { requestId: `req_${ctx.jobId}`, ...found, durationMs: ctx.ports.clock.now() - ctx.startedAt }
  },
})
