import { CdpError } from '../../browser/cdp/cdp-session.ts'
import { type Metrics, metricsOf } from '../../browser/emulation/emulate.ts'
import type { PageNode } from '../../page-script/snapshot/page-outline.ts'
import type { LiveTab, PageRequest } from '../page/live-tab.ts'
import { inPage } from '../../browser/acts/call-page.ts'
import { resolveRef, isRef, readingsOf } from '../page/find-target.ts'
import { ActionError } from '../../browser/acts/tab-frames.ts'
import { linesOf, textOf } from '../page/text/snapshot-lines.ts'
import type { ActionHandler, ActionContext } from './action-context.ts'
import { findPlaces, readOutline } from '../page/snapshot.ts'
import { takeScreenshot } from '../../browser/page/capture-page.ts'

const quality = 70
const maxRequests = 40
const maxUrl = 200
const maxBody = 6000

/**
 * Takes a screenshot of the viewport, an element or the whole page; with `refs`, each control has a box and its ref.
 */
const screenshot: ActionHandler<'screenshot'> = async (stage, act, signal) => {
  const { tab } = stage
  if (!act.refs) return pictureFor(stage, act, signal)
  await inPage(tab, 'markControls', [], signal)
  try {
    return await pictureFor(stage, act, signal)
  } finally {
    await tab.call('unmarkControls', [], signal)
  }
}

const pictureFor: ActionHandler<'screenshot'> = async (
  { tab, tabs, metrics = metricsOf({ mobile: false }) },
  { target, fullPage = false, maxSide },
  signal,
) => {
  if (target !== undefined) return { picture: await pictureOf(tab, { target, maxSide, metrics }, signal) }
  const take = (max: number | undefined) => takeScreenshot(tab, { fullPage, quality, maxSide: max }, metrics, signal)
  const size = fullPage && maxSide !== undefined ? await sizeBeyond(tab, maxSide, signal) : undefined
  const [, whole = ''] = size === undefined ? [] : (await take(undefined)).split(',')
  const picture = await take(maxSide)
  if (size === undefined) return { picture, remark: placesHint }
  const file = tabs.keepFile({ name: 'page.jpg', mediaType: 'image/jpeg', bytes: Buffer.from(whole, 'base64') })
  const rest = file ? `the whole page is file ${file.id} of this session` : 'scroll, and take the next one'
  const remark = `shows the first part of a page of ${size}; ${rest}; ${placesHint}`
  return { picture, ...(file && { file }), remark }
}

/** Remark on screenshots; clients that take no screenshots have no use for positions. */
const placesHint = 'places in it are targets of click, hover and drag: at 120,340'

type Part = { target: string; maxSide: number | undefined; metrics: Metrics }

async function pictureOf(tab: LiveTab, { target, maxSide, metrics }: Part, signal: AbortSignal): Promise<string> {
  const ref = await resolveRef(tab, target, 'any', signal)
  await inPage(tab, 'scrollIntoView', [ref], signal)
  const box = await inPage(tab, 'boxOf', [ref], signal)
  if (!box) throw new ActionError(`e${ref} cannot be seen, so there is no picture of it.`)
  // Only the documents around a frame know its position in the window, so for a frame the viewport is captured.
  const ofElement = tab.frames.of(ref) === tab.frames.main ? { box } : {}
  return takeScreenshot(tab, { fullPage: false, quality, maxSide, ...ofElement }, metrics, signal)
}

/** Returns the size of a page that does not fit into one screenshot; undefined if it fits. */
async function sizeBeyond({ session }: LiveTab, maxSide: number, signal: AbortSignal): Promise<string | undefined> {
  const { cssContentSize: page, cssVisualViewport: view } = await session.send('Page.getLayoutMetrics', {}, signal)
  const isWhole = page.height <= maxSide && page.width <= view.clientWidth
  return isWhole ? undefined : `${page.width} × ${page.height} px`
}

const readConsole: ActionHandler<'console'> = async ({ tab }) => {
  const lines = tab.takeConsole()
  return {
    extracted: lines.length === 0 ? 'Nothing was written to the console since the last call.' : lines.join('\n'),
  }
}

/** Returns requests that failed since the last call or contain a text in their URL, or details of one request. */
const network: ActionHandler<'network'> = async ({ tab }, { target, text }, signal) => {
  if (target !== undefined) return { extracted: await detailsOf(tab, target, signal) }
  const found = text === undefined ? tab.requests.takeFailed() : tab.requests.matching(text)
  const rest = found.length - maxRequests
  const none = text === undefined ? 'No request has failed since the last call.' : `No request to "${text}" was made.`
  const lines = found.slice(-maxRequests).map((each) => lineOf(each, tab.traffic.document()?.url))
  return { extracted: [...(rest > 0 ? [`… ${rest} before`] : []), ...lines].join('\n') || none }
}

function lineOf({ name, method, type, url, status, failure }: PageRequest, pageUrl = ''): string {
  const how = failure === undefined ? (status ?? 'no answer yet') : `failed: ${failureWords(failure)}`
  return `${name} ${method} ${shortUrl(url, pageUrl)} ${type.toLowerCase()}: ${how}`
}

function failureWords(failure: string): string {
  if (failure === 'TUNNEL_CONNECTION_FAILED') return 'not reachable, or blocked as an ad'
  return failure.toLowerCase().replaceAll('_', ' ')
}

function shortUrl(url: string, pageUrl: string): string {
  const origin = URL.parse(pageUrl)?.origin ?? ''
  const short = origin !== '' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
  return short.length > maxUrl ? `${short.slice(0, maxUrl - 1)}…` : short
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
      : `response (${request.mimeType ?? 'unknown type'}): ${body.slice(0, maxBody)}`,
  ].join('\n')
}

/** Returns a response body; undefined for binary bodies and for those that the browser no longer stores. */
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
const maxLines = 3

/** Returns rows of a table or list, or text. A target that only names the wanted text returns the line of that name. */
const extract: ActionHandler<'extract'> = async (
  stage,
  { target, as, maxCharacters = usualCharacters, from = 0 },
  signal,
) => {
  const wanted = target === undefined ? { ref: 0 } : await resolveContent(stage.tab, target, signal)
  if ('line' in wanted) return { extracted: partOf(wanted.line, maxCharacters, from) }
  if (as !== 'rows') return { extracted: partOf(await contentOf(stage, wanted.ref, as, signal), maxCharacters, from) }
  const rows = await inPage(stage.tab, 'extractRows', [wanted.ref], signal)
  if (rows.length === 0) throw new ActionError('There is no table or list to extract rows from; extract it as text.')
  return { extracted: rowsText(rows, maxCharacters, from) }
}

const plainText = (nodes: readonly PageNode[]): string =>
  textOf(linesOf(nodes, { text: 2000, items: 2000, outOfView: 'counted', only: 'all' }))

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

type ContentSource = { ref: number } | { line: string }

async function resolveContent(tab: LiveTab, target: string, signal: AbortSignal): Promise<ContentSource> {
  try {
    const ref = await resolveRef(tab, target, 'any', signal)
    const line = (await containsOnlyName(tab, ref, target, signal)) ? await lineWith(tab, target, signal) : undefined
    return line === undefined ? { ref } : { line }
  } catch (error) {
    const line = error instanceof ActionError && !isRef(target) ? await lineWith(tab, target, signal) : undefined
    if (line === undefined) throw error
    return { line }
  }
}

/** True if an element contains nothing but the requested name, such as "Total". */
async function containsOnlyName(tab: LiveTab, ref: number, target: string, signal: AbortSignal): Promise<boolean> {
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
    const outline = await findPlaces(tab, name, maxLines, 'left out', signal)
    if (outline.found && outline.foundAs !== 'some words')
      return plainText(outline.nodes.flatMap(({ children = [] }) => children))
  }
  return undefined
}

function partOf(text: string, max: number, from: number): string {
  const part = text.slice(from, from + max)
  const rest = text.length - from - part.length
  return rest > 0 ? `${part}\n… ${rest} more of ${text.length} characters: from ${from + max}` : part
}

/** Returns whole rows only, one per line, so a shortened list is still valid JSON. */
function rowsText(rows: readonly Record<string, string>[], max: number, from: number): string {
  let size = 0
  const lines = rows.slice(from).map((row) => JSON.stringify(row))
  const fits = lines.findIndex((line) => (size += line.length + 2) > max)
  const shown = fits < 0 ? lines : lines.slice(0, Math.max(1, fits))
  const rest = lines.length - shown.length
  return `[${shown.join(',\n')}]${rest > 0 ? `\n… ${rest} more of ${rows.length} rows: from ${from + shown.length}` : ''}`
}

export const observationActions = { extract, screenshot, network, console: readConsole }
