import type { Ports } from '../../contracts/ports.ts'
import { type ScrapePorts, scrape } from '../scrape/scrape.ts'
import {
  stepEach,
  callOf,
  type WorkflowCaller,
  type WorkflowDefinition,
  type WorkflowRun,
} from '../workflow/run-workflow.ts'
import { failure, toAppError, AppError } from '../../kernel/error.ts'
import { endEvents, type ExtractRequest } from './start-extract.ts'
import { fieldsOf, missingFrom, onlyNamed, mergePages } from './merge.ts'
import type { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { isOneSite } from '../crawl/runner/crawl-job.ts'
import { withoutSecrets } from '../net/http/request-headers.ts'
import { scrapeRequest } from '../scrape/scrape-request.ts'
import { rethrowPause } from '../store/store.ts'
import { withoutRequired } from '../understand/json/json-by-model.ts'
import { MapInput, type MapLink } from '../../schema/crawl-schema.ts'
import { SearchInput } from '../../schema/search-schema.ts'
import { mapAllowed, onlyAllowed } from '../crawl/map/map-site.ts'
import { rankByQuery } from '../crawl/map/rank-links.ts'
import type { MapCall, MapPorts } from '../crawl/map/site.ts'
import { canonicalResult } from '../search/query/merge-and-filter.ts'
import { search, type SearchPorts } from '../search/search.ts'

type ChoosePorts = MapPorts & SearchPorts
/** Pages that were found, best first, and what the caller is to know of that. */
type Found = { urls: string[]; notes: string[] }

const wildcard = /\/\*+$/
const maxMapped = 5000
const maxResults = 10

/** The pages that an extraction reads: those given first, then those of each wildcard and of the search in turn. */
async function choosePages(ports: ChoosePorts, request: ExtractRequest, workflow: WorkflowRun): Promise<string[]> {
  const { urls, limit, enableWebSearch } = request
  const found = await Promise.all([
    ...urls
      .filter((url) => wildcard.test(url))
      .map((url) => workflow.step(`map ${url}`, () => pagesBelow(ports, url, request, workflow))),
    ...(enableWebSearch || urls.length === 0
      ? [workflow.step('search', () => pagesBySearch(ports, request, workflow))]
      : []),
  ])
  for (const note of found.flatMap(({ notes }) => notes)) workflow.warn(note)
  const longest = Math.max(0, ...found.map((each) => each.urls.length))
  const inTurn = Array.from({ length: longest }, (_, rank) => found.flatMap((each) => each.urls.slice(rank, rank + 1)))
  const all = distinct([...urls.filter((url) => !wildcard.test(url)), ...inTurn.flat()])
  if (all.length > limit)
    workflow.warn(`${all.length} pages were found, of which ${limit} were read; raise limit for more.`)
  return all.slice(0, limit)
}

const distinct = (urls: readonly string[]): string[] =>
  [...new Map(urls.toReversed().map((url) => [canonicalResult(url), url])).values()].toReversed()

/** The pages below a path, those first whose addresses and titles say what is looked for, without those that robots.txt forbids. */
async function pagesBelow(
  ports: ChoosePorts,
  url: string,
  { prompt, schema, includeSubdomains, page }: ExtractRequest,
  reader: WorkflowCaller,
): Promise<{ value: Found; credits: number }> {
  const start = url.replace(wildcard, '/')
  const notes: string[] = []
  const input = MapInput.parse({
    url: start,
    includeSubdomains,
    limit: maxMapped,
    headers: page.headers,
    location: page.location,
  })
  try {
    const links = await mapFromFolder(ports, input, callOf(ports.clock, reader, notes))
    const prefix = new URL(start).pathname
    const below = links.filter((link) => URL.parse(link.url)?.pathname.startsWith(prefix))
    const fitting = await rankByQuery(below, prompt ?? fieldsOf(schema).join(' '))
    const ranked = [...new Set([...fitting, ...below])].map((link) => link.url)
    return { value: { urls: ranked, notes }, credits: 0 }
  } catch (thrown) {
    rethrowPause(thrown, reader)
    return { value: { urls: [], notes: [noteOf(thrown)] }, credits: 0 }
  }
}

/** A folder that is no page itself may still hold pages to which the home page leads. */
async function mapFromFolder(ports: ChoosePorts, input: MapInput, call: MapCall): Promise<MapLink[]> {
  const home = new URL('/', input.url).href
  try {
    return await mapAllowed(ports, input, call)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'MAP_FAILED' || input.url === home) throw thrown
    return mapAllowed(ports, { ...input, url: home }, { ...call, startedAt: ports.clock.now() })
  }
}

async function pagesBySearch(
  ports: ChoosePorts,
  { prompt = '', urls, limit }: ExtractRequest,
  reader: WorkflowCaller,
): Promise<{ value: Found; credits: number }> {
  const notes: string[] = []
  const query = prompt.slice(0, 500)
  const input = SearchInput.parse({ query, limit: Math.min(limit, maxResults), ignoreInvalidURLs: true })
  const call = callOf(ports.clock, reader, notes)
  try {
    const { data, warning, creditsUsed } = await search(ports, input, call)
    if (warning !== null) notes.push(warning)
    const hits = await onlyAllowed(ports, data.web ?? [], call)
    return { value: { urls: hits.map((hit) => hit.url), notes }, credits: creditsUsed }
  } catch (thrown) {
    rethrowPause(thrown, reader)
    // Without any page to read, that the search failed is why the extraction does.
    if (urls.length === 0) throw thrown
    return { value: { urls: [], notes: [noteOf(thrown)] }, credits: 0 }
  }
}

/** Fails with what nobody foresaw. */
function noteOf(thrown: unknown): string {
  if (thrown instanceof AppError) return `${thrown.code}: ${thrown.message}`
  throw thrown
}

/** What one page gave, as it is written down. */
type PageData = { url: string } & (
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

/** Chooses the pages, reads each in a step of its own, and merges what they say. */
export function extraction(ports: ScrapePorts & ChoosePorts & Pick<Ports, 'account'>): WorkflowDefinition {
  return {
    async run(workflow) {
      const request = workflow.request as ExtractRequest
      const urls = await choosePages(ports, request, workflow)
      const pages = await stepEach(ports, workflow, urls, {
        name: (url) => `page ${url}`,
        do: (url) => readPage(ports, url, request, workflow),
      })
      return resultOf(pages, request, workflow)
    },
    events: (workflow, end) => endEvents(workflow, end, ports.clock.now()),
  }
}

function resultOf(pages: readonly PageData[], { schema, showSources }: ExtractRequest, { warn }: WorkflowRun): object {
  const read = pages.flatMap((page) => ('json' in page ? [page] : []))
  const trouble = troubleOf(pages)
  if (read.length === 0) throw failure('NO_PAGE_READ', { message: `No page could be read${trouble}.` })
  if (read.length < pages.length)
    warn(`${pages.length - read.length} of ${pages.length} pages could not be read${trouble}.`)
  const byHand = read.filter(({ madeBy }) => madeBy === 'built-in').length
  if (byHand > 0) warn(`${byHand} of ${read.length} pages were read by the built-in method, without a language model.`)
  const { data, sources, disputed } = mergePages(read.map(({ url, json }) => ({ url, json: onlyNamed(json, schema) })))
  for (const note of notesOn(schema, data, disputed)) warn(note)
  return { data: data ?? {}, ...(showSources && { sources }) }
}

/** Error codes and states, each with the number of pages. */
function troubleOf(pages: readonly PageData[]): string {
  const reasons = Map.groupBy(
    pages.flatMap((page) => ('trouble' in page ? [page.trouble] : [])),
    (reason) => reason,
  )
  const listed = [...reasons].map(([reason, { length }]) => (length > 1 ? `${reason} ×${length}` : reason))
  return listed.length > 0 ? ` (${listed.join(', ')})` : ''
}

const maxListed = 12

/** Names of fields are the caller's where there is a schema; otherwise they may be words of a page. */
function notesOn(schema: object | undefined, data: unknown, disputed: readonly string[]): string[] {
  if (!schema) return []
  const fields = fieldsOf(schema)
  const known = disputed.filter((path) => fields.includes(path))
  const missing = missingFrom(data, fields)
  return [
    ...(known.length > 0 ? [`The pages disagree on ${listOf(known)}; what most sites say was taken.`] : []),
    ...(missing.length > 0 ? [`Not found on any page: ${listOf(missing)}.`] : []),
  ]
}

function listOf(paths: readonly string[]): string {
  const more = paths.length > maxListed ? ` and ${paths.length - maxListed} more` : ''
  return `${paths.slice(0, maxListed).join(', ')}${more}`
}
