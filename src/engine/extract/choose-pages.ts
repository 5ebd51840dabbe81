import { AppError } from '../../kernel/error.ts'
import { MapInput, type MapLink } from '../../schema/map.ts'
import { SearchInput } from '../../schema/search.ts'
import { mapAllowed, onlyAllowed } from '../crawl/map/allowed.ts'
import { rankByQuery } from '../crawl/map/rank.ts'
import type { MapCall, MapPorts } from '../crawl/map/site.ts'
import { canonicalResult } from '../search/query/fuse.ts'
import { search, type SearchPorts } from '../search/search.ts'
import { rethrowPause } from '../store/outage.ts'
import { callOf, type WorkflowCaller } from '../workflow/call.ts'
import type { WorkflowRun } from '../workflow/run.ts'
import { fieldsOf } from './fields.ts'
import type { ExtractRequest } from './start.ts'

export type ChoosePorts = MapPorts & SearchPorts
/** Pages that were found, best first, and what the caller is to know of that. */
type Found = { urls: string[]; notes: string[] }

const wildcard = /\/\*+$/
const maxMapped = 5000
const maxResults = 10

/** The pages that an extraction reads: those given first, then those of each wildcard and of the search in turn. */
export async function choosePages(
  ports: ChoosePorts,
  request: ExtractRequest,
  workflow: WorkflowRun,
): Promise<string[]> {
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
