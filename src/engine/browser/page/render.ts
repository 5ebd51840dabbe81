import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveParts, RenderedPage, RenderRequest } from '../../../contracts/render.ts'
import { DeadlineError, withDeadline } from '../../../util/deadline.ts'
import { readBranding } from '../branding/branding.ts'
import { emulate, type EmulationOptions, metricsOf } from '../emulation/emulate.ts'
import { sendHeaders, sortHeaders } from '../emulation/headers.ts'
import type { BrowserVersion } from '../launch/types.ts'
import { runActions } from './actions.ts'
import { capture } from './capture.ts'
import { waitForChallenge } from './challenge.ts'
import { consentAnswered, refuseConsent } from './consent.ts'
import { goBlank } from './go-to.ts'
import { type Arrival, arrived, type FaultOf, navigate } from './navigate.ts'
import { takeScreenshot } from './screenshot.ts'
import { settle } from './settle.ts'
import { worldName } from '../world/isolated-world.ts'
import type { Tab } from './tab.ts'

export type RenderFacts = {
  version: BrowserVersion
  faultOf: FaultOf
}
/** The page, or what was seen of a file that others have to fetch. */
export type Rendered = RenderedPage | (Pick<RenderedPage, 'live' | 'warning'> & { fileUrl: string })
type Request = Omit<RenderRequest, 'profile' | 'teamId' | 'proxy' | 'reuse'>

const lookMs = 5000

/** Brings a page to rest in a tab, does with it what is asked, and takes it as it then stands. */
export async function render(tab: Tab, request: Request, { version, faultOf }: RenderFacts): Promise<Rendered> {
  const { signal, url } = request
  const headers = sortHeaders(request.headers, url)
  if (!tab.reused?.isSetUp) await setUp(tab, request, { version, userAgent: headers.userAgent })
  await sendHeaders(tab, headers, url, signal)
  if (request.actions.length > 0) tab.reused?.spoil()
  const { arrival, warning } = await arrive(tab, request, faultOf)
  if (arrival.kind === 'saved file') return savedFile(arrival.url, request)
  if (refuses(request) && warning === undefined) await consentAnswered(tab, signal)
  if (request.waitForMs > 0) await sleep(request.waitForMs, undefined, { signal })
  const live = await act(tab, request)
  if (arrival.kind === 'shown file') return { fileUrl: arrival.url, live }
  const { isCut, ...page } = await capture(tab, request.maxBytes, signal)
  const told = [warning ?? [], isCut ? 'The page is too large, and is shown up to its limit.' : []].flat().join(' ')
  return { ...arrived(tab, page, faultOf), live, ...(told !== '' && { warning: told }) }
}

/** What a page is set up for once, and stays so: visits that agree in it may use it one after the other. */
export const lookOf = (request: Request): string =>
  JSON.stringify([request.mobile, request.screenshot?.viewport, isSeen(request), refuses(request)])

async function setUp(tab: Tab, request: Request, look: Pick<EmulationOptions, 'version' | 'userAgent'>): Promise<void> {
  const { signal } = request
  await emulate(tab, { ...request, ...viewportOf(request), ...look }, signal)
  if (refuses(request)) await refuseConsent(tab, signal)
  if (!isSeen(request)) await loadLean(tab, signal)
}

const refuses = (request: Request) => request.blockAds && isSeen(request)

/** Banners are in the way only where somebody looks at the page or works in it. */
const isSeen = ({ screenshot, wantsBranding, actions }: Request) =>
  screenshot !== undefined || wantsBranding || actions.length > 0

const viewportOf = ({ screenshot }: Request) => ({ viewport: screenshot?.viewport })

function savedFile(fileUrl: string, request: Request): Rendered {
  if (!isSeen(request)) return { fileUrl, live: {} }
  const warning = 'The address leads to a file and not to a page, so no screenshot, branding or action could be made.'
  return { fileUrl, live: {}, warning }
}

type Arrived = { arrival: Arrival; warning?: string | undefined }

/**
 * Goes to the page, and waits until it rests. Where the page of an earlier visit stood, another one than was asked for may
 * have come by that one's doing: then it is done once more from a blank page.
 */
export async function arrive(tab: Tab, request: Pick<Request, 'url' | 'signal'>, faultOf: FaultOf): Promise<Arrived> {
  const first = await goAndRest(tab, request, faultOf)
  if (!tab.reused?.isSetUp || tab.traffic.navigations() <= 1) return first
  await goBlank(tab, request.signal)
  return goAndRest(tab, request, faultOf)
}

async function goAndRest(
  tab: Tab,
  { url, signal }: Pick<Request, 'url' | 'signal'>,
  faultOf: FaultOf,
): Promise<Arrived> {
  const arrival = await navigate(tab, url, faultOf, signal)
  if (arrival.kind === 'saved file') return { arrival }
  const first = await rest(tab, signal)
  const isPassed = (await waitForChallenge(tab, faultOf, signal)) === 'passed'
  const warning = isPassed ? await rest(tab, signal) : first
  if (warning !== undefined) tab.reused?.spoil()
  return { arrival, warning }
}

/** A page whose scripts never let go of it is stopped, and read as far as it came. */
async function rest(tab: Tab, signal: AbortSignal): Promise<string | undefined> {
  try {
    const how = await settle(tab, { lookMs }, signal)
    return how === 'still loading'
      ? 'The page did not come to its end in time, and is shown as far as it came.'
      : undefined
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error
    await halt(tab, signal)
    return 'A script of the page did not end, so the page was stopped and is shown as far as it came.'
  }
}

async function halt({ session }: Tab, signal: AbortSignal): Promise<void> {
  await withDeadline({ step: 'stop the page', ms: lookMs }, signal, async (within) => {
    await session.send('Emulation.setScriptExecutionDisabled', { value: true }, within)
    await session.send('Runtime.terminateExecution', {}, within)
    await session.send('Page.stopLoading', {}, within)
  })
}

async function act(tab: Tab, request: Request): Promise<LiveParts> {
  const { actions, screenshot, wantsBranding, signal } = request
  const metrics = metricsOf({ ...request, ...viewportOf(request) })
  const done = actions.length > 0 ? { actions: await runActions(tab, actions, metrics, signal) } : {}
  return {
    ...done,
    ...(wantsBranding && { branding: await readBranding(tab, signal) }),
    ...(screenshot && { screenshot: await takeScreenshot(tab, screenshot, metrics, signal) }),
  }
}

/** What carries no text, by the ending of its address. Drawings (svg) stay: pages also fetch and read them. */
const endings =
  'png jpg jpeg jpe jfif gif webp avif bmp ico tif tiff woff woff2 ttf otf eot mp4 m4v webm ogv mov mp3 m4a ogg oga wav flac'.split(
    ' ',
  )
const urls = endings.flatMap((ending) => [`*.${ending}`, `*.${ending}?*`])

/** A script for the isolated world: it sees the errors of blocked media first, and keeps them from the page. */
const hideFailedMedia = `addEventListener('error', (event) => {
  const isMedia = event.target instanceof Element && event.target.matches('img,source,audio,video,picture')
  if (isMedia) event.stopImmediatePropagation()
}, true)`

/**
 * Leaves out pictures, fonts and media where nobody looks at the page: half of what a page costs in a browser. Their failure
 * is kept from the page, which might put stand-ins in their place. To be done before the first navigation.
 */
async function loadLean({ session }: Tab, signal: AbortSignal): Promise<void> {
  await Promise.all([
    session.send('Network.setBlockedURLs', { urls }, signal),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: hideFailedMedia, worldName }, signal),
  ])
}
