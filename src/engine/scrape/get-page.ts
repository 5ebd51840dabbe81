import type { PageResponse, ProxyKind } from '../../contracts/fetch.ts'
import type { CachedPage, PageParts, Ports } from '../../contracts/ports.ts'
import { fail } from '../../kernel/error.ts'
import type { Wall } from '../net/http/bot-challenge.ts'
import { visit, type Visit, type VisitPorts } from './load.ts'
import { readPage } from './parse-page.ts'
import { fitOf, knownParts, missingParts, type Wish } from './parts.ts'
import type { Plan } from './plan.ts'

export type GetPorts = VisitPorts & Pick<Ports, 'pages' | 'index' | 'clock'>

/** A page with all parts that were wished for, however it was come by. */
export type Got = {
  page: Omit<PageResponse, 'body'>
  parts: PageParts
  body(): Uint8Array
  proxyUsed: ProxyKind
  wall: Wall | undefined
  /** When the page was fetched, ms since the epoch; a page that is then cached has the same moment there. */
  fetchedAt: number
  /** When the cached copy was fetched, ms since the epoch; undefined for a fresh page. */
  cachedAt: number | undefined
}
type Wanted = { url: string; teamId: string; plan: Plan; wish: Wish; reuse?: string | undefined }

/** The page from the cache, or from its site and then kept; parts made earlier with the same options are taken over. */
export async function getPage(ports: GetPorts, wanted: Wanted, signal: AbortSignal): Promise<Got> {
  const held = await cachedPage(ports, wanted.plan, (cached) => fitOf(cached, wanted.wish))
  if (held) return fromCache(ports, held, wanted, signal)
  const { url, teamId, plan, wish, reuse } = wanted
  const visited = await visit(ports, { url, teamId, plan, wanted: wish, reuse }, signal)
  signal.throwIfAborted()
  const fetchedAt = ports.clock.now()
  keep(ports, { ...visited, fetchedAt }, wanted)
  const { page, parts, proxyUsed, wall } = visited
  return { page, parts, proxyUsed, wall, body: () => page.body, fetchedAt, cachedAt: undefined }
}

async function fromCache(ports: GetPorts, held: Held, wanted: Wanted, signal: AbortSignal): Promise<Got> {
  const { plan, wish } = wanted
  const missing = missingParts(held, wish)
  const made = missing.length > 0 ? await readPage(ports, withBody(held), { ...wish, parts: missing }, signal) : {}
  signal.throwIfAborted()
  if (missing.length > 0 && !plan.keepsNothing)
    void ports.pages.addMade(plan.cacheKey, held.fetchedAt, wish.variant, made)
  const parts = { ...knownParts(held, wish), ...made }
  // The first text of a page is the one it is found by.
  const hasText = Object.values(held.made).some(({ markdown }) => markdown !== undefined)
  if (plan.storesPage && made.markdown !== undefined && !hasText) index(ports, held, parts, wanted)
  const body = () => withBody(held).body
  const { fetchedAt } = held
  return { page: held, parts, body, proxyUsed: 'basic', wall: undefined, fetchedAt, cachedAt: fetchedAt }
}

/** A page is looked up with its body wherever that is needed, so this never fails but by our own mistake. */
function withBody({ body, ...page }: Held): PageResponse {
  if (!body) throw new Error('a page was read without its body')
  return { ...page, body }
}

/** A wall, an empty shell or half a page would answer later calls with nothing. Larger pictures are taken anew. */
function keep(ports: GetPorts, { page, parts, wall, fetchedAt }: Visit & Pick<Got, 'fetchedAt'>, wanted: Wanted): void {
  const { plan, wish } = wanted
  if (!plan.storesPage || wall || parts.needsBrowser || !isWhole(page.status)) return
  const { screenshot, branding, actions: _, ...read } = parts
  const live = { ...(screenshot !== undefined && { screenshot }), ...(branding !== undefined && { branding }) }
  const isSmall = (screenshot?.length ?? 0) < maxKeptPicture
  const made = { [wish.variant]: read, ...(wish.live.length > 0 && isSmall && { [wish.liveVariant]: live }) }
  const { url, status, body } = page
  const facts = { fetchedAt, url, status, headers: keptHeaders(page.headers), made }
  // Not awaited: the answer need not wait for the cache, whose port never fails and takes look-ups after this.
  void ports.pages.keep(plan.cacheKey, facts, body)
  index(ports, facts, read, wanted)
}

/** What the page can be found by. Not awaited, as little as the cache. */
function index(
  ports: Pick<Ports, 'index'>,
  { url, fetchedAt, headers }: Pick<CachedPage, 'url' | 'fetchedAt' | 'headers'>,
  { markdown = '', metadata = {} }: PageParts,
  { teamId, plan }: Wanted,
): void {
  const { title, description } = metadata
  void ports.index.put({
    cacheKey: plan.cacheKey,
    teamId,
    url,
    title: typeof title === 'string' ? title : '',
    description: typeof description === 'string' ? description : '',
    text: markdown,
    fetchedAt,
    contentType: headers['content-type'],
  })
}

const maxKeptPicture = 4_000_000

/** What later readers of the page need. Cookies and the like are the visitor's, not the page's. */
const keptHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'content-type' || name === 'last-modified'))

/** No content, a part of a page or a redirect to nowhere says nothing that would hold for the next days. */
const isWhole = (status: number) => status >= 200 && status < 300 && ![204, 205, 206].includes(status)

/** A cached page, with its body where that is needed. */
type Held = CachedPage & { body: Uint8Array | undefined }
/** Whether a cached page will do: as it is, with its body, or not at all. */
export type Fit = (cached: CachedPage) => 'as it is' | 'with its body' | 'not'

/**
 * The page from the cache when that will do. Fails with the plan's code when there is none and it may not be fetched. The
 * cache may drop a body and keep the facts; such a page counts only where the body is not needed.
 */
export async function cachedPage(
  ports: Pick<Ports, 'pages' | 'clock'>,
  plan: Plan,
  fit: Fit,
): Promise<Held | undefined> {
  const held = await lookUp(ports, plan, fit)
  if (!held && plan.onCacheMiss) fail(plan.onCacheMiss)
  return held
}

async function lookUp(
  ports: Pick<Ports, 'pages' | 'clock'>,
  { acceptedAge, cacheKey }: Plan,
  fit: Fit,
): Promise<Held | undefined> {
  const page = acceptedAge && (await ports.pages.find(cacheKey))
  if (!page) return undefined
  const ageMs = ports.clock.now() - page.fetchedAt
  if (ageMs < acceptedAge.minMs || ageMs > acceptedAge.maxMs) return undefined
  const how = fit(page)
  if (how !== 'with its body') return how === 'not' ? undefined : { ...page, body: undefined }
  const body = await ports.pages.body(cacheKey)
  return body && { ...page, body }
}
