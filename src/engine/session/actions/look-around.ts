import { CdpError } from '../../browser/cdp/error.ts'
import { metricsOf } from '../../browser/emulation/emulate.ts'
import { clipOf, takeScreenshot } from '../../browser/page/screenshot.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { inPage } from '../page/page-functions.ts'
import type { PageRequest } from '../page/request-log.ts'
import { resolveRef } from '../page/target.ts'
import { ActionError } from '../page/types.ts'
import type { ActionHandler } from './context.ts'

const quality = 70
const mostRequests = 40
const mostUrl = 200
const mostBody = 6000

/** What is in view, or an element, or the whole page. */
export const screenshot: ActionHandler<'screenshot'> = async (
  { tab, metrics = metricsOf({ mobile: false }) },
  { target, fullPage = false, maxSide },
  signal,
) => {
  if (target === undefined) {
    const picture = await takeScreenshot(tab, { fullPage, quality, maxSide }, metrics, signal)
    return { picture, ...(fullPage && maxSide !== undefined && (await cutRemark(tab, maxSide, signal))) }
  }
  const ref = await resolveRef(tab, target, 'any', signal)
  await inPage(tab, 'scrollIntoView', [ref], signal)
  const box = await inPage(tab, 'boxOf', [ref], signal)
  if (!box) throw new ActionError(`e${ref} cannot be seen, so there is no picture of it.`)
  // Where it is in the window, only the documents around its frame know: then what is in view is shown.
  const isOfPage = tab.frames.of(ref) === tab.frames.main
  const clip = isOfPage ? { clip: clipOf(box, metrics, maxSide), captureBeyondViewport: true } : {}
  const { data } = await tab.session.send('Page.captureScreenshot', { format: 'jpeg', quality, ...clip }, signal)
  return { picture: `data:image/jpeg;base64,${data}` }
}

/** Says which part of a page a picture shows that had to be cut. */
async function cutRemark({ session }: LiveTab, maxSide: number, signal: AbortSignal): Promise<{ remark?: string }> {
  const { cssContentSize: page, cssVisualViewport: view } = await session.send('Page.getLayoutMetrics', {}, signal)
  if (page.height <= maxSide && page.width <= view.clientWidth) return {}
  return {
    remark: `shows the first part of a page of ${page.width} × ${page.height} px; scroll, and take the next one`,
  }
}

/** What the page wrote to its console since the last look. */
export const readConsole: ActionHandler<'console'> = async ({ tab }) => {
  const lines = tab.takeConsole()
  return {
    extracted: lines.length === 0 ? 'Nothing was written to the console since the last look.' : lines.join('\n'),
  }
}

/** What failed since the last look; the requests to certain URLs; or all about one request. */
export const network: ActionHandler<'network'> = async ({ tab }, { target, text }, signal) => {
  if (target !== undefined) return { extracted: await detailsOf(tab, target, signal) }
  const found = text === undefined ? tab.requests.takeFailed() : tab.requests.matching(text)
  const rest = found.length - mostRequests
  const none = text === undefined ? 'No request has failed since the last look.' : `No request to "${text}" was made.`
  const lines = found.slice(-mostRequests).map((each) => lineOf(each, tab.traffic.document()?.url))
  return { extracted: [...(rest > 0 ? [`… ${rest} before`] : []), ...lines].join('\n') || none }
}

function lineOf({ name, method, type, url, status, failure }: PageRequest, pageUrl = ''): string {
  const how = failure === undefined ? (status ?? 'no answer yet') : `failed: ${failureWords(failure)}`
  return `${name} ${method} ${shortUrl(url, pageUrl)} ${type.toLowerCase()}: ${how}`
}

function failureWords(failure: string): string {
  if (failure === 'TUNNEL_CONNECTION_FAILED') return 'not reachable from here, or kept away as an ad'
  return failure.toLowerCase().replaceAll('_', ' ')
}

function shortUrl(url: string, pageUrl: string): string {
  const origin = URL.parse(pageUrl)?.origin ?? ''
  const short = origin !== '' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
  return short.length > mostUrl ? `${short.slice(0, mostUrl - 1)}…` : short
}

async function detailsOf(tab: LiveTab, name: string, signal: AbortSignal): Promise<string> {
  const request = tab.requests.find(name.trim().toLowerCase())
  if (!request) throw new ActionError(`There is no request ${name}; {type: "network", text: "/path"} lists them.`)
  const body = await bodyOf(tab, request, signal)
  return [
    lineOf(request),
    ...(request.postData === undefined ? [] : [`sent: ${request.postData}`]),
    body === undefined
      ? 'Its response body is no longer available.'
      : `response (${request.mimeType ?? 'unknown type'}): ${body.slice(0, mostBody)}`,
  ].join('\n')
}

/** Undefined where the browser keeps it no longer, or it is no text. */
async function bodyOf({ session }: LiveTab, { requestId }: PageRequest, signal: AbortSignal) {
  try {
    const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId }, signal)
    return base64Encoded ? undefined : body
  } catch (error) {
    if (error instanceof CdpError && error.why === 'refused') return undefined
    throw error
  }
}
