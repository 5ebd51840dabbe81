import { z } from 'zod'
import { requireOwnJob } from '../engine/account/team-jobs.ts'
import type { Ctx } from '../kernel/ctx.ts'
import { defineOperation, type Presentation } from '../kernel/operation.ts'
import { ownWords } from './present/present-lists.ts'
import { AnyObject, callLabels } from '../schema/common-fields.ts'

const SupportAnswer = z.object({
  answer: z.string().describe('What is wrong and what helps, in a few sentences.'),
  confidence: z.enum(['high', 'medium', 'low']),
  fixParameters: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Fields to set in the request; leave out those that are null. Null if no change would help.'),
  validation: z
    .object({
      tested: z.boolean(),
      result: z.enum(['success', 'failure', 'skipped']),
      evidence: z.string().describe('The calls that were run, and their results.'),
    })
    .nullable(),
  feedback: z
    .object({ blockedBy: z.string(), attempted: z.array(z.string()) })
    .nullable()
    .describe('Present if nothing was found or nothing helped: the reason, and what was tried.'),
  durationMs: z.int(),
})

const questionFields = {
  question: z
    .string()
    .trim()
    .min(1)
    .max(8000)
    .describe(
      'Problem in plain words. Name the job by URL, kind (scrape, crawl …) or error; a bare complaint is about the latest failure.',
    ),
  jobId: z.string().max(200).optional().describe('Id of the job, if you have it.'),
}

export const supportAsk = defineOperation({
  name: 'support_ask',
  route: 'POST /v2/support/ask',
  title: 'Ask why a job went wrong',
  about:
    'Find out why a scrape, crawl, search or session failed or returned too little. Reads your jobs of the last 24 hours, tries safe fixes and returns parameters to use. Free.',
  effect: 'read',
  example: { question: 'Why did my scrape of https://example.com/shop time out?' },
  input: z.object({
    ...questionFields,
    rationale: z.string().max(8000).optional().describe('What you want to achieve.'),
    context: AnyObject.optional().describe('Anything that may matter, such as {"request": …, "answer": …}.'),
  }),
  output: SupportAnswer,
  errors: ['SUPPORT_TIMEOUT'],
  mcp: { arguments: z.object(questionFields), present: presentSupport },
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
    question: z.string().trim().min(1).max(8000).describe('Question in plain words.'),
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
    const result = await answerFromDocs(ctx.ports, question, ctx)
    return { requestId: `req_${ctx.jobId}`, ...result, durationMs: ctx.ports.clock.now() - ctx.startedAt }
  },
})

const anId = '0190c2a0-0000-7000-8000-000000000000'
const feedbackFields = {
  rating: z.enum(['good', 'partial', 'bad']).describe('How good the result was.'),
  valuableSources: z
    .array(
      z.object({
        url: z.string().max(2000).describe('URL of the source.'),
        reason: z.string().max(2000).optional().describe('Why it helped.'),
      }),
    )
    .max(100)
    .optional()
    .describe('Sources that helped.'),
  missingContent: z
    .array(
      z.object({
        topic: z.string().max(2000).describe('What was missing.'),
        description: z.string().max(4000).optional().describe('More about it.'),
      }),
    )
    .max(100)
    .optional()
    .describe('Content that was expected and not returned.'),
  querySuggestions: z.string().max(4000).optional().describe('How the query could be better.'),
  origin: callLabels.origin,
  integration: z.string().max(256).nullish().describe('Label of the calling integration.'),
}

/** Feedback is stored as the result of its own job, for as long as jobs are. */
const givesFeedback = {
  effect: 'create',
  world: 'closed',
  output: z.object({
    feedbackId: z.string(),
    creditsRefunded: z.number().describe('Always 0: feedback is stored for the operator and earns no credits.'),
  }),
  errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  job: {
    endpoint: 'feedback',
    // The id of the rated job may belong to another team, so the record of a refused call must not contain it.
    target: () => null,
    keep: (input: { jobId: string }) => ({ feedback: input }),
  },
  mcp: false,
  run: async ({ jobId }: { jobId: string }, { ports, team, jobId: feedbackId }: Ctx) => {
    await requireOwnJob(jobId, { ports, team })
    return { feedbackId, creditsRefunded: 0 }
  },
} as const

export const feedback = defineOperation({
  ...givesFeedback,
  name: 'feedback',
  route: 'POST /v2/feedback',
  title: 'Rate the result of a job',
  about: 'Store what was good or missing in the result of a scrape, search, map or parse, for the operator.',
  example: { endpoint: 'scrape', jobId: anId, rating: 'partial', issues: ['missing_content'], note: 'No prices.' },
  input: z.object({
    ...feedbackFields,
    endpoint: z.enum(['search', 'scrape', 'parse', 'map']).describe('Kind of the rated job.'),
    jobId: z.string().max(200).describe('Id of the rated job.'),
    issues: z.array(z.string().max(200)).max(50).optional().describe('Names of problems, such as missing_content.'),
    tags: z.array(z.string().max(200)).max(50).optional().describe('Labels of your own.'),
    note: z.string().max(4000).optional().describe('Note in plain words.'),
    url: z.string().max(2000).optional().describe('Page that the note is about.'),
    pageNumbers: z.array(z.int().min(1)).max(1000).optional().describe('Pages of a file that the note is about.'),
    metadata: AnyObject.optional().describe('Further facts about the job.'),
  }),
})

export const searchFeedback = defineOperation({
  ...givesFeedback,
  name: 'search_feedback',
  route: 'POST /v2/search/:jobId/feedback',
  title: 'Rate the results of a search',
  about: 'Store what was good or missing in the results of a search, for the operator.',
  example: { jobId: anId, rating: 'good', valuableSources: [{ url: 'https://sqlite.org/wal.html' }] },
  input: z.object({ ...feedbackFields, jobId: z.string().max(200).describe('Id of the search.') }),
})

/** The answer is our own text, so it is shown outside the block that marks text from pages. */
function presentSupport(output: z.output<typeof SupportAnswer>): Presentation {
  const { answer, confidence, fixParameters, validation, feedback: unsolved } = output
  return {
    parts: [
      ownWords(
        answer,
        `Confidence: ${confidence}.`,
        ...(fixParameters ? [`Set: ${JSON.stringify(fixParameters)}`] : []),
        ...(validation ? [`Test: ${validation.result}. ${validation.evidence}`] : []),
        ...(unsolved ? ['Tried:', ...unsolved.attempted.map((each) => `- ${each}`)] : []),
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
        ...(places.length > 0 ? ['', 'Sources:', ...places] : []),
        ...(warning ? ['', `Warning: ${warning}`] : []),
      ),
    ],
  }
}
