import { z } from 'zod'
import { callLabels, waitSeconds, WebUrl, words } from './common-fields.ts'
import { JsonSchema } from './json-schema.ts'
import { Webhook } from './webhook-schema.ts'
import { PageOptions } from './scrape/scrape-options.ts'

/** Progress of a job with a single result, and that result. */
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

/** Option of jobs whose result is stored. */
const noRetention = z.boolean().default(false).describe('Refused: the result must be stored.')

export const LlmsTxtInput = z.object({
  url: WebUrl.describe('Site to describe, preferably its home page. Only pages below its path are listed.'),
  maxUrls: z.int().min(1).max(1000).default(50).describe('Maximum pages to list.'),
  showFullText: z.boolean().default(false).describe('Also return the text of all pages as llms-full.txt.'),
  cache: z.boolean().default(true).describe('Use cached pages. Default true.'),
  zeroDataRetention: noRetention,
  ...callLabels,
  wait: waitSeconds('Seconds to wait for the result; default 0: only the id.'),
})
export type LlmsTxtInput = z.output<typeof LlmsTxtInput>

const LlmsTxt = z.object({
  llmstxt: z.string().describe('The file llms.txt: title and description of the site, and its pages by section.'),
  llmsfulltxt: z.string().optional().describe('The file llms-full.txt: the text of the pages.'),
})

export const LlmsTxtState = WorkflowState.omit({ sources: true }).extend({
  data: LlmsTxt.optional().describe('The files, once the job is completed.'),
})
export type LlmsTxtState = z.output<typeof LlmsTxtState>

const Text = words(10_000)

const ExtractFields = z.object({
  urls: z
    .array(z.string().max(16_384))
    .max(1000)
    .optional()
    .describe(
      'Pages to read. https://example.com/docs/* stands for pages below that path. Without any, the web is searched for the prompt.',
    ),
  prompt: Text.optional().describe('What to extract, in plain English.'),
  schema: JsonSchema.optional().describe('JSON Schema of the result.'),
  systemPrompt: Text.optional().describe('Further instructions for the extraction.'),
  enableWebSearch: z.boolean().default(false).describe('Also read pages that a web search for the prompt finds.'),
  includeSubdomains: z.boolean().default(false).describe('Wildcard URLs also stand for pages of subdomains.'),
  limit: z.int().min(1).max(1000).default(20).describe('Maximum pages to read.'),
  showSources: z.boolean().default(false).describe('List the URLs that each field comes from.'),
  ignoreInvalidURLs: z.boolean().default(true).describe('Skip invalid URLs instead of failing. Default true.'),
  webhook: Webhook.optional().describe('URL that receives job events, or {url, headers, metadata, events}.'),
  scrapeOptions: PageOptions.prefault({}).describe('Options for each page, as in scrape; formats have no effect.'),
  zeroDataRetention: noRetention,
  ...callLabels,
  wait: waitSeconds('Seconds to wait for the result; default 0: only the id.'),
})
export type ExtractInput = z.output<typeof ExtractFields>

export const ExtractInput = ExtractFields.superRefine(({ urls = [], prompt, schema, enableWebSearch }, check) => {
  const fault = (path: string, message: string) => check.addIssue({ code: 'custom', path: [path], message })
  if (prompt === undefined && schema === undefined) fault('prompt', 'Send a prompt, a schema or both.')
  else if (prompt === undefined && urls.length === 0) fault('urls', 'Send urls, or a prompt to search the web for.')
  else if (prompt === undefined && enableWebSearch) fault('prompt', 'enableWebSearch needs a prompt to search for.')
})

/** Default budget of each effort, unless the call sets its own. */
const efforts = {
  low: { maxPages: 5, maxTokens: 100_000, maxSeconds: 120 },
  medium: { maxPages: 15, maxTokens: 300_000, maxSeconds: 300 },
  high: { maxPages: 40, maxTokens: 900_000, maxSeconds: 900 },
} as const

const AgentFields = z.object({
  prompt: z.string().trim().min(1).max(10_000).describe('The question, or the data wanted, in plain words.'),
  schema: JsonSchema.optional().describe('JSON Schema of the answer; without it the answer is text.'),
  urls: z.array(WebUrl).max(1000).optional().describe('Pages to read first.'),
  strictConstrainToURLs: z.boolean().default(false).describe('Read only the pages in urls: no search, no links.'),
  effort: z
    .enum(['low', 'medium', 'high'])
    .default('medium')
    .describe('Default budget: 5, 15 or 40 pages, with tokens and time to match.'),
  maxCredits: z.int().min(1).max(1_000_000).default(2500).describe('Maximum credits for searches and pages.'),
  maxPages: z.int().min(1).max(500).optional().describe('Read at most this many pages. Default: by effort.'),
  maxTokens: z
    .int()
    .min(1)
    .max(100_000_000)
    .optional()
    .describe('Maximum tokens of the language model. Default: by effort.'),
  maxSeconds: z.int().min(1).max(3600).optional().describe('Maximum seconds of work. Default: by effort.'),
  webhook: Webhook.optional().describe('URL that receives job events, or {url, headers, metadata, events}.'),
  zeroDataRetention: z.boolean().default(false).describe('Refused: a job of many steps must be stored.'),
  model: z.string().max(256).optional().describe('Accepted for clients of Firecrawl; the operator sets the model.'),
  wait: waitSeconds('Seconds to wait for the answer; default 0: only the id.'),
  ...callLabels,
})
export type AgentInput = z.output<typeof AgentFields>

export const AgentInput = AgentFields.superRefine(({ strictConstrainToURLs, urls = [] }, check) => {
  if (strictConstrainToURLs && urls.length === 0)
    check.addIssue({ code: 'custom', path: ['urls'], message: 'strictConstrainToURLs needs urls.' })
})

export type AgentLimits = { pages: number; credits: number; tokens: number; seconds: number }

export function limitsOf({ effort, maxCredits, maxPages, maxTokens, maxSeconds }: AgentInput): AgentLimits {
  const usual = efforts[effort]
  return {
    pages: maxPages ?? usual.maxPages,
    credits: maxCredits,
    tokens: maxTokens ?? usual.maxTokens,
    seconds: maxSeconds ?? usual.maxSeconds,
  }
}

/** Answer of an agent, with the source pages of each part. */
export const AgentResult = z.object({
  data: z
    .unknown()
    .describe('An object that matches the schema, or {answer}; fields that no page gave a value for are left out.'),
  sources: z.record(z.string(), z.array(z.string())).describe('By field: its source pages. All of them were read.'),
  evidence: z
    .array(z.object({ field: z.string(), url: z.string(), quote: z.string() }))
    .describe('Lines of the pages, verbatim.'),
  conflicts: z
    .array(z.object({ about: z.string(), statements: z.array(z.object({ says: z.string(), url: z.string() })) }))
    .describe('Where pages contradict each other, with what each says.'),
  notFound: z.array(z.string()).describe('Fields that no page gave a value for.'),
  pages: z
    .array(z.object({ url: z.string(), title: z.string().optional(), error: z.string().optional() }))
    .describe('Pages that were read or tried.'),
  llmMode: z.enum(['model', 'builtin']).describe('Whether a language model answered or the built-in method.'),
  model: z.string().optional(),
  tokensUsed: z.number(),
})
export type AgentResult = z.output<typeof AgentResult>

/** Progress and result of an extract or agent job. */
export const JobResult = WorkflowState.extend({
  ...AgentResult.partial().omit({ data: true, sources: true }).shape,
  doing: z.string().optional().describe('Current step of an agent.'),
})
export type JobResult = z.output<typeof JobResult>
