import { randomUUID } from 'node:crypto'
import { withDeadline } from '../../../util/async.ts'
import { inFrame } from '../acts/call-page.ts'
import type { LiveFrame } from '../acts/tab-frames.ts'
import type { Tab } from './tab.ts'
import type { Shot } from '../../../contracts/render-port.ts'
import { type Metrics, metricsOf } from '../emulation/emulate.ts'
import { waitUntilStable } from './wait-until-stable.ts'

const captureMs = 20_000

type Captured = { html: string; url: string; isCut: boolean }

/** Returns the current HTML of a page, limited to `maxChars`, and its URL. */
export function capture(tab: Tab, maxChars: number, signal: AbortSignal): Promise<Captured> {
  return withDeadline({ step: 'read the page', ms: captureMs }, signal, async (within) => {
    const { main } = tab.frames
    const { html, ...page } = await read(tab, main, { maxChars, as: 'page', depth: 0 }, within)
    return { url: page.url, html: html.slice(0, maxChars), isCut: page.isCut || html.length > maxChars }
  })
}

const frameMs = 5000
const loadMs = 1500
const maxFrameChars = 2_000_000
const maxDepth = 2

type Reading = { maxChars: number; as: 'page' | 'frame'; depth: number }

/** Reads a document, and inserts the content of its cross-origin frames after their elements. */
async function read(tab: Tab, frame: LiveFrame, how: Reading, signal: AbortSignal): Promise<Captured> {
  const { maxChars, as, depth } = how
  const mark = randomUUID()
  const frameMark = depth < maxDepth ? mark : null
  const { frames, ...page } = await inFrame(tab, frame, 'captureHtml', [maxChars, frameMark, as], signal)
  if (frames.length === 0 || (as === 'frame' && page.isCut)) return page
  const contents = new Map<string, string>()
  const insert = async (ref: number, within: AbortSignal) => {
    const inner = await tab.frames.open(frame, ref, within)
    await inner.world.call('waitForLoad', [loadMs], within)
    if (!(await inner.world.call('isReadableFrame', [], within))) return
    const deeper: Reading = { maxChars: maxFrameChars, as: 'frame', depth: depth + 1 }
    const { html, isCut } = await read(tab, inner, deeper, within)
    if (!isCut) contents.set(String(ref), html)
  }
  // Frames that cannot be read in time are omitted.
  const reading = frames.map((ref) =>
    withDeadline({ step: 'read a frame', ms: frameMs }, signal, (within) => insert(ref, within)),
  )
  await Promise.allSettled(reading)
  signal.throwIfAborted()
  return {
    ...page,
    html: page.html.replace(new RegExp(`<!--${mark}-(\\d+)-->`, 'g'), (_, ref: string) => contents.get(ref) ?? ''),
  }
}

/** Maximum height or width in device pixels: Chromium cannot encode more, and no model accepts more. */
const maxSidePixels = 16_384
const lazyLoadMs = 8000
const screenshotMs = 30_000

/** Options for a picture of the viewport, of the whole page, or of a box in page coordinates. */
type Picture = Shot & { box?: Box }

/** Returns a PNG, or a JPEG if a quality is set, as a data URL. Loads lazy content of a full page first. */
export async function takeScreenshot(tab: Tab, shot: Picture, usual: Metrics, signal: AbortSignal): Promise<string> {
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

async function captureScreenshot(tab: Tab, shot: Picture, metrics: Metrics, signal: AbortSignal) {
  const { fullPage, quality, maxSide, box } = shot
  if (fullPage) await loadLazyContent(tab, (maxSide ?? maxSidePixels) / metrics.deviceScaleFactor, signal)
  const format = quality === undefined ? ({ format: 'png' } as const) : ({ format: 'jpeg', quality } as const)
  const clip = await pageClip(tab, shot, metrics, signal)
  const isClipped = fullPage || box !== undefined || maxSide !== undefined
  const clipped = isClipped ? { clip, captureBeyondViewport: fullPage || box !== undefined } : {}
  const { data } = await withDeadline({ step: 'take a screenshot', ms: screenshotMs }, signal, (within) =>
    tab.session.send('Page.captureScreenshot', { ...format, ...clipped }, within),
  )
  tab.memory.picture = { x: clip.x, y: clip.y, scale: clip.scale * metrics.deviceScaleFactor }
  return `data:image/${format.format};base64,${data}`
}

async function pageClip({ session }: Tab, { fullPage, maxSide, box }: Picture, metrics: Metrics, signal: AbortSignal) {
  if (box) return clipOf(box, metrics, { maxSide, fit: 'width' })
  const { cssContentSize: page, cssVisualViewport: view } = await session.send('Page.getLayoutMetrics', {}, signal)
  const inView = { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight }
  // A wider picture would be scaled down until its text is too small to read.
  const width = maxSide === undefined ? page.width : Math.min(page.width, view.clientWidth)
  if (!fullPage) return clipOf(inView, metrics, { maxSide, fit: 'whole' })
  return clipOf({ x: 0, y: 0, width, height: page.height }, metrics, { maxSide, fit: 'width' })
}

type Box = { x: number; y: number; width: number; height: number }

/**
 * Returns the part of a box that a picture shows: scaled down until both sides (or for `width`, the width) fit into
 * `maxSide`, then cropped.
 */
function clipOf(
  { x, y, width, height }: Box,
  { deviceScaleFactor }: Metrics,
  { maxSide, fit }: { maxSide: number | undefined; fit: 'whole' | 'width' },
) {
  const side = Math.max(1, width, fit === 'whole' ? height : 0) * deviceScaleFactor
  const scale = maxSide === undefined ? 1 : Math.min(1, maxSide / side)
  const max = (maxSide ?? maxSidePixels) / (deviceScaleFactor * scale)
  return { x, y, width: Math.min(Math.max(1, width), max), height: Math.min(Math.max(1, height), max), scale }
}

/** Content that does not load in time is missing in the screenshot. */
async function loadLazyContent(tab: Tab, maxCssHeight: number, signal: AbortSignal): Promise<void> {
  await withDeadline({ step: 'load the page to its end', ms: lazyLoadMs }, signal, (within) =>
    tab.call('loadLazy', [maxCssHeight, lazyLoadMs / 2], within),
  ).catch(() => signal.throwIfAborted())
}
