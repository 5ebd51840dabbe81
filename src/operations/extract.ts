import { z } from 'zod'
import { listAgents, startAgent, targetOf as targetOfAgent } from '../engine/agent/start-agent.ts'
import { cancelledEvent, startExtract, startLlmsTxt, targetOf } from '../engine/extract/start-extract.ts'
import { withoutCredentials } from '../engine/net/http/canonical-url.ts'
import { cancelWorkflow, workflowState } from '../engine/workflow/workflow-job.ts'
import { defineOperation, type Offered, type Part, type Presentation } from '../kernel/operation.ts'
import type { Tool } from '../kernel/tool.ts'
import { waitForEnd } from '../schema/common-fields.ts'
import { readingPages } from './agent-arguments.ts'
import { foldPageOptions, takenScrapeOptions } from '../schema/scrape/scrape-arguments.ts'
import {
  AgentInput,
  ExtractInput,
  JobResult,
  LlmsTxtInput,
  LlmsTxtState,
  WorkflowState,
} from '../schema/workflow-schemas.ts'
import { aboutJob, cancelsJob, notesOf, stillRunning } from './jobs.ts'
import { counted } from '../util/amounts.ts'
import { ownWords } from './present/present-lists.ts'

const WorkflowId = z.uuid().toLowerCase().describe('Job id from the call that started it.')

/** Common fields of calls that show the progress of a job. */
const showsProgress = {
  ...aboutJob,
  effect: 'read',
  input: z.object({ id: WorkflowId, wait: waitForEnd }),
  awaits: 'result',
} as const

export const extractStatus = defineOperation({
  ...showsProgress,
  name: 'extract_status',
  route: 'GET /v2/extract/:id',
  aliases: ['GET /v2/agent/:id'],
  title: 'Status and result of an extract or agent',
  about: 'Show how far an extract or agent is, and its result once it is completed.',
  output: JobResult,
  mcp: { present: (output, { id }, offered) => presentState(output, id, offered) },
  run: ({ id }, ctx) => workflowState({ id, kinds: ['extract', 'agent'] }, ctx),
})

export const extractCancel = defineOperation({
  ...cancelsJob,
  name: 'extract_cancel',
  route: 'DELETE /v2/extract/:id',
  aliases: ['DELETE /v2/agent/:id', 'DELETE /v2/llmstxt/:id'],
  title: 'Cancel an extract, agent or llmstxt job',
  about: 'Stop an extract, agent or llmstxt job. What it has read so far stays charged.',
  input: z.object({ id: WorkflowId }),
  run: ({ id }, ctx) =>
    cancelWorkflow({ id, kinds: ['extract', 'agent', 'llmstxt'] }, ctx, cancelledEvent(ctx.ports.clock)),
})

const ofExtract = ExtractInput.shape

/** Arguments shown to agents; the other extract options are accepted too. */
const extractArguments = z.object({
  urls: z
    .array(z.string())
    .optional()
    .describe('Pages; /* at the end: the pages below. Without any, the web is searched for the prompt.'),
  prompt: ofExtract.prompt,
  schema: ofExtract.schema,
  enableWebSearch: ofExtract.enableWebSearch,
  limit: ofExtract.limit,
  showSources: ofExtract.showSources,
  wait: ofExtract.wait,
})

export const extract = defineOperation({
  name: 'extract',
  route: 'POST /v2/extract',
  title: 'Extract data from many pages',
  about:
    'Read many pages and merge what they say into one object by a JSON Schema or a prompt. Returns an id, or the result if wait is set; continue with crawl_status. For one page use scrape with the json format.',
  effect: 'create',
  example: {
    urls: ['https://example.com/products/*'],
    prompt: 'Name and price of each product',
    schema: { type: 'object', properties: { products: { type: 'array', items: { type: 'object' } } } },
    wait: 120,
  },
  input: ExtractInput,
  output: z.object({
    id: z.string(),
    url: z.string().describe('URL of the job status.'),
    invalidURLs: z.array(z.string()).optional().describe('URLs that were skipped.'),
    job: WorkflowState.optional().describe('Job status when the wait ended.'),
    warning: z.string().optional(),
  }),
  errors: ['SCRAPE_ZDR_VIOLATION_ERROR'],
  job: { endpoint: 'extract', target: targetOf, keep: () => undefined },
  price: () => 0,
  follow: { operation: extractStatus, answers: 'result' },
  mcp: {
    arguments: extractArguments,
    taken: takenScrapeOptions,
    forAgents: (args) => readingPages(args, 'scrapeOptions.actions'),
    toInput: foldPageOptions,
    present: presentBegunJob,
  },
  run: startExtract,
})

const { prompt, schema, effort, maxPages, wait, ...ofAgent } = AgentInput.shape

/** Arguments shown to agents; the other options are accepted too. */
const agentArguments = z.object({
  prompt,
  schema,
  urls: z.array(z.string()).optional().describe('Pages to read first.'),
  strictConstrainToURLs: ofAgent.strictConstrainToURLs,
  effort,
  maxPages,
  maxCredits: ofAgent.maxCredits,
  wait,
})

export const agent = defineOperation({
  name: 'agent',
  route: 'POST /v2/agent',
  title: 'Answer a question from the web',
  about:
    'Answer a question or fill a JSON Schema from the web, naming the pages that support each part. Searches, reads pages and follows links by itself; needs no URL. Returns an id, or the answer if wait is set; continue with crawl_status.',
  effect: 'create',
  example: { prompt: 'Who maintains SQLite, and since when?', maxPages: 5, wait: 120 },
  input: AgentInput,
  output: z.object({
    id: z.string(),
    url: z.string().describe('URL of the job status.'),
    job: JobResult.optional().describe('Job status when the wait ended.'),
    warning: z.string().optional(),
  }),
  errors: ['SCRAPE_ZDR_VIOLATION_ERROR'],
  job: { endpoint: 'agent', target: targetOfAgent, keep: () => undefined },
  price: () => 0,
  follow: { operation: extractStatus, answers: 'result' },
  mcp: { arguments: agentArguments, present: presentBegunJob },
  run: startAgent,
})

/** An agent in the list, in the shape that the SDK of Firecrawl expects. */
const ListedAgent = z.object({
  id: z.string(),
  createdAt: z.string(),
  targetHint: z.string().describe('Beginning of the prompt.'),
  origin: z.string(),
  integration: z.string().optional(),
  settings: z.object({ hidden: z.boolean(), starred: z.boolean() }).describe('Always false.'),
  status: WorkflowState.shape.status,
  options: z.object({ prompt, urls: ofAgent.urls, schema, effort, model: z.string() }),
})

export const agentList = defineOperation({
  name: 'agent_list',
  route: 'GET /v2/agent',
  title: 'List agents',
  about: 'List the agents of your team, newest first, as long as their results are kept.',
  effect: 'read',
  world: 'closed',
  example: {},
  input: z.object({
    before: z.int().min(0).optional().describe('Only agents created before this time, in ms since 1970.'),
  }),
  output: z.object({
    agents: z.array(ListedAgent),
    next: z.string().optional().describe('URL of the next page.'),
  }),
  errors: [],
  mcp: false,
  run: listAgents,
})

export const llmstxtStatus = defineOperation({
  ...showsProgress,
  name: 'llmstxt_status',
  route: 'GET /v2/llmstxt/:id',
  title: 'Status and result of an llmstxt job',
  about: 'Show how far an llmstxt job is, and the files once it is completed.',
  output: LlmsTxtState,
  mcp: false,
  run: async ({ id }, ctx) => LlmsTxtState.parse(await workflowState({ id, kinds: ['llmstxt'] }, ctx)),
})

export const llmstxt = defineOperation({
  name: 'llmstxt',
  route: 'POST /v2/llmstxt',
  title: 'Make llms.txt for a site',
  about:
    'Read the pages of a site and write its llms.txt, and llms-full.txt on request. Returns an id, or the result if wait is set.',
  effect: 'create',
  example: { url: 'https://example.com', maxUrls: 20, showFullText: true },
  input: LlmsTxtInput,
  output: z.object({
    id: z.string(),
    url: z.string().describe('URL of the job status.'),
    job: LlmsTxtState.optional().describe('Job status when the wait ended.'),
    warning: z.string().optional(),
  }),
  errors: ['SCRAPE_ZDR_VIOLATION_ERROR'],
  job: { endpoint: 'llmstxt', target: ({ url }) => withoutCredentials(url), keep: () => undefined },
  price: () => 0,
  follow: { operation: llmstxtStatus, answers: 'result' },
  mcp: false,
  run: startLlmsTxt,
})

export const agentTool: Tool = {
  name: 'agent',
  title: 'Answer from many pages',
  about:
    'Answer a question, or fill a JSON Schema, from many pages, with sources. Reads the urls and merges what they say; without urls searches the web and follows links. Returns an id, with wait the answer; continue with crawl_status.',
  effect: 'create',
  example: agent.example,
  arguments: z.object({
    prompt: prompt.optional().describe('Question to answer, or data wanted.'),
    schema,
    urls: z.array(z.string()).optional().describe('Pages to read; https://a.com/docs/* reads all below.'),
    maxPages: maxPages.describe('Read at most this many pages.'),
    effort: effort.describe('Without urls: 5, 15 or 40 pages.'),
    enableWebSearch: ofExtract.enableWebSearch.describe('With urls: also search the web.'),
    wait,
  }),
  variants: [
    { operation: extract, given: 'urls', adds: { showSources: true }, fields: { maxPages: 'limit' } },
    { operation: agent },
  ],
}

type Begun = { id: string; job?: JobResult | undefined } & Parameters<typeof notesOf>[0]

/** Shows the id of an extract or agent job that was started, or its result if the caller waited. */
function presentBegunJob(output: Begun, _input: object, offered: Offered): Presentation {
  const { id, job } = output
  const notes = notesOf(output)
  if (job) return { parts: [...notes.map((text) => ownWords(text)), ...presentState(job, id, offered).parts] }
  const next = offered.has('crawl_status') ? ` Call crawl_status with {"id":"${id}","wait":60} for its result.` : ''
  return { parts: [ownWords(`The job ${id} has started.${next}`, ...notes)] }
}

/** Shows the progress of a job and its result, which is marked because it contains text of pages. */
function presentState(job: JobResult, id: string, offered: Offered): Presentation {
  const { data, sources, evidence = [], conflicts = [] } = job
  const origin = Object.values(sources ?? {})[0]?.[0] ?? ''
  const page = (label: string, value: unknown): Part => ({
    kind: 'page',
    label,
    origin,
    text: JSON.stringify(value, null, 1),
  })
  return {
    parts: [
      head(job, id, offered),
      ...(data === undefined ? [] : [page('result', data)]),
      ...(sources === undefined ? [] : [page('sources', sources)]),
      ...(conflicts.length > 0 ? [page('contradictions', conflicts)] : []),
      ...(evidence.length > 0 ? [page('evidence', evidence)] : []),
    ],
  }
}

function head(job: JobResult, id: string, offered: Offered): Part {
  const { status, completed, total, creditsUsed, error, warning, notFound = [], llmMode, sources = {} } = job
  return ownWords(
    `Job ${id}: ${status} · ${completed} of ${counted(total, 'page')} · ${counted(creditsUsed, 'credit')}`,
    ...(error ? [`Error: ${error}`] : []),
    ...(warning ? [`Warning: ${warning}`] : []),
    ...(notFound.length > 0 ? [`Not found: ${notFound.join(', ')}.`] : []),
    ...(llmMode === 'builtin' && Object.keys(sources).length > 0
      ? ['These are passages of the pages: answer from them yourself, and name the sources.']
      : []),
    ...(status === 'processing' ? [stillRunning(offered)] : []),
  )
}
