import type { PageResponse, ProxyKind } from '../../contracts/fetch.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { RenderRequest } from '../../contracts/render.ts'
import { AppError } from '../../kernel/error.ts'
import { type BotChallenge, detectBotChallenge } from '../net/http/bot-challenge.ts'
import { readPage } from './parse-page.ts'
import type { Plan } from './plan.ts'
import type { PageRequest } from './request.ts'
import type { PageContent } from '../../contracts/page-content.ts'

export type LoadPorts = Pick<Ports, 'fetchPage' | 'renderPage' | 'readHtml' | 'readDocument' | 'hosts'>
export type LoadedPage = {
  response: PageResponse
  content: PageContent
  proxyUsed: ProxyKind
  /** The bot challenge that came in place of the page. */
  challenge: BotChallenge | undefined
}

/** Decoded bytes of one page; more is a download, not a page. */
const maxPageBytes = 50 * 1024 * 1024

/**
 * Loads a page from its site and reads it: by plain HTTP where that will do, with a browser where the page needs one, and
 * once more over the enhanced proxy if a bot challenge came and the plan allows it.
 */
export async function loadPage(ports: LoadPorts, request: PageRequest): Promise<LoadedPage> {
  const { proxy } = request.plan
  const first = await attempt(ports, request, proxy === 'enhanced' ? 'enhanced' : 'basic')
  if (!first.challenge || proxy !== 'auto') return first
  const second = await attempt(ports, request, 'enhanced').catch((error) => orNone(error, request))
  return second && !second.challenge ? second : first
}

/** By plain HTTP or a browser; with a browser after plain HTTP if that brought an empty shell or a challenge. */
async function attempt(ports: LoadPorts, request: PageRequest, proxy: ProxyKind): Promise<LoadedPage> {
  const { browser } = request.plan
  if (browser === 'must') return withBrowser(ports, request, proxy)
  const isBetter = browser === 'should' || proxy === 'enhanced' || (await ports.hosts.needsBrowser(hostOf(request)))
  const rendered = isBetter ? await withBrowser(ports, request, proxy).catch(orUnavailable) : undefined
  if (rendered) return rendered
  const plain = await overHttp(ports, request, proxy)
  const isEmpty = plain.content.needsBrowser === true
  if (plain.challenge || isEmpty) return retryWithBrowser(ports, request, plain)
  noteHost(ports, request, 'whole')
  return browser === 'should' ? withWarning(plain, noBrowserText) : plain
}

/** What the browser brought if it is more than plain HTTP did. */
async function retryWithBrowser(ports: LoadPorts, request: PageRequest, plain: LoadedPage): Promise<LoadedPage> {
  const rendered = await withBrowser(ports, request, plain.proxyUsed).catch((error) => orNone(error, request))
  const isEmpty = plain.content.needsBrowser === true
  if (!rendered || (isEmpty && sizeOf(rendered) <= sizeOf(plain))) return plain
  if (!plain.challenge) noteHost(ports, request, 'empty')
  return rendered
}

const hostOf = ({ input }: PageRequest) => URL.parse(input.url)?.host ?? ''

/** Not awaited, and skipped with zero data retention. */
function noteHost(ports: LoadPorts, request: PageRequest, came: 'whole' | 'empty'): void {
  if (!request.plan.keepsNothing) void ports.hosts.note(hostOf(request), came)
}

const noBrowserText =
  'No headless browser is installed, so the page was fetched by plain HTTP; see `gossamer browser install`.'

async function overHttp(ports: LoadPorts, request: PageRequest, proxy: ProxyKind): Promise<LoadedPage> {
  const { headers, skipTlsVerification, render } = request.plan
  const response = await ports.fetchPage({
    url: request.input.url,
    headers,
    skipTlsVerification,
    proxy,
    country: render.location?.country,
    maxBytes: maxPageBytes,
    signal: request.signal,
  })
  return read(ports, request, { response, content: {}, proxyUsed: proxy, challenge: detectBotChallenge(response) })
}

async function withBrowser(ports: LoadPorts, request: PageRequest, proxy: ProxyKind): Promise<LoadedPage> {
  const { input, team, plan, signal } = request
  const { live, warning, ...response } = await ports.renderPage({
    ...browserVisit(input.url, plan, proxy),
    teamId: team.id,
    signal,
  })
  const content = { ...live, ...(warning !== undefined && { warning }) }
  return read(ports, request, { response, content, proxyUsed: proxy, challenge: detectBotChallenge(response) })
}

/** What a browser has to do for a plan. */
export const browserVisit = (url: string, plan: Plan, proxy: ProxyKind): Omit<RenderRequest, 'teamId' | 'signal'> => ({
  ...plan.render,
  url,
  headers: plan.headers,
  skipTlsVerification: plan.skipTlsVerification,
  proxy,
  maxBytes: maxPageBytes,
})

async function read(ports: LoadPorts, { plan, signal }: PageRequest, loaded: LoadedPage): Promise<LoadedPage> {
  const content = await readPage(ports, loaded.response, plan.content, signal)
  const warnings = [loaded.content.warning, content.warning].filter((each) => each !== undefined)
  return {
    ...loaded,
    content: { ...content, ...loaded.content, ...(warnings.length > 0 && { warning: warnings.join(' ') }) },
  }
}

const withWarning = (loaded: LoadedPage, warning: string): LoadedPage => ({
  ...loaded,
  content: { ...loaded.content, warning: [loaded.content.warning, warning].filter(Boolean).join(' ') },
})

/** How much content a visit brought, in characters. */
const sizeOf = ({ content: { markdown, html, anchors = [], media = {}, product = null } }: LoadedPage) =>
  (markdown ?? html ?? '').length + JSON.stringify([anchors, media, product]).length

/** Where plain HTTP will do, a missing browser is no failure. */
function orUnavailable(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'BROWSER_UNAVAILABLE') return undefined
  throw error
}

/** A failed second attempt leaves the result of the first one, unless the call itself is over. */
function orNone(error: unknown, { signal }: PageRequest): undefined {
  if (signal.aborted) throw error
  return undefined
}
