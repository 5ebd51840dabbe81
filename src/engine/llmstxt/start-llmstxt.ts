import type { Ctx } from '../../kernel/ctx.ts'
import type { LlmsTxtInput } from '../../schema/workflow-schemas.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { refuseZeroRetention, startWorkflow } from '../workflow/workflow-job.ts'

/** What such a job keeps of its input: all that is needed to go on with it in another process. */
export type LlmsTxtRequest = Pick<LlmsTxtInput, 'url' | 'maxUrls' | 'showFullText' | 'cache'>

/** Stores the job; nothing is fetched before it answers. */
export async function startLlmsTxt(input: LlmsTxtInput, ctx: Ctx): Promise<{ id: string; url: string }> {
  refuseZeroRetention(input)
  const { url, maxUrls, showFullText, cache } = input
  const request: LlmsTxtRequest = { url, maxUrls, showFullText, cache }
  const { id } = await startWorkflow({ kind: 'llmstxt', target: withoutCredentials(url), request }, ctx)
  return { id, url: `${ctx.baseUrl}/v2/llmstxt/${id}` }
}
