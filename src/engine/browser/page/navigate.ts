import type { Protocol } from 'devtools-protocol'
import type { RenderedPage } from '../../../contracts/render-port.ts'
import { fail, failure } from '../../../kernel/error.ts'
import { withDeadline } from '../../../util/async.ts'
import { blockedText, proxyStatusName } from '../../net/proxy/forward-proxy.ts'
import { goTo } from './go-to.ts'
import type { Tab } from './tab.ts'

/** Where a navigation ended: at a page, at a file that the browser displays in a page of its own, or at a download. */
export type NavigationEnd = { kind: 'page' } | { kind: 'displayed file' | 'download'; url: string }

/** The error behind a response of our own proxy, by the requested URL. */
export type ProxyErrorOf = (url: string) => unknown

const navigateMs = 60_000
const pages = new Set(['', 'text/html', 'application/xhtml+xml', 'multipart/related'])
const isShown = (type: string) => /^(?:text\/|image\/|application\/(?:\w+\+)?(?:json|xml)$)/.test(type)

/** Navigates to a URL until its document is committed. Fails with SCRAPE_* errors; a 4xx or 5xx response is a page. */
export async function navigate(
  tab: Tab,
  url: string,
  proxyErrorOf: ProxyErrorOf,
  signal: AbortSignal,
): Promise<NavigationEnd> {
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
  // Chrome reports an error status without a body as an error, too.
  const hasResponse = errorText === undefined || errorText === 'net::ERR_HTTP_RESPONSE_CODE_FAILURE'
  const isFile = isDownload || errorText === 'net::ERR_ABORTED'
  if (!hasResponse && !isFile) throw networkError(errorText)
  return isFile ? { kind: 'download', url: requestedUrl } : navigationEnd(requestedUrl, response)
}

/** Why the tab shows an error page of the browser in place of the page last requested. */
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

/** Fails for a response of our own proxy, which is no page of the site. */
function requireSiteResponse(response: Protocol.Network.Response | undefined, proxyError: unknown): void {
  const headers = Object.entries(response?.headers ?? {})
  if (!headers.some(([name, value]) => name.toLowerCase() === 'proxy-status' && value === proxyStatusName)) return
  if (response?.status === 403) fail('SCRAPE_SITE_ERROR', { message: blockedText })
  throw proxyError ?? failure('SCRAPE_ALL_ENGINES_FAILED')
}

function navigationEnd(url: string, response: Protocol.Network.Response | undefined): NavigationEnd {
  const type = response?.mimeType.toLowerCase() ?? ''
  if (pages.has(type) || (response?.status ?? 200) >= 400) return { kind: 'page' }
  return { kind: isShown(type) ? 'displayed file' : 'download', url }
}

/** Chromium's network errors (net/base/net_error_list.h) as error codes of the API. */
export function networkError(errorText: string) {
  const name = /net::ERR_(\w+)/.exec(errorText)?.[1] ?? 'FAILED'
  if (name === 'NAME_NOT_RESOLVED') return failure('SCRAPE_DNS_RESOLUTION_ERROR')
  if (/^(?:CERT_|SSL_|BAD_SSL)/.test(name)) return failure('SCRAPE_SSL_ERROR', { details: { reason: name } })
  if (name === 'TOO_MANY_REDIRECTS')
    return failure('SCRAPE_SITE_ERROR', { message: 'The site redirects too many times.' })
  if (/^(?:CONNECTION_|TIMED_OUT|ADDRESS_|TUNNEL_|PROXY_|SOCKS_|EMPTY_RESPONSE|INTERNET_)/.test(name))
    return failure('SCRAPE_ALL_ENGINES_FAILED', { details: { reason: name } })
  return failure('SCRAPE_SITE_ERROR', { details: { reason: name } })
}

/** They describe the transfer, not the captured HTML. */
const transferHeaders = new Set(['content-encoding', 'content-length', 'transfer-encoding'])

/** The captured page with its response. Fails where Chromium shows an error page of its own. */
export function toRenderedPage(
  { traffic }: Tab,
  page: { html: string; url: string },
  proxyErrorOf: ProxyErrorOf,
): Omit<RenderedPage, 'live'> {
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
  const kept = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.replaceAll('\n', ', ')] as const)
    .filter(([name]) => !transferHeaders.has(name))
  return {
    url: isWebUrl ? page.url : requestedUrl,
    status,
    headers: { ...Object.fromEntries(kept), 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(isWebUrl || status < 400 ? page.html : ''),
  }
}
