import { CdpError } from '../../browser/cdp/router.ts'
import { metricsOf } from '../../browser/emulation/emulate.ts'
import { clipOf, takeScreenshot } from '../../browser/page/capture-page.ts'
import type { LiveTab, PageRequest } from '../page/live-tab.ts'
import { inPage } from '../page/call-page.ts'
import { resolveRef, isRef, readingsOf } from '../page/find-target.ts'
import { ActionError } from '../page/action-types.ts'
import type { ActionHandler, ActionContext } from './action-context.ts'
import { findPlaces, plainText, readOutline } from '../page/snapshot.ts'

const quality = 70
const mostRequests = 40
const mostUrl = 200
const mostBody = 6000

/** Takes a screenshot of the viewport, an element or the whole page. */
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
  // Only the documents around a frame know its position in the window, so for a frame the viewport is captured.
  const isOfPage = tab.frames.of(ref) === tab.frames.main
  const clip = isOfPage ? { clip: clipOf(box, metrics, maxSide), captureBeyondViewport: true } : {}
  const { data } = await tab.session.send('Page.captureScreenshot', { format: 'jpeg', quality, ...clip }, signal)
  return { picture: `data:image/jpeg;base64,${data}` }
}

/** Adds a remark if the screenshot shows only the first part of the page. */
async function cutRemark({ session }: LiveTab, maxSide: number, signal: AbortSignal): Promise<{ remark?: string }> {
  const { cssContentSize: page, cssVisualViewport: view } = await session.send('Page.getLayoutMetrics', {}, signal)
  if (page.height <= maxSide && page.width <= view.clientWidth) return {}
  return {
    remark: `shows the first part of a page of ${page.width} × ${page.height} px; scroll, and take the next one`,
  }
}

/** Returns the console messages since the last call. */
export const readConsole: ActionHandler<'console'> = async ({ tab }) => {
  const lines = tab.takeConsole()
  return {
    extracted: lines.length === 0 ? 'Nothing was written to the console since the last look.' : lines.join('\n'),
  }
}

/**
 * Returns the failed requests since the last call, the requests that match a URL text, or the details of one request.
 */
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

/** Returns a response body, or undefined if the browser no longer stores it or it is not text. */
async function bodyOf({ session }: LiveTab, { requestId }: PageRequest, signal: AbortSignal) {
  try {
    const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId }, signal)
    return base64Encoded ? undefined : body
  } catch (error) {
    if (error instanceof CdpError && error.why === 'refused') return undefined
    throw error
  }
}

const usualCharacters = 6000
const mostLines = 3

/**
 * Returns the content of an element or of the page: tables and lists as rows, everything else as text or markdown. If
 * the target matches only an element that contains just its name, returns the row or line around it.
 */
export const extract: ActionHandler<'extract'> = async (
  stage,
  { target, as, maxCharacters = usualCharacters, from = 0 },
  signal,
) => {
  const wanted = target === undefined ? { ref: 0 } : await partMeant(stage.tab, target, signal)
  if ('line' in wanted) return { extracted: partOf(wanted.line, maxCharacters, from) }
  if (as !== 'rows') return { extracted: partOf(await contentOf(stage, wanted.ref, as, signal), maxCharacters, from) }
  const rows = await inPage(stage.tab, 'extractRows', [wanted.ref], signal)
  if (rows.length === 0) throw new ActionError('There is no table or list to extract rows from; extract it as text.')
  return { extracted: rowsText(rows, maxCharacters, from) }
}

async function contentOf(
  { tab, toMarkdown }: ActionContext,
  ref: number,
  as: 'text' | 'markdown',
  signal: AbortSignal,
): Promise<string> {
  const { html, text, url } = await inPage(tab, 'extractContent', [ref], signal)
  if (as === 'text' || html === '') return text
  if (toMarkdown) return toMarkdown(html, url, signal)
  const outline = await readOutline(tab, ref === 0 ? undefined : `e${ref}`, signal)
  return plainText(outline?.nodes ?? [])
}

type Part = { ref: number } | { line: string }

async function partMeant(tab: LiveTab, target: string, signal: AbortSignal): Promise<Part> {
  try {
    const ref = await resolveRef(tab, target, 'any', signal)
    const line = (await holdsNameOnly(tab, ref, target, signal)) ? await lineWith(tab, target, signal) : undefined
    return line === undefined ? { ref } : { line }
  } catch (error) {
    const line = error instanceof ActionError && !isRef(target) ? await lineWith(tab, target, signal) : undefined
    if (line === undefined) throw error
    return { line }
  }
}

/** A match that contains only the requested name, such as "Total", adds nothing to what the caller already knows. */
async function holdsNameOnly(tab: LiveTab, ref: number, target: string, signal: AbortSignal): Promise<boolean> {
  const names = readingsOf(target).flatMap(({ role, name }) => (role === '' ? plainName(name) : []))
  if (isRef(target) || names.length === 0) return false
  const { text } = await inPage(tab, 'extractContent', [ref], signal)
  return names.includes(plainName(text))
}

const plainName = (text: string) =>
  text
    .replace(/[\s:]+/g, ' ')
    .trim()
    .toLowerCase()

async function lineWith(tab: LiveTab, target: string, signal: AbortSignal): Promise<string | undefined> {
  for (const name of new Set(readingsOf(target).map((reading) => reading.name))) {
    const outline = await findPlaces(tab, name, mostLines, 'left out', signal)
    if (outline.found && outline.foundAs !== 'some words')
      return plainText(outline.nodes.flatMap(({ children = [] }) => children))
  }
  return undefined
}

function partOf(text: string, most: number, from: number): string {
  const part = text.slice(from, from + most)
  const rest = text.length - from - part.length
  return rest > 0 ? `${part}\n… ${rest} more of ${text.length} characters: from ${from + most}` : part
}

/** Returns whole rows only, one per line, so a shortened list is still valid JSON. */
function rowsText(rows: readonly Record<string, string>[], most: number, from: number): string {
  let size = 0
  const lines = rows.slice(from).map((row) => JSON.stringify(row))
  const fits = lines.findIndex((line) => (size += line.length + 2) > most)
  const shown = fits < 0 ? lines : lines.slice(0, Math.max(1, fits))
  const rest = lines.length - shown.length
  return `[${shown.join(',\n')}]${rest > 0 ? `\n… ${rest} more of ${rows.length} rows: from ${from + shown.length}` : ''}`
}
