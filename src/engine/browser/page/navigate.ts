import type { RenderedPage } from '../../../contracts/render.ts'
import { fail, failure } from '../../../kernel/error.ts'
import { withDeadline } from '../../../util/deadline.ts'
import { ownAnswer } from '../../net/proxy/egress.ts'
import type { NetworkResponse } from '../cdp/shapes.ts'
import { goTo } from './go-to.ts'
import type { Tab } from './tab.ts'

/** Where a navigation ended: at a page, at a file that the browser shows in a page of its own making, or at one that it would save. */
export type Arrival = { kind: 'page' } | { kind: 'shown file' | 'saved file'; url: string }

/** The failure behind an answer of our own proxy, by the address it was for. */
export type FaultOf = (url: string) => unknown

const navigateMs = 60_000
const pages = new Set(['', 'text/html', 'application/xhtml+xml', 'multipart/related'])
const isShown = (type: string) => /^(?:text\/|image\/|application\/(?:\w+\+)?(?:json|xml)$)/.test(type)

/** Goes to an address until its page begins to come. Fails with SCRAPE_* errors; a 4xx or 5xx answer is a page. */
export async function navigate(tab: Tab, url: string, faultOf: FaultOf, signal: AbortSignal): Promise<Arrival> {
  const { traffic } = tab
  if (!/^https?:/i.test(url)) fail('SCRAPE_ADDRESS_REFUSED', { message: 'Only http and https addresses are visited.' })
  const { errorText, isDownload } = await withDeadline({ step: 'go to the page', ms: navigateMs }, signal, (within) =>
    goTo(tab, url, within),
  )
  const place = traffic.asked() ?? url
  const answer = traffic.document()
  const fault = faultOf(place)
  if (fault !== undefined && errorText !== undefined) throw fault
  requireSite(answer, fault)
  // An error without a body comes with a text too: Chrome shows words of its own.
  const isAnswered = errorText === undefined || errorText === 'net::ERR_HTTP_RESPONSE_CODE_FAILURE'
  const isSaved = isDownload || errorText === 'net::ERR_ABORTED'
  if (!isAnswered && !isSaved) throw netFailure(errorText)
  return isSaved ? { kind: 'saved file', url: place } : arrivalAt(place, answer)
}

/** What our own proxy says in place of a site is no page of the site. */
function requireSite(answer: NetworkResponse | undefined, fault: unknown): void {
  const headers = Object.entries(answer?.headers ?? {})
  if (!headers.some(([name, value]) => name.toLowerCase() === 'proxy-status' && value === ownAnswer)) return
  if (answer?.status === 403)
    fail('SCRAPE_SITE_ERROR', { message: 'The host is one of advertising; set blockAds to false to read its pages.' })
  throw fault ?? failure('SCRAPE_ALL_ENGINES_FAILED')
}

function arrivalAt(url: string, answer: NetworkResponse | undefined): Arrival {
  const type = answer?.mimeType.toLowerCase() ?? ''
  if (pages.has(type) || (answer?.status ?? 200) >= 400) return { kind: 'page' }
  return { kind: isShown(type) ? 'shown file' : 'saved file', url }
}

/** Chromium's network errors in the words of the contract (net/base/net_error_list.h). */
function netFailure(errorText: string) {
  const name = /net::ERR_(\w+)/.exec(errorText)?.[1] ?? 'FAILED'
  if (name === 'NAME_NOT_RESOLVED') return failure('SCRAPE_DNS_RESOLUTION_ERROR')
  if (/^(?:CERT_|SSL_|BAD_SSL)/.test(name)) return failure('SCRAPE_SSL_ERROR', { details: { reason: name } })
  if (name === 'TOO_MANY_REDIRECTS')
    return failure('SCRAPE_SITE_ERROR', { message: 'The site redirects too many times.' })
  if (/^(?:CONNECTION_|TIMED_OUT|ADDRESS_|TUNNEL_|PROXY_|EMPTY_RESPONSE|INTERNET_)/.test(name))
    return failure('SCRAPE_ALL_ENGINES_FAILED', { details: { reason: name } })
  return failure('SCRAPE_SITE_ERROR', { details: { reason: name } })
}

/** They tell how the body came over the wire, not what is handed on. */
const ofTransfer = new Set(['content-encoding', 'content-length', 'transfer-encoding'])

/** The captured page with the answer it came with. Fails where Chromium shows a page of its own in place of one. */
export function arrived(
  { traffic }: Tab,
  page: { html: string; url: string },
  faultOf: FaultOf,
): Omit<RenderedPage, 'live'> {
  const answer = traffic.document()
  const { status = 200, headers = {} } = answer ?? {}
  const asked = traffic.asked() ?? page.url
  requireSite(answer, faultOf(asked))
  const isPlace = /^https?:/.test(page.url)
  if (!isPlace && !/^(?:about|data|blob):/.test(page.url) && status < 400)
    throw faultOf(asked) ?? failure('SCRAPE_SITE_ERROR', { message: 'The site sent nothing that a browser can show.' })
  const kept = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.replaceAll('\n', ', ')] as const)
    .filter(([name]) => !ofTransfer.has(name))
  return {
    url: isPlace ? page.url : asked,
    status,
    headers: { ...Object.fromEntries(kept), 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(isPlace || status < 400 ? page.html : ''),
  }
}
