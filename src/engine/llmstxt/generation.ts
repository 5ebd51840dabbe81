import type { Ports } from '../../contracts/ports.ts'
import { failure, toAppError } from '../../kernel/error.ts'
import { MapInput } from '../../schema/crawl-schema.ts'
import { mapAllowed } from '../crawl/map/map-site.ts'
import type { MapPorts } from '../crawl/map/site.ts'
import type { LlmsTxtRequest } from '../extract/start-extract.ts'
import { type ScrapePorts, scrape } from '../scrape/scrape.ts'
import {
  callOf,
  type WorkflowCaller,
  stepEach,
  type WorkflowDefinition,
  type WorkflowRun,
} from '../workflow/run-workflow.ts'
import { canonicalResult } from '../search/query/merge-and-filter.ts'
import { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { sentencesOf } from '../../util/plain-markdown.ts'
import { understand } from '../scrape/formats/format-maker.ts'
import { modelFor, scrapeRequest } from '../scrape/scrape-request.ts'
import { summaryByModel } from '../model/page/ask-model.ts'
import { summaryOf } from '../understand/page-summary.ts'
import { rethrowPause } from '../store/store.ts'
import { percentDecoded } from '../../util/words.ts'

type PageText = { url: string; title: string; description: string; markdown: string }

/**
 * Reads one page like a scrape, at the same price, and describes it if it has no description. Rejects only if the
 * workflow ends or pauses.
 */
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
    const { creditsUsed: credits, title = '', description = '', url: finalUrl } = document.metadata
    const { markdown = '' } = document
    const { status } = page.response
    if (page.challenge || status >= 400) return { value: { trouble: `status ${status}` }, credits }
    const model = modelFor(ports, { ...call, timeoutMs: input.timeout, isZeroRetention: false })
    const about = description.trim() || (await describe(model, markdown, title))
    return { value: { url: finalUrl, title: title.trim(), description: about, markdown }, credits }
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
      byModel: (pageModel) => summaryByModel(pageModel, markdown),
      builtIn: () => summaryOf(markdown, { title }),
    },
  )
  return firstSentence(value)
}

const firstSentence = (text: string) => sentencesOf(text)[0]?.trim() ?? ''

/** Returns the first sentence about the topic of the page. */
const ownWords = ({ markdown, title }: PageText): string => firstSentence(summaryOf(markdown, { title }))

/** Writes llms.txt (llmstxt.org): title and description of the site, and its pages by the first part of their path. */
function listOf(pages: readonly PageText[], startUrl: string): string {
  const home = pages.find(({ url }) => canonicalResult(url) === canonicalResult(startUrl)) ?? pages[0]
  if (!home) return ''
  const suffix = commonSuffix(pages.map(({ title }) => title))
  const descriptions = Map.groupBy(pages, ({ description }) => description)
  const lineOf = (page: PageText): string => {
    // A description shared by several pages describes the site.
    const isShared = page !== home && (descriptions.get(page.description)?.length ?? 0) > 1
    const description = shortened(isShared ? ownWords(page) : page.description)
    const title = inLink(page.title.endsWith(suffix) ? page.title.slice(0, -suffix.length || undefined) : page.title)
    return `- [${title || inLink(new URL(page.url).pathname)}](${address(page.url)})${description && `: ${description}`}`
  }
  const head = [
    `# ${oneLine(home.title) || new URL(home.url).host}`,
    ...(home.description ? [`> ${shortened(home.description)}`] : []),
  ]
  const sections = [...sectionsOf(pages, startUrl)].map(
    ([name, group]) => `## ${name}\n\n${group.map(lineOf).join('\n')}`,
  )
  return `${[...head, ...sections].join('\n\n')}\n`
}

/** Writes llms-full.txt: the text of each page below its title and URL. */
const fullText = (pages: readonly PageText[]): string =>
  `${pages.map(({ url, title, markdown }) => `Title: ${oneLine(title)}\nURL: ${url}\n\n${markdown.trim()}`).join('\n\n---\n\n')}\n`

const others = 'Pages'

/** Groups pages by folder; a folder with one page does not become a section. */
function sectionsOf(pages: readonly PageText[], startUrl: string): Map<string, PageText[]> {
  const depth = new URL('.', startUrl).pathname.split('/').length - 1
  const folders = Map.groupBy(pages, ({ url }) => folderOf(url, depth))
  const sections = Map.groupBy(pages, ({ url }) => {
    const folder = folderOf(url, depth)
    return folder !== '' && (folders.get(folder)?.length ?? 0) > 1 ? folder : others
  })
  const loose = sections.get(others)
  sections.delete(others)
  return new Map([...(loose ? [[others, loose] as const] : []), ...sections])
}

/** Returns the first part of the path below the start as a heading; empty for a page directly below it. */
function folderOf(url: string, depth: number): string {
  const parts = new URL(url).pathname.split('/').slice(depth)
  const name = parts.length > 1 ? oneLine(percentDecoded(parts[0] ?? '').replace(/[-_]+/g, ' ')) : ''
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Number of characters at the end of a title that may contain the site name. */
const maxSuffix = 200

/** Returns the ending of most titles, such as ` | Acme`; empty without a common one. */
function commonSuffix(titles: readonly string[]): string {
  const suffixes = Map.groupBy(titles, (title) => /\s[|–—·•-]\s[^|–—·•]+$/u.exec(title.slice(-maxSuffix))?.[0] ?? '')
  suffixes.delete('')
  const [best] = [...suffixes].toSorted(([, one], [, other]) => other.length - one.length)
  return best && best[1].length > 1 && best[1].length > titles.length / 2 ? best[0] : ''
}

const maxLine = 300

function shortened(text: string): string {
  const line = oneLine(text)
  return line.length > maxLine ? `${line.slice(0, maxLine - 1).trimEnd()}…` : line
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const inLink = (text: string) => oneLine(text).replace(/[[\]]/g, (bracket) => `\\${bracket}`)
const address = (url: string) => url.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))

type GenerationPorts = MapPorts & ScrapePorts & Pick<Ports, 'account'>

/** Maps the site, reads each page in a separate step, and writes llms.txt. */
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

/** Returns the pages at and below the start URL, in the order in which the site lists them. */
async function choosePages(
  ports: GenerationPorts,
  { url, maxUrls, cache }: LlmsTxtRequest,
  workflow: WorkflowRun,
): Promise<string[]> {
  const { urls, notes } = await workflow.step('map', async () => {
    const warnings: string[] = []
    const input = MapInput.parse({ url, includeSubdomains: false, ignoreCache: !cache })
    const links = await mapAllowed(ports, input, callOf(ports.clock, workflow, warnings))
    const folder = new URL('.', url).pathname
    const below = links.filter((link) => URL.parse(link.url)?.pathname.startsWith(folder))
    return { value: { urls: below.map((link) => link.url), notes: warnings }, credits: 0 }
  })
  for (const note of notes) workflow.warn(note)
  if (urls.length > maxUrls)
    workflow.warn(`${urls.length} pages were found, of which ${maxUrls} were read; raise maxUrls for more.`)
  return urls.slice(0, maxUrls)
}

/** Removes duplicates, because several URLs may lead to one page. */
const distinct = (pages: readonly PageText[]): PageText[] =>
  [...new Map(pages.toReversed().map((page) => [page.url, page])).values()].toReversed()
