import type { PageResponse, ProxyKind } from '../../contracts/fetch.ts'
import type { Ports } from '../../contracts/ports.ts'
import { fail } from '../../kernel/error.ts'
import type { BotChallenge } from '../net/http/bot-challenge.ts'
import { type ContentRequest, readPage } from './read-content.ts'
import { loadPage, type LoadPorts } from './load/load.ts'
import type { LoadedPage } from './load/visit-outcome.ts'
import type { Plan } from './plan.ts'
import type { PageRequest } from './scrape-request.ts'
import type { PageContent, PagePart } from '../../contracts/page-content.ts'
import type { CacheFinding, StepReporter } from '../../contracts/scrape-step.ts'
import type { CachedPage } from '../../contracts/stored-pages.ts'

export type PagePorts = LoadPorts & Pick<Ports, 'pages' | 'index' | 'clock'>

/** A page with all requested content, from its site or the cache. */
export type ScrapedPage = {
  response: Omit<PageResponse, 'body'>
  body(): Uint8Array
  content: PageContent
  proxyUsed: ProxyKind
  /** Bot challenge received instead of the page. */
  challenge: BotChallenge | undefined
  /** Undefined if the cache was neither read nor written. */
  cacheState?: 'hit' | 'miss'
  /** Fetch time of the page, ms since the epoch; the cache stores the same time. */
  fetchedAt: number
  /** Fetch time of the cached copy, ms since the epoch; undefined for a fresh page. */
  cachedAt: number | undefined
}

/**
 * Returns the page from the cache, with the parts created earlier, otherwise from its site, and then caches it. Fails
 * with the error code of the plan if it is not cached and may not be fetched.
 */
export async function getPage(ports: PagePorts, request: PageRequest): Promise<ScrapedPage> {
  const cached = await findCached(ports, request.plan, request.reportStep)
  if (cached) return fromCache(ports, cached, request)
  const loaded = await loadPage(ports, request)
  request.signal.throwIfAborted()
  const fetchedAt = ports.clock.now()
  const isStored = store(ports, loaded, fetchedAt, request)
  request.reportStep?.({ step: 'page', from: loaded.by, proxy: loaded.proxyUsed, isKept: isStored })
  const cacheState = isStored || request.plan.acceptedAge ? ({ cacheState: 'miss' } as const) : {}
  return { ...loaded, ...cacheState, body: () => loaded.response.body, fetchedAt, cachedAt: undefined }
}

async function fromCache(ports: PagePorts, cached: CachedCopy, request: PageRequest): Promise<ScrapedPage> {
  const { plan, signal } = request
  const { fetchedAt } = cached
  const parts = missingParts(cached, plan.content)
  const read = parts.length > 0 ? await readPage(ports, withBody(cached), { ...plan.content, parts }, request) : {}
  // A browser has already read the page if that was necessary.
  const { unfilled: _, ...made } = read
  signal.throwIfAborted()
  if (parts.length > 0 && !plan.isZeroRetention)
    void ports.pages.addMade(plan.cacheKey, fetchedAt, plan.content.variant, made)
  const timezone = Object.values(cached.made).find((some) => some.timezone !== undefined)?.timezone
  const content = { ...cachedContent(cached, plan.content), ...made, ...(timezone !== undefined && { timezone }) }
  request.reportStep?.({ step: 'page', from: 'cache', isKept: true })
  // The first text created from a page is the one that is indexed.
  const hasText = Object.values(cached.made).some(({ markdown }) => markdown !== undefined)
  if (plan.storesPage && made.markdown !== undefined && !hasText) index(ports, cached, content, request)
  return {
    response: cached,
    body: () => withBody(cached).body,
    content,
    proxyUsed: 'basic',
    challenge: undefined,
    cacheState: 'hit',
    fetchedAt,
    cachedAt: fetchedAt,
  }
}

/** Returns the page with its body, which the lookup has loaded if it is needed. */
function withBody({ body, ...page }: CachedCopy): PageResponse {
  if (!body) throw new Error('a page was read without its body')
  return { ...page, body }
}

/**
 * Stores a page in the cache and the index; returns false if it is not stored. Bot challenges, empty shells and partial
 * pages would spoil later calls. Huge screenshots are left out.
 */
function store(
  ports: PagePorts,
  { response, content, challenge }: LoadedPage,
  fetchedAt: number,
  request: PageRequest,
): boolean {
  const { storesPage, cacheKey, content: wanted } = request.plan
  // A page that no longer exists is removed from the index.
  if (storesPage && gone.has(response.status)) void forget(ports, response.url, request)
  if (!storesPage || challenge || content.needsBrowser || content.unfilled || !isWhole(response)) return false
  const { screenshot, branding, actions: _, ...read } = content
  const live = { ...(screenshot !== undefined && { screenshot }), ...(branding !== undefined && { branding }) }
  const isSmall = (screenshot?.length ?? 0) < maxKeptScreenshot
  const made = { [wanted.variant]: read, ...(wanted.live.length > 0 && isSmall && { [wanted.liveVariant]: live }) }
  const { url, status, body } = response
  const page = { fetchedAt, url, status, headers: keptHeaders(response.headers), made }
  // Not awaited: the cache never rejects, and later lookups wait for this write.
  void ports.pages.keep(cacheKey, page, body)
  index(ports, page, read, request)
  return true
}

const gone = new Set([404, 410])

async function forget({ index: known }: Pick<Ports, 'index'>, url: string, { team }: PageRequest): Promise<void> {
  const { hostname: host } = new URL(url)
  await known.prune({ host, page: { teamId: team.id, url } }).catch(() => 0)
}

/** Adds the page to the full-text index. Not awaited, like the cache. */
function index(
  ports: Pick<Ports, 'index'>,
  { url, fetchedAt, headers }: Pick<CachedPage, 'url' | 'fetchedAt' | 'headers'>,
  { markdown = '', metadata = {} }: PageContent,
  { team, plan }: PageRequest,
): void {
  const { title, description } = metadata
  void ports.index.put({
    cacheKey: plan.cacheKey,
    teamId: team.id,
    url,
    title: typeof title === 'string' ? title : '',
    description: typeof description === 'string' ? description : '',
    text: markdown,
    fetchedAt,
    contentType: headers['content-type'],
  })
}

/** Maximum length of a cached screenshot, as a data URL. */
const maxKeptScreenshot = 4_000_000

/** Returns the headers that later readers need. Cookies and similar headers belong to the visitor, not to the page. */
const keptHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'content-type' || name === 'last-modified'))

/**
 * True for a complete page: a 2xx status other than no content (204, 205) and partial content (206), without faults.
 */
const isWhole = ({ status, faults = [] }: PageResponse) =>
  status >= 200 && status < 300 && ![204, 205, 206].includes(status) && faults.length === 0

/** A cached page, with its body if needed. */
type CachedCopy = CachedPage & { body: Uint8Array | undefined }
type CachePorts = Pick<Ports, 'pages' | 'clock'>

/** Fails with the error code of the plan if the page is not cached and may not be fetched. */
export async function findCached(
  ports: CachePorts,
  plan: Plan,
  reportStep?: StepReporter,
): Promise<CachedCopy | undefined> {
  const { finding, copy: cached } = await lookUp(ports, plan)
  reportStep?.({ step: 'cache', ...finding })
  if (!cached && plan.onCacheMiss) fail(plan.onCacheMiss)
  return cached
}

/**
 * Looks up a cached page. The cache may evict the body before the rest; such a page is usable only if the body is not
 * needed.
 */
async function lookUp(ports: CachePorts, { acceptedAge, cacheSkip, cacheKey, content }: Plan): Promise<LookUp> {
  if (!acceptedAge) return { finding: { found: 'not asked', why: cacheSkip ?? 'not wanted' } }
  const { minMs, maxMs } = acceptedAge
  const accepted = { minMs, ...(Number.isFinite(maxMs) && { maxMs }) }
  const page = await ports.pages.find(cacheKey)
  if (!page) return { finding: { found: 'nothing', accepted } }
  const ageMs = ports.clock.now() - page.fetchedAt
  const known = { accepted, ageMs }
  if (ageMs < minMs) return { finding: { found: 'too young', ...known } }
  if (ageMs > maxMs) return { finding: { found: 'too old', ...known } }
  const match = matchCached(page, content)
  if (match === 'as it is') return { finding: { found: 'hit', ...known }, copy: { ...page, body: undefined } }
  const body = match === 'with its body' ? await ports.pages.body(cacheKey) : undefined
  if (!body) return { finding: { found: 'lacks parts', ...known } }
  return { finding: { found: 'hit', ...known }, copy: { ...page, body } }
}
type LookUp = { finding: CacheFinding; copy?: CachedCopy }

/** Returns the cached part of the requested content. */
const cachedContent = ({ made }: CachedPage, { variant, liveVariant }: ContentRequest): PageContent => ({
  ...made[variant],
  ...made[liveVariant],
})

const missingParts = (page: CachedPage, { parts, variant }: ContentRequest): PagePart[] =>
  parts.filter((part) => !(part in (page.made[variant] ?? {})))

/** Returns whether a cached page suffices: as it is, with its body, or not. */
function matchCached(page: CachedPage, request: ContentRequest): 'as it is' | 'with its body' | 'not' {
  const known = cachedContent(page, request)
  if (request.live.some((part) => !(part in known))) return 'not'
  return request.needsBody || missingParts(page, request).length > 0 ? 'with its body' : 'as it is'
}
