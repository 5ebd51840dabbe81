import type { Protocol } from 'devtools-protocol'
import { fail, failure } from '../../../kernel/error.ts'
import { withDeadline, DeadlineError } from '../../../util/async.ts'
import { tlsFailure } from '../../net/http/connector.ts'
import { blockedText, proxyStatusName } from '../../net/proxy/forward-proxy.ts'
import { type Tab, StalePageError } from './tab.ts'
import { once } from 'node:events'
import type { Session } from '../cdp/cdp-session.ts'

/** Result of a navigation: a page, a file that the browser displays in its own viewer, or a download. */
export type NavigationEnd = { kind: 'page' } | { kind: 'displayed file' | 'download'; url: string }

/** Returns the error behind a response of our own proxy, by the requested URL. */
export type ProxyErrorOf = (url: string) => unknown

const navigateMs = 60_000
const pages = new Set(['', 'text/html', 'application/xhtml+xml', 'multipart/related'])
const isShown = (type: string) => /^(?:text\/|image\/|application\/(?:\w+\+)?(?:json|xml)$)/.test(type)

/** Navigates to a URL until its document is committed. Fails with SCRAPE_* errors; a 4xx or 5xx response is a page. */
export async function navigate(tab: Tab, url: string, proxyErrorOf: ProxyErrorOf, signal: AbortSignal) {
  const { traffic } = tab
  if (!/^https?:/i.test(url)) fail('SCRAPE_ADDRESS_REFUSED', { message: 'Only http and https addresses are visited.' })
  const { errorText, isDownload } = await withDeadline({ step: 'go to the page', ms: navigateMs }, signal, (within) =>
    goTo(tab, url, within),
  )
  const requestedUrl = traffic.requestedUrl() ?? url
  const response = traffic.document()
  const proxyError = proxyErrorOf(requestedUrl)
  if (proxyError !== undefined && errorText !== undefined) throw proxyError
  requireSiteResponse(response, proxyError)
  // Chrome also reports an error status without a body as an error.
  const hasResponse = errorText === undefined || errorText === 'net::ERR_HTTP_RESPONSE_CODE_FAILURE'
  const isFile = isDownload || errorText === 'net::ERR_ABORTED'
  if (!hasResponse && !isFile) throw networkError(errorText)
  const file: NavigationEnd = { kind: 'download', url: requestedUrl }
  return isFile ? file : navigationEnd(requestedUrl, response)
}

/** Returns the reason why the tab shows an error page of the browser instead of the requested page. */
export function failedLoad({ traffic }: Pick<Tab, 'traffic'>, proxyErrorOf: ProxyErrorOf): unknown {
  const proxyError = proxyErrorOf(traffic.requestedUrl() ?? '')
  if (proxyError !== undefined) return proxyError
  try {
    requireSiteResponse(traffic.document(), undefined)
  } catch (error) {
    return error
  }
  return networkError(traffic.failure() ?? '')
}

export const isOfOurProxy = (response: Protocol.Network.Response | undefined): boolean =>
  headerOf(response, 'proxy-status') === proxyStatusName

/** Returns a header of a response by its lower-case name. */
export const headerOf = (response: Protocol.Network.Response | undefined, name: string): string | undefined =>
  Object.entries(response?.headers ?? {}).find(([each]) => each.toLowerCase() === name)?.[1]

/** Fails for a response of our own proxy, which is not a page of the site. */
function requireSiteResponse(response: Protocol.Network.Response | undefined, proxyError: unknown): void {
  if (!isOfOurProxy(response)) return
  if (response?.status === 403) fail('SCRAPE_SITE_ERROR', { message: blockedText })
  throw proxyError ?? failure('SCRAPE_ALL_ENGINES_FAILED')
}

function navigationEnd(url: string, response: Protocol.Network.Response | undefined): NavigationEnd {
  const type = response?.mimeType.toLowerCase() ?? ''
  if (pages.has(type) || (response?.status ?? 200) >= 400) return { kind: 'page' }
  return { kind: isShown(type) ? 'displayed file' : 'download', url }
}

export const undecoded = 'net::ERR_CONTENT_DECODING_FAILED'

/** True if the body does not match its content encoding. The browser then shows the decoded part, which may be empty. */
export const isUndecoded = ({ traffic }: Pick<Tab, 'traffic'>): boolean => traffic.failure() === undecoded

/** Converts Chromium's network errors (net/base/net_error_list.h) to error codes of the API. */
export function networkError(errorText: string) {
  const name = /net::ERR_(\w+)/.exec(errorText)?.[1] ?? 'FAILED'
  if (name === 'NAME_NOT_RESOLVED') return failure('SCRAPE_DNS_RESOLUTION_ERROR')
  if (/^(?:CERT_|SSL_(?:SERVER_CERT|PINNED))/.test(name))
    return failure('SCRAPE_SSL_ERROR', { details: { reason: name } })
  if (/^(?:SSL_|BAD_SSL)/.test(name)) return tlsFailure(name.replace(/^SSL_/, ''))
  if (name === 'TOO_MANY_REDIRECTS')
    return failure('SCRAPE_SITE_ERROR', { message: 'The site redirects too many times.' })
  if (/^(?:CONNECTION_|TIMED_OUT|ADDRESS_|TUNNEL_|PROXY_|SOCKS_|EMPTY_RESPONSE|INTERNET_)/.test(name))
    return failure('SCRAPE_ALL_ENGINES_FAILED', { details: { reason: name } })
  const message =
    name === 'CONTENT_DECODING_FAILED' ? 'The page does not match its declared content encoding.' : undefined
  return failure('SCRAPE_SITE_ERROR', { details: { reason: name }, ...(message !== undefined && { message }) })
}

/** Headers that describe the transfer, not the captured HTML. */
const transferHeaders = new Set(['content-encoding', 'content-length', 'transfer-encoding'])

/** Fails if the page is empty because its body is broken. */
function requireLoaded(traffic: Tab['traffic'], html: string): void {
  const failed = traffic.failure() ?? ''
  if (html === '' && /ERR_(?:\w+_ENCODING|CONTENT_LENGTH_MISMATCH)$/.test(failed)) throw networkError(failed)
}

/** Returns the captured page with its response. Fails if Chromium shows its own error page. */
export function toRenderedPage({ traffic }: Tab, page: { html: string; url: string }, proxyErrorOf: ProxyErrorOf) {
  const response = traffic.document()
  const { status = 200, headers = {} } = response ?? {}
  const requestedUrl = traffic.requestedUrl() ?? page.url
  requireSiteResponse(response, proxyErrorOf(requestedUrl))
  const isWebUrl = /^https?:/.test(page.url)
  if (!isWebUrl && !/^(?:about|data|blob):/.test(page.url) && status < 400)
    throw (
      proxyErrorOf(requestedUrl) ??
      failure('SCRAPE_SITE_ERROR', { message: 'The site sent nothing that a browser can show.' })
    )
  requireLoaded(traffic, page.html)
  const pageHeaders = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.replaceAll('\n', ', ')] as const)
    .filter(([name]) => !transferHeaders.has(name))
  return {
    url: isWebUrl ? page.url : requestedUrl,
    status,
    headers: { ...Object.fromEntries(pageHeaders), 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(isWebUrl || status < 400 ? page.html : ''),
  }
}

type NavigationTarget = Pick<Tab, 'session' | 'targetId'>
type NavigateResult = Protocol.Page.NavigateResponse

const commitMs = 2000
const blankMs = 3000

/** Navigates until the new document is committed. Fails with a StalePageError if the old document blocks it. */
async function goTo(tab: Tab, url: string, signal: AbortSignal): Promise<NavigateResult> {
  if (!tab.reuse?.isSetUp) return (await navigateOnce(tab, url, signal)).result
  await resumeScripts(tab, signal)
  const first = await navigateOnce(tab, url, signal)
  if (first.how === 'committed' || (first.how === 'not committed' && !isAborted(first.result))) return first.result
  await goBlank(tab, signal)
  return (await navigateOnce(tab, url, signal)).result
}

/** Enables scripts again before the navigation, because the new page might otherwise start without its scripts. */
async function resumeScripts({ session }: NavigationTarget, signal: AbortSignal): Promise<void> {
  const resumed = withDeadline({ step: 'resume a page', ms: blankMs }, signal, (within) =>
    session.send('Emulation.setScriptExecutionDisabled', { value: false }, within),
  )
  await resumed.catch(staleError(signal))
}

/** Navigates to a blank page, with scripts disabled so that the old page cannot interfere. Fails with a StalePageError. */
export async function goBlank(target: NavigationTarget, signal: AbortSignal): Promise<void> {
  const { session } = target
  const leaving = withDeadline({ step: 'leave a page', ms: blankMs }, signal, async (within) => {
    await session.send('Emulation.setScriptExecutionDisabled', { value: true }, within)
    const { how } = await navigateOnce(target, 'about:blank', within)
    if (how !== 'committed') throw new Error(`The blank page was ${how}.`)
    await session.send('Emulation.setScriptExecutionDisabled', { value: false }, within)
  })
  await leaving.catch(staleError(signal))
}

const staleError = (signal: AbortSignal) => (cause: unknown) => {
  signal.throwIfAborted()
  throw new StalePageError('The page of an earlier request cannot be left.', { cause })
}

type NavigationOutcome = {
  result: NavigateResult
  how: 'committed' | 'not committed' | 'same document' | 'replaced'
}

async function navigateOnce(target: NavigationTarget, url: string, signal: AbortSignal): Promise<NavigationOutcome> {
  const { session, targetId } = target
  const commits = watchCommits(session, targetId)
  try {
    const answer = await session.send('Page.navigate', { url }, signal)
    const { loaderId, errorText, isDownload } = answer
    if (errorText !== undefined || isDownload) return { result: answer, how: 'not committed' }
    // A URL that differs only by its fragment loads no new document.
    if (loaderId === undefined) return { result: answer, how: 'same document' }
    return { result: answer, how: await commits.until(loaderId, signal) }
  } finally {
    commits.end()
  }
}

/** True if another navigation replaced this one; downloads end with the same error. */
const isAborted = ({ errorText, isDownload }: NavigateResult) => errorText === 'net::ERR_ABORTED' && !isDownload

/** Watches for committed documents, because the result of Page.navigate may arrive before its document. */
function watchCommits(session: Session, targetId: string) {
  const loaders = new Set<string>()
  const events = new EventTarget()
  const end = session.on('Page.frameNavigated', ({ frame: { id, loaderId } }) => {
    if (id !== targetId) return
    loaders.add(loaderId)
    events.dispatchEvent(new Event(loaderId))
  })
  async function until(loaderId: string, signal: AbortSignal): Promise<'committed' | 'replaced'> {
    if (loaders.has(loaderId)) return 'committed'
    return withDeadline({ step: 'show the page', ms: commitMs }, signal, (within) =>
      once(events, loaderId, { signal: within }),
    ).then(
      () => 'committed',
      (error: unknown) => {
        if (error instanceof DeadlineError) return 'replaced'
        throw error
      },
    )
  }
  return { until, end }
}

type Guarding = {
  /** A rejected promise refuses the document. */
  mayOpen(url: string): boolean | Promise<boolean>
  refused?(url: string): void
}

/**
 * Calls `mayOpen` before the request for each document of a tab, including redirects. Documents in frames are always
 * allowed, because they do not replace the page. A refused navigation is aborted, so the page does not change.
 */
export async function guardDocuments(
  session: Session,
  targetId: string,
  { mayOpen, refused }: Guarding,
  signal?: AbortSignal,
): Promise<void> {
  session.on('Fetch.requestPaused', async ({ requestId, request: { url }, frameId }) => {
    const isAllowed = frameId !== targetId || (await Promise.resolve(mayOpen(url)).catch(() => false))
    if (isAllowed) return void session.send('Fetch.continueRequest', { requestId }).catch(() => undefined)
    refused?.(url)
    void session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] }, signal)
}
