import type { Ports } from '../../contracts/ports.ts'
import { isRecord } from '../../util/json.ts'
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
import { fieldsOf, mergePages, missingFrom } from './merge.ts'
import type { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { isOneSite } from '../crawl/runner/crawl-job.ts'
import { withoutSecrets } from '../net/http/request-headers.ts'
import { scrapeRequest } from '../scrape/scrape-request.ts'
import { rethrowPause } from '../store/store.ts'
import { completed } from '../model/page/complete.ts'
import { MapInput, type MapLink } from '../../schema/crawl-schema.ts'
import { SearchInput } from '../../schema/search-schema.ts'
import { mapAllowed, onlyAllowed } from '../crawl/map/map-site.ts'
import { rankByQuery } from '../crawl/map/rank-links.ts'
import type { MapCall, MapPorts } from '../crawl/map/site.ts'
import { canonicalResult } from '../search/query/merge-and-filter.ts'
import { search, type SearchPorts } from '../search/search.ts'

type ChoosePorts = MapPorts & SearchPorts
/** Pages of a map or search, best first, and notes for the caller. */
type PageList = { urls: string[]; notes: string[]; credits?: number }

const wildcard = /\/\*+$/
const maxMapped = 5000
const maxResults = 10

/** Returns the pages to read: the given ones first, then those of the wildcards and of the search, alternately. */
async function choosePages(
  ports: ChoosePorts,
  request: ExtractRequest,
  workflow: WorkflowRun,
): Promise<{ urls: string[]; credits: number }> {
  const { urls, limit, enableWebSearch } = request
  const lists = await Promise.all([
    ...urls
      .filter((url) => wildcard.test(url))
      .map((url) => workflow.step(`map ${url}`, () => pagesBelow(ports, url, request, workflow))),
    ...(enableWebSearch || urls.length === 0
      ? [workflow.step('search', () => pagesBySearch(ports, request, workflow))]
      : []),
  ])
  for (const note of lists.flatMap(({ notes }) => notes)) workflow.warn(note)
  const longest = Math.max(0, ...lists.map((each) => each.urls.length))
  const inTurn = Array.from({ length: longest }, (_, rank) => lists.flatMap((each) => each.urls.slice(rank, rank + 1)))
  const all = distinct([...urls.filter((url) => !wildcard.test(url)), ...inTurn.flat()])
  if (all.length > limit)
    workflow.warn(`${all.length} pages were found, of which ${limit} were read; raise limit for more.`)
  return { urls: all.slice(0, limit), credits: lists.reduce((sum, { credits = 0 }) => sum + credits, 0) }
}

const distinct = (urls: readonly string[]): string[] =>
  [...new Map(urls.toReversed().map((url) => [canonicalResult(url), url])).values()].toReversed()

/** Returns the pages below a path that robots.txt allows; pages whose URL or title matches the request come first. */
async function pagesBelow(
  ports: ChoosePorts,
  url: string,
  { prompt, schema, includeSubdomains, page }: ExtractRequest,
  caller: WorkflowCaller,
): Promise<{ value: PageList; credits: number }> {
  const start = url.replace(wildcard, '/')
  const notes: string[] = []
  const { headers, location } = page
  const input = MapInput.parse({ url: start, includeSubdomains, limit: maxMapped, headers, location })
  try {
    const links = await mapFromFolder(ports, input, callOf(ports.clock, caller, notes))
    const prefix = new URL(start).pathname
    const below = links.filter((link) => URL.parse(link.url)?.pathname.startsWith(prefix))
    const fitting = await rankByQuery(below, prompt ?? fieldsOf(schema).join(' '))
    const ranked = [...new Set([...fitting, ...below])].map((link) => link.url)
    return { value: { urls: ranked, notes }, credits: 0 }
  } catch (thrown) {
    rethrowPause(thrown, caller)
    return { value: { urls: [], notes: [noteOf(thrown)] }, credits: 0 }
  }
}

/** Maps a folder. If it is not a page, maps from the home page, which may link to pages below the folder. */
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
  caller: WorkflowCaller,
): Promise<{ value: PageList; credits: number }> {
  const notes: string[] = []
  const query = prompt.slice(0, 500)
  const input = SearchInput.parse({ query, limit: Math.min(limit, maxResults), ignoreInvalidURLs: true })
  const call = callOf(ports.clock, caller, notes)
  try {
    const { data, warning, creditsUsed } = await search(ports, input, call)
    if (warning !== null) notes.push(warning)
    const hits = await onlyAllowed(ports, data.web ?? [], call)
    return { value: { urls: hits.map((hit) => hit.url), notes, credits: creditsUsed }, credits: 0 }
  } catch (thrown) {
    rethrowPause(thrown, caller)
    // Without any other page to read, the search error is the error of the extraction.
    if (urls.length === 0) throw thrown
    return { value: { urls: [], notes: [noteOf(thrown)] }, credits: 0 }
  }
}

/** Returns the note for an expected error; rethrows any other. */
function noteOf(thrown: unknown): string {
  if (thrown instanceof AppError) return `${thrown.code}: ${thrown.message}`
  throw thrown
}

/** Stored result of one page. */
type PageData = { url: string } & (
  | { json: unknown; madeBy: 'model' | 'built-in' }
  /** `trouble`: an error code, `bot check` or a status. `owed`: credits to charge if another page returned data. */
  | { trouble: string; owed: number }
)

/**
 * Reads one page like a scrape with the format json, at the same price. Rejects only if the workflow ends or pauses.
 */
export async function readPage(
  ports: ScrapePorts,
  url: string,
  request: ExtractRequest,
  caller: WorkflowCaller,
): Promise<{ value: PageData; credits: number }> {
  try {
    const { document, page } = await scrape(ports, scrapeRequest(pageInput(url, request), callOf(ports.clock, caller)))
    const { creditsUsed: credits, llmMode } = document.metadata
    const { status } = page.response
    if (page.challenge) return { value: { url, trouble: 'bot check', owed: credits }, credits: 0 }
    if (status >= 400) return { value: { url, trouble: `status ${status}`, owed: credits }, credits: 0 }
    return { value: { url, json: document.json, madeBy: llmMode === 'model' ? 'model' : 'built-in' }, credits }
  } catch (thrown) {
    rethrowPause(thrown, caller)
    return { value: { url, trouble: toAppError(thrown).code, owed: 0 }, credits: 0 }
  }
}

/** Sends cookies and keys only to sites named by the caller, because a search may find any other. */
function pageInput(url: string, { urls, page, schema, prompt, systemPrompt }: ExtractRequest): ScrapeInput {
  const isNamed = urls.some((named) => isOneSite(named, url))
  const headers = !isNamed && page.headers ? { headers: withoutSecrets(page.headers) } : {}
  const profile = isNamed && page.profile ? { ...page.profile, saveChanges: false } : undefined
  const instructions = [systemPrompt, prompt].filter((text) => text !== undefined).join('\n\n')
  const json = {
    type: 'json' as const,
    ...(schema && { schema }),
    ...(instructions !== '' && { prompt: instructions }),
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

/** Selects the pages, reads each in a separate step, and merges the results. */
export function extraction(ports: ScrapePorts & ChoosePorts & Pick<Ports, 'account'>): WorkflowDefinition {
  return {
    async run(workflow) {
      const request = workflow.request as ExtractRequest
      const { urls, credits } = await choosePages(ports, request, workflow)
      const pages = await stepEach(ports, workflow, urls, {
        name: (url) => `page ${url}`,
        do: (url) => readPage(ports, url, request, workflow),
      })
      const result = resultOf(pages, request, workflow)
      // Charged last, so an extraction without a result is free, including its search and its pages.
      const owed = pages.reduce((sum, page) => sum + ('owed' in page ? page.owed : 0), credits)
      if (owed > 0) await workflow.step('owed', async () => ({ value: null, credits: owed }))
      return result
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
  const builtIn = read.filter(({ madeBy }) => madeBy === 'built-in').length
  if (builtIn > 0)
    warn(`${builtIn} of ${read.length} pages were read by the built-in method, without a language model.`)
  const { data, sources, disputed } = mergePages(read.map(({ url, json }) => ({ url, json: onlyNamed(json, schema) })))
  for (const note of notesOn(schema, data, disputed)) warn(note)
  return { data: completed(data ?? {}, schema).value, ...(showSources && { sources }) }
}

/** Removes fields that the schema does not name, unless it allows additional properties. */
export function onlyNamed(json: unknown, schema: unknown): unknown {
  if (!isRecord(schema)) return json
  const { properties, items, additionalProperties } = schema
  if (Array.isArray(json)) return json.map((each) => onlyNamed(each, items))
  if (!isRecord(json) || !isRecord(properties)) return json
  const kept = Object.entries(json).filter(([name]) => additionalProperties || Object.hasOwn(properties, name))
  return Object.fromEntries(kept.map(([name, each]) => [name, onlyNamed(each, properties[name])]))
}

/** Lists error codes and statuses, each with the number of pages. */
function troubleOf(pages: readonly PageData[]): string {
  const reasons = Map.groupBy(
    pages.flatMap((page) => ('trouble' in page ? [page.trouble] : [])),
    (reason) => reason,
  )
  const listed = [...reasons].map(([reason, { length }]) => (length > 1 ? `${reason} ×${length}` : reason))
  return listed.length > 0 ? ` (${listed.join(', ')})` : ''
}

const maxListed = 12

/** Names fields only if the caller's schema defines them; otherwise their names may be page text. */
function notesOn(schema: object | undefined, data: unknown, disputed: readonly string[]): string[] {
  if (!schema) return []
  const fields = fieldsOf(schema)
  const known = disputed.filter((path) => fields.includes(path))
  const missing = missingFrom(data, fields)
  return [
    ...(known.length > 0 ? [`The pages disagree on ${listOf(known)}; the value that most sites give was used.`] : []),
    ...(missing.length > 0 ? [`Not found on any page: ${listOf(missing)}.`] : []),
  ]
}

function listOf(paths: readonly string[]): string {
  const more = paths.length > maxListed ? ` and ${paths.length - maxListed} more` : ''
  return `${paths.slice(0, maxListed).join(', ')}${more}`
}
