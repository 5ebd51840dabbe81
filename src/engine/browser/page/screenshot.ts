import type { Shot } from '../../../contracts/render-port.ts'
import { withDeadline } from '../../../util/async.ts'
import { type Metrics, metricsOf } from '../emulation/emulate.ts'
import { waitUntilStable } from './wait-until-stable.ts'
import type { Tab } from './tab.ts'

/** Height or width in device pixels: Chromium cannot encode more, and no model accepts it. */
const maxSidePixels = 16_384
const lazyLoadMs = 8000
const screenshotMs = 30_000

/**
 * A screenshot as a data URL: PNG, or JPEG when a quality is given. For a full page, lazy content is loaded first. The
 * viewport is resized for the screenshot and restored to `usual` afterwards.
 */
export async function takeScreenshot(tab: Tab, shot: Shot, usual: Metrics, signal: AbortSignal): Promise<string> {
  const { viewport } = shot
  const isResized = viewport && (viewport.width !== usual.width || viewport.height !== usual.height)
  const metrics = isResized ? metricsOf({ mobile: usual.mobile, viewport }) : usual
  if (isResized) await resize(tab, metrics, signal)
  try {
    return await captureScreenshot(tab, shot, metrics, signal)
  } finally {
    if (isResized && !signal.aborted) await resize(tab, usual, signal)
  }
}

async function resize(tab: Tab, metrics: Metrics, signal: AbortSignal): Promise<void> {
  await tab.session.send('Emulation.setDeviceMetricsOverride', metrics, signal)
  await waitUntilStable(tab, { quietMs: 100, staticQuietMs: 50, maxMs: 1000 }, signal)
}

async function captureScreenshot(tab: Tab, shot: Shot, metrics: Metrics, signal: AbortSignal): Promise<string> {
  const { fullPage, quality, maxSide } = shot
  if (fullPage) await loadLazyContent(tab, (maxSide ?? maxSidePixels) / metrics.deviceScaleFactor, signal)
  const format = quality === undefined ? ({ format: 'png' } as const) : ({ format: 'jpeg', quality } as const)
  const isClipped = fullPage || maxSide !== undefined
  const clip = isClipped ? { clip: await pageClip(tab, shot, metrics, signal), captureBeyondViewport: fullPage } : {}
  const { data } = await withDeadline({ step: 'take a screenshot', ms: screenshotMs }, signal, (within) =>
    tab.session.send('Page.captureScreenshot', { ...format, ...clip }, within),
  )
  return `data:image/${format.format};base64,${data}`
}

async function pageClip({ session }: Tab, { fullPage, maxSide }: Shot, metrics: Metrics, signal: AbortSignal) {
  const { cssContentSize: page, cssVisualViewport: view } = await session.send('Page.getLayoutMetrics', {}, signal)
  const inView = { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight }
  // Content beside the viewport would make the text of a scaled picture too small to read.
  const width = maxSide === undefined ? page.width : Math.min(page.width, view.clientWidth)
  return clipOf(fullPage ? { x: 0, y: 0, width, height: page.height } : inView, metrics, maxSide)
}

type Box = { x: number; y: number; width: number; height: number }

/** The part of a box that a picture shows: made smaller until its width fits into `maxSide`, then cut. */
export function clipOf({ x, y, width, height }: Box, { deviceScaleFactor }: Metrics, maxSide?: number) {
  const scale = maxSide === undefined ? 1 : Math.min(1, maxSide / (Math.max(1, width) * deviceScaleFactor))
  const most = (maxSide ?? maxSidePixels) / (deviceScaleFactor * scale)
  return { x, y, width: Math.min(Math.max(1, width), most), height: Math.min(Math.max(1, height), most), scale }
}

/** Content that does not load in time is missing in the screenshot. */
async function loadLazyContent(tab: Tab, maxCssHeight: number, signal: AbortSignal): Promise<void> {
  await withDeadline({ step: 'load the page to its end', ms: lazyLoadMs }, signal, (within) =>
    tab.call('loadLazy', [maxCssHeight, lazyLoadMs / 2], within),
  ).catch(() => signal.throwIfAborted())
}
