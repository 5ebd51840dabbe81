import type { Ctx } from '../../kernel/ctx.ts'
import type { LlmsTxtInput } from '../../schema/workflow-schemas.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { refuseZeroRetention, startWorkflow } from '../workflow/workflow-job.ts'

/** Stored part of the input: everything that another process needs to resume the job. */
export type LlmsTxtRequest = Pick<LlmsTxtInput, 'url' | 'maxUrls' | 'showFullText' | 'cache'>

/** Stores the job; returns before anything is fetched. */
export async function startLlmsTxt(input: LlmsTxtInput, ctx: Ctx): Promise<{ id: string; url: string }> {
  refuseZeroRetention(input)
  const { url, maxUrls, showFullText, cache } = input
  const request: LlmsTxtRequest = { url, maxUrls, showFullText, cache }
  const { id } = await startWorkflow({ kind: 'llmstxt', target: withoutCredentials(url), request }, ctx)
  return { id, url: `${ctx.baseUrl}/v2/llmstxt/${id}` }
}
