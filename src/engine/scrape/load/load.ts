import type { ProxyKind, PageFault, PageResponse } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { PageArrival } from '../../../contracts/stored-pages.ts'
import type { RenderRequest } from '../../../contracts/render-port.ts'
import type { BrowserNeed, BrowserReason } from '../../../contracts/scrape-step.ts'
import { AppError, type ErrorCode, failure } from '../../../kernel/error.ts'
import { withDeadline } from '../../../util/async.ts'
import {
  browserNeedOf,
  isBetter,
  isFilled,
  missingText,
  type LoadedPage,
  withoutUnfilled,
  withWarning,
  hasOwnScripts,
} from './visit-outcome.ts'
import { optionFor, reportRead, tracedVisit } from './report-steps.ts'
import { countryProfile } from '../../browser/emulation/countries.ts'
import { rawText, readPage } from '../read-content.ts'
import type { Plan } from '../plan.ts'
import type { PageRequest } from '../scrape-request.ts'
import type { PageContent } from '../../../contracts/page-content.ts'

/** Set by `scripts/build.ts`; undefined if the program runs from its sources. */
declare const bundledSources: string | undefined

/** Identifies the build. When run from sources it is unique per process, because the sources may change. */
const build = typeof bundledSources === 'string' ? bundledSources : `sources ${process.pid}`

/**
 * Returns the content that this build created earlier from an identical body, if that is sufficient: an unchanged page
 * of a crawl need not be parsed again. For a single scrape the lookup would take longer than it saves.
 */
async function readBefore(
  { pages }: Pick<Ports, 'pages'>,
  { plan }: Pick<PageRequest, 'plan'>,
  { response, challenge }: Pick<LoadedPage, 'response' | 'challenge'>,
): Promise<PageContent | undefined> {
  const { status, faults, body } = response
  if (plan.render.reuse === undefined || !plan.storesPage || challenge || faults || status < 200 || status > 299)
    return undefined
  const made = await pages.madeOfSame(plan.cacheKey, response, body)
  const content = made?.[plan.content.variant]
  const isWhole = content?.readBy === build && plan.content.parts.every((part) => part in content)
  return isWhole ? content : undefined
}

/** Marks content as reusable, unless a browser may improve it or it has a warning. */
function markedRead(loaded: LoadedPage): LoadedPage {
  const { needsBrowser, unfilled, warning } = loaded.content
  if (needsBrowser || unfilled || warning !== undefined) return loaded
  return { ...loaded, content: { ...loaded.content, readBy: build } }
}

const faultTexts: Readonly<Record<PageFault, string>> = {
  'cut off': 'The page was cut off: the response ended before it was complete.',
  'refresh refused':
    'The page redirects (refresh) to an address that this server may not connect to, such as a private one; this was not followed.',
}
const partText = 'The site answered with a part of the page (206) although the whole page was requested.'

/** Describes what is wrong with a response, for `warning`. */
function faultText({ status, faults = [] }: Pick<PageResponse, 'status' | 'faults'>): string | undefined {
  const sentences = [...(status === 206 ? [partText] : []), ...faults.map((fault) => faultTexts[fault])]
  return sentences.length > 0 ? sentences.join(' ') : undefined
}

export type LoadPorts = Pick<
  Ports,
  'fetchPage' | 'renderPage' | 'readHtml' | 'readDocument' | 'hosts' | 'pages' | 'locationMode'
>

/** Maximum decoded bytes of a page; anything larger is a download, not a page. */
const maxPageBytes = 50 * 1024 * 1024

/**
 * Loads a page from its site and parses it: by plain HTTP if that suffices, with a browser if the page needs one, and
 * again through the enhanced proxy after a bot challenge if the plan allows it.
 */
export async function loadPage(ports: LoadPorts, request: PageRequest): Promise<LoadedPage> {
  const { proxy } = request.plan
  const first = await attempt(ports, request, proxy === 'enhanced' ? 'enhanced' : 'basic')
  if (!first.challenge || proxy !== 'auto') return first
  const second = await attempt(ports, request, 'enhanced').catch((error) => orNone(error, request))
  return second && !second.challenge ? second : first
}

/**
 * Loads the page by plain HTTP or a browser; with a browser after plain HTTP if the result was a challenge or
 * incomplete.
 */
async function attempt(ports: LoadPorts, request: PageRequest, proxy: ProxyKind): Promise<LoadedPage> {
  const { browser } = request.plan
  if (browser === 'must') return liveOnly(ports, request, proxy)
  const why = await firstReason(ports, request, proxy)
  const rendered = why && (await withBrowser(ports, request, { proxy, why }).catch(orUnavailable))
  if (rendered) return withoutUnfilled(rendered)
  const plain = await overHttp(ports, request, proxy)
  const need = browserNeedOf(plain) ?? placeNeed(ports, request, plain)
  if (!need || need === 'place') noteHost(ports, request, 'whole')
  if (need) return retryWithBrowser(ports, request, plain, need)
  return browser === 'should' ? withWarning(plain, noBrowserText) : plain
}

/** Returns why a browser visits the page first; undefined if plain HTTP goes first. */
async function firstReason(
  { hosts }: LoadPorts,
  request: PageRequest,
  proxy: ProxyKind,
): Promise<BrowserReason | undefined> {
  if (request.plan.browser === 'should') return optionFor(request.input)
  if (proxy === 'enhanced') return 'enhanced proxy'
  return (await hosts.needsBrowser(hostOf(request))) ? 'host' : undefined
}

async function liveOnly(ports: LoadPorts, request: PageRequest, proxy: ProxyKind): Promise<LoadedPage> {
  const way = { proxy, why: optionFor(request.input) }
  const rendered = await withBrowser(ports, request, way).catch((error: unknown) => {
    throw explainMissing(error, request.plan)
  })
  return withoutUnfilled(requirePage(rendered, request.plan))
}

/** Replaces the error for a missing browser with that of the option that needs one. */
function explainMissing(error: unknown, { render }: Plan): unknown {
  if (!(error instanceof AppError) || error.code !== 'BROWSER_UNAVAILABLE') return error
  const code = render.actions.length > 0 ? 'SCRAPE_ACTIONS_NOT_SUPPORTED' : 'SCRAPE_BRANDING_NOT_SUPPORTED'
  if (render.actions.length === 0 && !render.wantsBranding) return error
  const { message, hint, details, cause } = error
  return failure(code, { message: `${subjects[code]} ${message}`, ...(hint !== undefined && { hint }), details, cause })
}

const subjects = {
  SCRAPE_ACTIONS_NOT_SUPPORTED: 'Actions need a browser.',
  SCRAPE_BRANDING_NOT_SUPPORTED: 'The format branding needs a browser.',
} satisfies Partial<Record<ErrorCode, string>>

/** Fails if the response is a file, which supports neither branding nor actions. */
function requirePage(loaded: LoadedPage, { render }: Plan): LoadedPage {
  const { kind, actions } = loaded.content
  if (kind === undefined) return loaded
  const facts = { details: { kind } }
  if (render.actions.length > 0 && !actions)
    throw failure('SCRAPE_ACTIONS_NOT_SUPPORTED', {
      message: 'The URL leads to a file, on which no actions are possible.',
      ...facts,
    })
  if (render.wantsBranding)
    throw failure('SCRAPE_BRANDING_NOT_SUPPORTED', {
      message: 'The URL leads to a file, which has no branding.',
      ...facts,
    })
  return loaded
}

/** Time limit for a browser that only completes a page, so a slow browser does not lose the result of plain HTTP. */
const maxFillMs = 20_000
const fillShare = 0.4

/** Returns the browser's result if it is better than that of plain HTTP. */
async function retryWithBrowser(
  ports: LoadPorts,
  request: PageRequest,
  plain: LoadedPage,
  need: BrowserNeed,
): Promise<LoadedPage> {
  const isOptional = need === 'unfilled' && !request.plan.render.location
  if (isOptional && (await ports.hosts.addsNothing(hostOf(request)))) {
    request.reportStep?.({ step: 'browser skipped', why: need })
    return withoutUnfilled(plain)
  }
  let failed: unknown
  const way = { proxy: plain.proxyUsed, why: need }
  const visit = (signal: AbortSignal) => withBrowser(ports, { ...request, signal }, way)
  const limit = { step: 'load the rest of the page', ms: Math.min(maxFillMs, request.input.timeout * fillShare) }
  const rendered = await (
    need === 'unfilled' || need === 'place' ? withDeadline(limit, request.signal, visit) : visit(request.signal)
  ).catch((error: unknown) => {
    failed = error
    return orNone(error, request)
  })
  if (!rendered || !isBetter(rendered, plain, need)) return withWarning(plain, missingText(plain, need, failed))
  if (need === 'shell') noteHost(ports, request, 'empty')
  if (need === 'unfilled') noteHost(ports, request, isFilled(rendered, plain) ? 'filled' : 'not filled')
  return withoutUnfilled(rendered)
}

/**
 * Returns `place` if scripts of the page may detect the visitor's location. A page without scripts is the same for all
 * requests with the same headers.
 */
function placeNeed({ locationMode }: LoadPorts, { plan }: PageRequest, { response, content }: LoadedPage) {
  const { location } = plan.render
  const canBeShown = location && (countryProfile(location.country) || location.languages?.length)
  const mayDiffer = locationMode === 'browser' && canBeShown && response.status < 400 && !content.kind
  return mayDiffer && hasOwnScripts(rawText(response), response.url) ? 'place' : undefined
}

const hostOf = ({ input }: PageRequest) => URL.parse(input.url)?.host ?? ''

/** Records if the host needs a browser, in the background; not with zero data retention. */
function noteHost(ports: LoadPorts, request: PageRequest, arrival: PageArrival): void {
  if (!request.plan.isZeroRetention) void ports.hosts.note(hostOf(request), arrival)
}

const noBrowserText =
  'No headless browser is installed, so the page was fetched by plain HTTP; see `gossamer browser install`.'

async function overHttp(ports: LoadPorts, request: PageRequest, proxy: ProxyKind): Promise<LoadedPage> {
  const { headers, acceptLanguage, skipTlsVerification, render } = request.plan
  const loaded = await tracedVisit(request, { by: 'HTTP', proxy }, async () => {
    const response = await ports.fetchPage({
      url: request.input.url,
      teamId: request.team.id,
      headers: { ...acceptLanguage, ...headers },
      skipTlsVerification,
      proxy,
      country: render.location?.country,
      maxBytes: maxPageBytes,
      signal: request.signal,
    })
    return { response, content: {} }
  })
  const content = await readBefore(ports, request, loaded)
  return content ? reportRead(request, { ...loaded, content }) : markedRead(await read(ports, request, loaded))
}

type Way = { proxy: ProxyKind; why: BrowserReason | undefined }

async function withBrowser(ports: LoadPorts, request: PageRequest, { proxy, why }: Way): Promise<LoadedPage> {
  const { input, team, plan, signal } = request
  const loaded = await tracedVisit(request, { by: 'browser', why, proxy }, async () => {
    const { live, warning, ...response } = await ports.renderPage({
      ...browserVisit(input.url, plan, proxy),
      teamId: team.id,
      signal,
    })
    const timezone = plan.render.location && countryProfile(plan.render.location.country)?.timezoneId
    const content = { ...live, ...(timezone !== undefined && { timezone }), ...(warning !== undefined && { warning }) }
    return { response, content }
  })
  return read(ports, request, loaded)
}

/** Returns the instructions for a browser to visit a page. */
export const browserVisit = (url: string, plan: Plan, proxy: ProxyKind): Omit<RenderRequest, 'teamId' | 'signal'> => ({
  ...plan.render,
  url,
  headers: plan.headers,
  skipTlsVerification: plan.skipTlsVerification,
  proxy,
  maxBytes: maxPageBytes,
})

async function read(ports: LoadPorts, request: PageRequest, loaded: LoadedPage): Promise<LoadedPage> {
  const content = await readPage(ports, loaded.response, request.plan.content, request)
  const warnings = [loaded.content.warning, faultText(loaded.response), content.warning].filter(
    (each) => each !== undefined,
  )
  return reportRead(request, {
    ...loaded,
    content: { ...content, ...loaded.content, ...(warnings.length > 0 && { warning: warnings.join(' ') }) },
  })
}

/** Ignores a missing browser if plain HTTP can be used instead. */
function orUnavailable(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'BROWSER_UNAVAILABLE') return undefined
  throw error
}

/** Ignores a failed second attempt and keeps the first result, unless the call itself was aborted. */
function orNone(error: unknown, { signal }: PageRequest): undefined {
  if (signal.aborted) throw error
  return undefined
}
