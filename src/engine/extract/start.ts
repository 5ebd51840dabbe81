import type { Ctx } from '../../kernel/ctx.ts'
import type { ExtractInput } from '../../schema/workflow-schemas.ts'
import { checkUrls } from '../crawl/given-urls.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { startedEvent } from './events.ts'
import { refuseZeroRetention, startWorkflow } from '../workflow/job.ts'

/** What an extraction keeps of its input: all that is needed to go on with it in another process. */
export type ExtractRequest = Pick<
  ExtractInput,
  'prompt' | 'schema' | 'systemPrompt' | 'enableWebSearch' | 'includeSubdomains' | 'limit' | 'showSources'
> & { urls: string[]; page: ExtractInput['scrapeOptions']; webhook: ExtractInput['webhook'] }

/** Stores an extraction; nothing is fetched before it answers. Fails with BAD_REQUEST where no URL is valid. */
export async function startExtract(
  input: ExtractInput,
  ctx: Ctx,
): Promise<{ id: string; url: string; invalidURLs?: string[] }> {
  refuseZeroRetention(input)
  const { prompt, schema, systemPrompt, enableWebSearch, includeSubdomains, limit, showSources, scrapeOptions } = input
  const { urls = [] } = input
  const { valid, invalidURLs } = urls.length > 0 ? await checkUrls(urls, input) : { valid: [], invalidURLs: [] }
  const options = { prompt, schema, systemPrompt, enableWebSearch, includeSubdomains, limit, showSources }
  const request: ExtractRequest = { ...options, urls: [...new Set(valid)], page: scrapeOptions, webhook: input.webhook }
  const { id } = await startWorkflow({ kind: 'extract', target: targetOf(input), request }, ctx, startedEvent)
  return { id, url: `${ctx.baseUrl}/v2/extract/${id}`, ...(invalidURLs.length > 0 && { invalidURLs }) }
}

/** What activity shows of it. */
export function targetOf({ urls: [first] = [], prompt }: Pick<ExtractInput, 'urls' | 'prompt'>): string | null {
  return first === undefined ? (prompt ?? null) : withoutCredentials(first)
}
