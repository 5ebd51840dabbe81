import { toAppError } from '../../kernel/error.ts'
import type { ScrapeInput } from '../../schema/scrape/options.ts'
import { isOneSite } from '../crawl/runner/job.ts'
import { withoutSecrets } from '../net/http/request-headers.ts'
import { scrapeRequest } from '../scrape/request.ts'
import { scrape, type ScrapePorts } from '../scrape/scrape.ts'
import { rethrowPause } from '../store/outage.ts'
import { callOf, type WorkflowCaller } from '../workflow/call.ts'
import { withoutRequired } from '../understand/json/by-model.ts'
import type { ExtractRequest } from './start.ts'

/** What one page gave, as it is written down. */
export type PageData = { url: string } & (
  | { json: unknown; madeBy: 'model' | 'built-in' }
  /** Why it gave nothing: an error code, or what came in place of the page. */
  | { trouble: string }
)

/** Reads one page as a scrape with the format json would, and costs the same. Rejects only when the workflow ends or pauses. */
export async function readPage(
  ports: ScrapePorts,
  url: string,
  request: ExtractRequest,
  caller: WorkflowCaller,
): Promise<{ value: PageData; credits: number }> {
  try {
    const asked = scrapeRequest(pageInput(url, request), callOf(ports.clock, caller))
    const { document, page: came } = await scrape(ports, asked)
    const { creditsUsed: credits, llmMode } = document.metadata
    const { status } = came.response
    if (came.challenge) return { value: { url, trouble: 'bot check' }, credits }
    if (status >= 400) return { value: { url, trouble: `status ${status}` }, credits }
    return { value: { url, json: document.json, madeBy: llmMode === 'model' ? 'model' : 'built-in' }, credits }
  } catch (thrown) {
    rethrowPause(thrown, caller)
    return { value: { url, trouble: toAppError(thrown).code }, credits: 0 }
  }
}

/** Cookies and keys are for the sites that the caller named; a search may lead to any other. */
function pageInput(url: string, { urls, page, schema, prompt, systemPrompt }: ExtractRequest): ScrapeInput {
  const isNamed = urls.some((named) => isOneSite(named, url))
  const headers = !isNamed && page.headers ? { headers: withoutSecrets(page.headers) } : {}
  const profile = isNamed && page.profile ? { ...page.profile, saveChanges: false } : undefined
  const asked = [systemPrompt, prompt].filter((text) => text !== undefined).join('\n\n')
  const json = {
    type: 'json' as const,
    // One page of many need not say everything.
    ...(schema && { schema: withoutRequired(schema) }),
    ...(asked !== '' && { prompt: asked }),
  }
  return {
    ...page,
    ...headers,
    url,
    profile,
    formats: [json],
    zeroDataRetention: false,
    origin: undefined,
    integration: undefined,
  }
}
