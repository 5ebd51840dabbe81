import { z } from 'zod'
import { defineOperation, type Presentation } from '../kernel/operation.ts'
import { ownWords } from './present/present-lists.ts'
import { AnyObject } from '../schema/common-fields.ts'

const SupportAnswer = z.object({
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
})

export const supportAsk = defineOperation({
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
  output: SupportAnswer,
  errors: ['SUPPORT_TIMEOUT'],
  mcp: { present: presentSupport },
  run: async (input, ctx) => (await import('../engine/support/ask/ask-support.ts')).askSupport(input, ctx),
})

export const docsSearch = defineOperation({
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
    const { answerFromDocs } = await import('../engine/support/docs/answer-from-docs.ts')
    const found = await answerFromDocs(ctx.ports, question, ctx)
    return { requestId: `req_${ctx.jobId}`, ...found, durationMs: ctx.ports.clock.now() - ctx.startedAt }
  },
})

/** These are our own words, so they stand outside the block that marks text of pages. */
function presentSupport(output: z.output<typeof SupportAnswer>): Presentation {
  const { answer, confidence, fixParameters, validation, feedback } = output
  return {
    parts: [
      ownWords(
        answer,
        `Confidence: ${confidence}.`,
        ...(fixParameters ? [`Set: ${JSON.stringify(fixParameters)}`] : []),
        ...(validation ? [`Test: ${validation.result}. ${validation.evidence}`] : []),
        ...(feedback ? ['Looked at:', ...feedback.attempted.map((each) => `- ${each}`)] : []),
      ),
    ],
  }
}

type DocsAnswer = { answer: string; evidence: readonly { pathOrUrl: string; reason: string }[]; warning?: string }

function presentDocsAnswer({ answer, evidence, warning }: DocsAnswer): Presentation {
  const places = evidence.map(({ pathOrUrl, reason }) => `- ${pathOrUrl} (${reason})`)
  return {
    parts: [
      ownWords(
        answer,
        ...(places.length > 0 ? ['', 'Where it stands:', ...places] : []),
        ...(warning ? ['', `Warning: ${warning}`] : []),
      ),
    ],
  }
}
