import type { Ports } from '../../contracts/ports.ts'
import { failure } from '../../kernel/error.ts'
import { MapInput } from '../../schema/map.ts'
import { mapAllowed } from '../crawl/map/allowed.ts'
import type { MapPorts } from '../crawl/map/site.ts'
import type { ScrapePorts } from '../scrape/scrape.ts'
import { callOf } from '../workflow/call.ts'
import { stepEach } from '../workflow/each.ts'
import type { WorkflowDefinition, WorkflowRun } from '../workflow/run.ts'
import { type PageText, readPage } from './read-page.ts'
import type { LlmsTxtRequest } from './start.ts'
import { fullText, listOf } from './text.ts'

type GenerationPorts = MapPorts & ScrapePorts & Pick<Ports, 'account'>

/** Maps the site, reads its pages, each in a step of its own, and writes llms.txt. */
export function generation(ports: GenerationPorts): WorkflowDefinition {
  return {
    async run(workflow) {
      const request = workflow.request as LlmsTxtRequest
      const urls = await choosePages(ports, request, workflow)
      const read = await stepEach(ports, workflow, urls, {
        name: (url) => `page ${url}`,
        do: (url) => readPage(ports, url, request, workflow),
      })
      const pages = distinct(read.flatMap((page) => ('markdown' in page ? [page] : [])))
      if (pages.length === 0) throw failure('NO_PAGE_READ', { message: `None of ${urls.length} pages could be read.` })
      const left = urls.length - pages.length
      if (left > 0) workflow.warn(`${left} of ${urls.length} pages are left out: unreadable, or the same as another.`)
      const llmstxt = listOf(pages, request.url)
      return { data: { llmstxt, ...(request.showFullText && { llmsfulltxt: fullText(pages) }) } }
    },
  }
}

/** The pages at and below the start, as the site lists them. */
async function choosePages(
  ports: GenerationPorts,
  { url, maxUrls, cache }: LlmsTxtRequest,
  workflow: WorkflowRun,
): Promise<string[]> {
  const { urls, notes } = await workflow.step('map', async () => {
    const heard: string[] = []
    const input = MapInput.parse({ url, includeSubdomains: false, ignoreCache: !cache })
    const links = await mapAllowed(ports, input, callOf(ports.clock, workflow, heard))
    const folder = new URL('.', url).pathname
    const below = links.filter((link) => URL.parse(link.url)?.pathname.startsWith(folder))
    return { value: { urls: below.map((link) => link.url), notes: heard }, credits: 0 }
  })
  for (const note of notes) workflow.warn(note)
  if (urls.length > maxUrls)
    workflow.warn(`${urls.length} pages were found, of which ${maxUrls} were read; raise maxUrls for more.`)
  return urls.slice(0, maxUrls)
}

/** Addresses that lead to one page are one. */
const distinct = (pages: readonly PageText[]): PageText[] =>
  [...new Map(pages.toReversed().map((page) => [page.url, page])).values()].toReversed()
