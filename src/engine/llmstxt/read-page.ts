import { toAppError } from '../../kernel/error.ts'
import { ScrapeInput } from '../../schema/scrape/options.ts'
import { sentencesOf } from '../../util/plain-markdown.ts'
import { understand } from '../scrape/formats/understand.ts'
import { modelFor } from '../scrape/page-model.ts'
import { scrapeRequest } from '../scrape/request.ts'
import { scrape, type ScrapePorts } from '../scrape/scrape.ts'
import { summaryByModel } from '../understand/ask-model.ts'
import { summaryOf } from '../understand/summary.ts'
import { rethrowPause } from '../store/outage.ts'
import { callOf, type WorkflowCaller } from '../workflow/call.ts'
import type { LlmsTxtRequest } from './start.ts'

export type PageText = { url: string; title: string; description: string; markdown: string }

/** Reads one page as a scrape would, and costs the same. A page without a description gets one. Rejects only when the workflow ends or pauses. */
export async function readPage(
  ports: ScrapePorts,
  url: string,
  { cache }: LlmsTxtRequest,
  caller: WorkflowCaller,
): Promise<{ value: PageText | { trouble: string }; credits: number }> {
  const call = callOf(ports.clock, caller)
  const input = ScrapeInput.parse({ url, ...(!cache && { maxAge: 0 }) })
  try {
    const { document, page } = await scrape(ports, scrapeRequest(input, call))
    const { creditsUsed: credits, title = '', description = '', url: cameFrom } = document.metadata
    const { markdown = '' } = document
    const { status } = page.response
    if (page.challenge || status >= 400) return { value: { trouble: `status ${status}` }, credits }
    const model = modelFor(ports, { ...call, timeoutMs: input.timeout, keepsNothing: false })
    const own = description.trim() || (await describe(model, markdown, title))
    return { value: { url: cameFrom, title: title.trim(), description: own, markdown }, credits }
  } catch (thrown) {
    rethrowPause(thrown, caller)
    return { value: { trouble: toAppError(thrown).code }, credits: 0 }
  }
}

async function describe(model: ReturnType<typeof modelFor>, markdown: string, title: string): Promise<string> {
  if (markdown.trim() === '') return ''
  const { value } = await understand(
    { model },
    {
      what: 'description',
      byModel: (asked) => summaryByModel(asked, markdown),
      builtIn: () => summaryOf(markdown, { title }),
    },
  )
  return firstSentence(value)
}

const firstSentence = (text: string) => sentencesOf(text)[0]?.trim() ?? ''

/** What the page says first of what it is about. */
export const ownWords = ({ markdown, title }: PageText): string => firstSentence(summaryOf(markdown, { title }))
