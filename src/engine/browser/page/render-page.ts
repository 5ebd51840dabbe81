import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveParts, RenderedPage, RenderRequest } from '../../../contracts/render-port.ts'
import { DeadlineError, poll, withDeadline } from '../../../util/async.ts'
import { detectBotChallenge } from '../../net/http/bot-challenge.ts'
import { readBranding } from '../branding/read-branding.ts'
import { emulate, type EmulationOptions, metricsOf, sendHeaders, sortHeaders } from '../emulation/emulate.ts'
import type { BrowserVersion } from '../launch/process.ts'
import { worldName } from '../world/isolated-world.ts'
import { runActions } from './run-page-actions.ts'
import { capture, takeScreenshot } from './capture-page.ts'
import {
  guardDocuments,
  goBlank,
  headerOf,
  navigate,
  type NavigationEnd,
  isUndecoded,
  networkError,
  type ProxyErrorOf,
  toRenderedPage,
  undecoded,
} from './navigate.ts'
import { refuseConsent, waitForConsent } from './consent.ts'
import type { Tab } from './tab.ts'
import { waitUntilStable } from './wait-until-stable.ts'

export type RenderContext = {
  version: BrowserVersion
  proxyErrorOf: ProxyErrorOf
  /** True if the URL may be opened as a document; absent if every URL may. */
  mayOpen?: ((url: string) => boolean) | undefined
}
/** The page, or the URL of a file to fetch instead; both with the parts that only a live page has. */
export type Rendered = RenderedPage | (Pick<RenderedPage, 'live' | 'warning'> & { fileUrl: string })
type PageRequest = Omit<RenderRequest, 'profile' | 'teamId' | 'proxy' | 'reuse'>

const probeMs = 5000

/** Loads a page in a tab until it is stable, runs the actions, and captures it. */
export async function render(tab: Tab, request: PageRequest, context: RenderContext): Promise<Rendered> {
  const { version, proxyErrorOf, mayOpen } = context
  const { signal, url } = request
  const headers = sortHeaders(request.headers, url)
  if (!tab.reuse?.isSetUp) {
    if (mayOpen) await guardDocuments(tab.session, tab.targetId, { mayOpen }, signal)
    await setUp(tab, request, { version, userAgent: headers.userAgent })
  }
  await sendHeaders(tab, headers, url, signal)
  if (request.actions.length > 0) tab.reuse?.discard()
  const { end, warning } = await navigateAndWait(tab, request, proxyErrorOf)
  if (end.kind === 'download') return downloadResult(end.url, request)
  if (refusesConsent(request) && warning === undefined) await waitForConsent(tab, signal)
  if (request.waitForMs > 0) await sleep(request.waitForMs, undefined, { signal })
  const live = await readLiveParts(tab, request)
  if (end.kind === 'displayed file') return { fileUrl: end.url, live }
  const { isCut, ...page } = await capture(tab, request.maxBytes, signal)
  const warnings = [warning ?? [], isCut ? 'The page is too large and was cut at the size limit.' : []].flat().join(' ')
  return { ...toRenderedPage(tab, page, proxyErrorOf), live, ...(warnings !== '' && { warning: warnings }) }
}

/** Identifies the one-time setup of a page; requests with the same setup may share a page. */
export const pageSetupOf = (request: PageRequest): string =>
  JSON.stringify([request.mobile, request.screenshot?.viewport, isVisual(request), refusesConsent(request)])

async function setUp(tab: Tab, request: PageRequest, device: Pick<EmulationOptions, 'version' | 'userAgent'>) {
  const { signal } = request
  await emulate(tab, { ...request, ...viewportOf(request), ...device }, signal)
  if (refusesConsent(request)) await refuseConsent(tab, signal)
  if (!isVisual(request)) await blockResources(tab, signal)
}

const refusesConsent = (request: PageRequest) => request.blockAds && isVisual(request)

/** True if the request depends on the look of the page. Only then are images loaded and cookie banners rejected. */
const isVisual = ({ screenshot, wantsBranding, actions }: PageRequest) =>
  screenshot !== undefined || wantsBranding || actions.length > 0

const viewportOf = ({ screenshot }: PageRequest) => ({ viewport: screenshot?.viewport })

function downloadResult(fileUrl: string, request: PageRequest): Rendered {
  if (!isVisual(request)) return { fileUrl, live: {} }
  const warning = 'The URL leads to a file, not to a page: screenshot, branding and actions are not possible.'
  return { fileUrl, live: {}, warning }
}

type NavigationResult = { end: NavigationEnd; warning?: string | undefined }

/** Navigates until the page is stable. Repeats this from a blank page if a reused page's old document navigated too. */
export async function navigateAndWait(
  tab: Tab,
  request: Pick<PageRequest, 'url' | 'signal'>,
  proxyErrorOf: ProxyErrorOf,
): Promise<NavigationResult> {
  const first = await navigateOnce(tab, request, proxyErrorOf)
  if (!tab.reuse?.isSetUp || tab.traffic.navigations() <= 1) return first
  await goBlank(tab, request.signal)
  return navigateOnce(tab, request, proxyErrorOf)
}

async function navigateOnce(
  tab: Tab,
  { url, signal }: Pick<PageRequest, 'url' | 'signal'>,
  proxyErrorOf: ProxyErrorOf,
): Promise<NavigationResult> {
  const end = await navigate(tab, url, proxyErrorOf, signal)
  if (end.kind === 'download') return { end }
  const first = await waitOrHalt(tab, signal)
  await requireContent(tab, signal)
  const isPassed = (await waitForChallenge(tab, proxyErrorOf, signal)) === 'passed'
  const warning = isPassed ? await waitOrHalt(tab, signal) : first
  if (warning !== undefined) tab.reuse?.discard()
  return { end, warning }
}

async function requireContent(tab: Tab, signal: AbortSignal): Promise<void> {
  if (!isUndecoded(tab)) return
  const { text } = await tab.call('readProgress', [], signal)
  if (text === 0) throw networkError(undecoded)
}

/** Waits until the page is stable; a page whose scripts never yield is stopped. Returns a warning. */
async function waitOrHalt(tab: Tab, signal: AbortSignal): Promise<string | undefined> {
  try {
    const how = await waitUntilStable(tab, { probeMs, isLeftAlone: !hasRefreshHeader(tab) }, signal)
    return how === 'still loading'
      ? 'The page did not finish loading in time; the result is what had loaded by then.'
      : undefined
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error
    await halt(tab, signal)
    return 'A script of the page did not end, so the page was stopped; the result is what had loaded by then.'
  }
}

/** True if the response has a `Refresh` header, which scripts cannot read. */
const hasRefreshHeader = ({ traffic }: Tab): boolean => headerOf(traffic.document(), 'refresh') !== undefined

async function halt({ session }: Tab, signal: AbortSignal): Promise<void> {
  await withDeadline({ step: 'stop the page', ms: probeMs }, signal, async (within) => {
    await session.send('Emulation.setScriptExecutionDisabled', { value: true }, within)
    await session.send('Runtime.terminateExecution', {}, within)
    await session.send('Page.stopLoading', {}, within)
  })
}

async function readLiveParts(tab: Tab, request: PageRequest): Promise<LiveParts> {
  const { actions, screenshot, wantsBranding, signal } = request
  const metrics = metricsOf({ ...request, ...viewportOf(request) })
  const done = actions.length > 0 ? { actions: await runActions(tab, actions, metrics, signal) } : {}
  return {
    ...done,
    ...(wantsBranding && { branding: await readBranding(tab, signal) }),
    ...(screenshot && { screenshot: await takeScreenshot(tab, screenshot, metrics, signal) }),
  }
}

/** Extensions of resources without text. SVG stays: pages also fetch and read it. */
const blockedExtensions =
  'png jpg jpeg jpe jfif gif webp avif bmp ico tif tiff woff woff2 ttf otf eot mp4 m4v webm ogv mov mp3 m4a ogg oga wav flac'.split(
    ' ',
  )
const blockedUrls = blockedExtensions.flatMap((ending) => [`*.${ending}`, `*.${ending}?*`])

/** Script for the isolated world, which receives the errors of blocked media first and hides them from the page. */
const hideFailedMedia = `addEventListener('error', (event) => {
  const isMedia = event.target instanceof Element && event.target.matches('img,source,audio,video,picture')
  if (isMedia) event.stopImmediatePropagation()
}, true)`

/**
 * Blocks images, fonts and media, which are a large part of the cost of a page, and hides the errors. Must be called
 * before the first navigation.
 */
async function blockResources({ session }: Tab, signal: AbortSignal): Promise<void> {
  await Promise.all([
    session.send('Network.setBlockedURLs', { urls: blockedUrls }, signal),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: hideFailedMedia, worldName }, signal),
  ])
}

/** Time limit in ms for a bot challenge that browsers pass automatically; longer ones need a person. */
const maxWaitMs = 8000
const pollMs = 300
/** Number of characters in which a challenge is detected. */
const maxChars = 200_000

/** Waits while a page shows a bot challenge that browsers pass automatically. Solves no challenge itself. */
async function waitForChallenge(tab: Tab, proxyErrorOf: ProxyErrorOf, signal: AbortSignal) {
  if (!(await isChallenge(tab, proxyErrorOf, signal))) return 'none'
  const probe = () => isChallenge(tab, proxyErrorOf, signal)
  return (await poll(maxWaitMs, signal, probe, (stays) => !stays, pollMs)) ? 'stays' : 'passed'
}

/** Checks only pages with the status of a challenge, because the check captures the page once more. */
async function isChallenge(tab: Tab, proxyErrorOf: ProxyErrorOf, signal: AbortSignal): Promise<boolean> {
  const status = tab.traffic.document()?.status ?? 200
  if (status < 400 && status !== 202) return false
  return (
    detectBotChallenge(toRenderedPage(tab, await capture(tab, maxChars, signal), proxyErrorOf))?.kind === 'challenge'
  )
}
