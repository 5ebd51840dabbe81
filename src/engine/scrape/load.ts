import type { PageResponse, ProxyKind } from '../../contracts/fetch.ts'
import type { PageParts, Ports } from '../../contracts/ports.ts'
import type { Replay } from '../../contracts/session.ts'
import { AppError } from '../../kernel/error.ts'
import { type Wall, wallOf } from '../net/http/bot-challenge.ts'
import { readPage, type Wanted } from './parse-page.ts'
import type { Plan } from './plan.ts'

export type VisitPorts = Pick<Ports, 'fetchPage' | 'renderPage' | 'readHtml' | 'readDocument' | 'hosts'>
export type Trip = { url: string; teamId: string; plan: Plan; wanted: Wanted; reuse?: string | undefined }
export type Visit = {
  page: PageResponse
  parts: PageParts
  proxyUsed: ProxyKind
  /** What stands between us and the page still; what came is the wall, not the page. */
  wall: Wall | undefined
}

/** Decoded bytes of one page; more is a download, not a page. */
const maxPageBytes = 50 * 1024 * 1024

/**
 * Gets a page from its site and reads it: by plain HTTP where that will do, with a browser where the page asks for one,
 * and once more by the enhanced way where a wall stands before it and the plan allows it.
 */
export async function visit(ports: VisitPorts, trip: Trip, signal: AbortSignal): Promise<Visit> {
  const { proxy } = trip.plan
  const first = await attempt(ports, trip, proxy === 'enhanced' ? 'enhanced' : 'basic', signal)
  if (!first.wall || proxy !== 'auto') return first
  const second = await attempt(ports, trip, 'enhanced', signal).catch((error) => orNone(error, signal))
  return second && !second.wall ? second : first
}

async function attempt(ports: VisitPorts, trip: Trip, proxy: ProxyKind, signal: AbortSignal): Promise<Visit> {
  const { browser } = trip.plan
  if (browser === 'must') return withBrowser(ports, trip, proxy, signal)
  const isBetter = browser === 'should' || proxy === 'enhanced' || (await ports.hosts.needsBrowser(hostOf(trip)))
  const rendered = isBetter ? await withBrowser(ports, trip, proxy, signal).catch(orUnavailable) : undefined
  return rendered ?? httpFirst(ports, trip, proxy, signal)
}

/** By plain HTTP, and with a browser where that brings an empty shell or a wall, if it then brings more. */
async function httpFirst(ports: VisitPorts, trip: Trip, proxy: ProxyKind, signal: AbortSignal): Promise<Visit> {
  const plain = await overHttp(ports, trip, proxy, signal)
  const isEmpty = plain.parts.needsBrowser === true
  if (!plain.wall && !isEmpty) {
    remember(ports, trip, 'whole')
    return trip.plan.browser === 'should' ? noted(plain, noBrowserText) : plain
  }
  const rendered = await withBrowser(ports, trip, proxy, signal).catch((error) => orNone(error, signal))
  if (!rendered || (isEmpty && gainOf(rendered) <= gainOf(plain))) return plain
  if (!plain.wall) remember(ports, trip, 'empty')
  return rendered
}

const hostOf = ({ url }: Trip) => URL.parse(url)?.host ?? ''

/** Not awaited, and left out where nothing of the call may be kept. */
function remember(ports: VisitPorts, trip: Trip, came: 'whole' | 'empty'): void {
  if (!trip.plan.keepsNothing) void ports.hosts.note(hostOf(trip), came)
}

const noBrowserText = 'There is no browser here, so the page was fetched by plain HTTP; see `gossamer browser install`.'

async function overHttp(ports: VisitPorts, trip: Trip, proxy: ProxyKind, signal: AbortSignal): Promise<Visit> {
  const { url, plan } = trip
  const { headers, skipTlsVerification, stay } = plan
  const country = stay.location?.country
  const page = await ports.fetchPage({
    url,
    headers,
    skipTlsVerification,
    proxy,
    country,
    maxBytes: maxPageBytes,
    signal,
  })
  return read(ports, trip, { page, parts: {}, proxyUsed: proxy, wall: wallOf(page) }, signal)
}

async function withBrowser(ports: VisitPorts, trip: Trip, proxy: ProxyKind, signal: AbortSignal): Promise<Visit> {
  const { url, teamId, plan, reuse } = trip
  const { live, warning, ...page } = await ports.renderPage({
    ...browserVisit(url, plan, proxy),
    teamId,
    ...(reuse !== undefined && { reuse }),
    signal,
  })
  const parts = { ...live, ...(warning !== undefined && { warning }) }
  return read(ports, trip, { page, parts, proxyUsed: proxy, wall: wallOf(page) }, signal)
}

/** What a browser is asked to do for a plan. */
export const browserVisit = (url: string, plan: Plan, proxy: ProxyKind): Replay => ({
  ...plan.stay,
  url,
  headers: plan.headers,
  skipTlsVerification: plan.skipTlsVerification,
  proxy,
  maxBytes: maxPageBytes,
})

async function read(ports: VisitPorts, { wanted }: Trip, got: Visit, signal: AbortSignal): Promise<Visit> {
  const parts = await readPage(ports, got.page, wanted, signal)
  const warning = [got.parts.warning, parts.warning].filter((each) => each !== undefined).join(' ')
  return { ...got, parts: { ...parts, ...got.parts, ...(warning !== '' && { warning }) } }
}

const noted = (got: Visit, warning: string): Visit => ({
  ...got,
  parts: { ...got.parts, warning: [got.parts.warning, warning].filter(Boolean).join(' ') },
})

/** How much a visit brought, in characters. */
const gainOf = ({ parts: { markdown, html, anchors = [], media = {}, product = null } }: Visit) =>
  (markdown ?? html ?? '').length + JSON.stringify([anchors, media, product]).length

/** Where plain HTTP will do, the want of a browser is no failure. */
function orUnavailable(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'BROWSER_UNAVAILABLE') return undefined
  throw error
}

/** A second try that fails leaves what the first one brought, unless the call itself is over. */
function orNone(error: unknown, signal: AbortSignal): undefined {
  if (signal.aborted) throw error
  return undefined
}
