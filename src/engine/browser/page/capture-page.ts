import { randomUUID } from 'node:crypto'
import { withDeadline } from '../../../util/async.ts'
import type { Session } from '../cdp/cdp-session.ts'
import { createWorld, type World } from '../world/isolated-world.ts'
import type { Tab } from './tab.ts'
import type { Shot } from '../../../contracts/render-port.ts'
import { type Metrics, metricsOf } from '../emulation/emulate.ts'
import { waitUntilStable } from './wait-until-stable.ts'

const captureMs = 20_000

export type Captured = { html: string; url: string; isCut: boolean }

/** Returns the current HTML of a page, limited to `maxChars`, and its URL. */
export function capture(tab: Tab, maxChars: number, signal: AbortSignal): Promise<Captured> {
  return withDeadline({ step: 'read the page', ms: captureMs }, signal, async (within) => {
    const mark = randomUUID()
    await tab.learnClosedRoots(within)
    const { frames, ...page } = await tab.call('captureHtml', [maxChars, mark, 'page'], within)
    if (frames === 0) return page
    const html = await insertFrames(tab, { html: page.html, frames, mark }, within)
    return { ...page, html: html.slice(0, maxChars), isCut: page.isCut || html.length > maxChars }
  })
}

/** HTML in which a comment with the mark and the frame's number follows each cross-origin frame. */
type MarkedHtml = { html: string; frames: number; mark: string }
type FrameContext = World & { session: Session }
/** Sessions of out-of-process frames, by frame id. */
type FrameSessions = ReadonlyMap<string, Session>

const frameMs = 5000
const loadMs = 1500
const maxFrameChars = 2_000_000
const maxDepth = 2

/** Inserts the content of cross-origin frames after them. Frames that cannot be read in time are omitted. */
async function insertFrames(context: FrameContext, page: MarkedHtml, signal: AbortSignal, depth = 1): Promise<string> {
  const { sessions, end } = await attachFrames(context.session, signal)
  try {
    const read = (nth: number) =>
      withDeadline({ step: 'read a frame', ms: frameMs }, signal, (within) =>
        frameHtml(context, sessions, nth, depth, within),
      ).catch(() => signal.throwIfAborted() ?? '')
    const contents = await Promise.all(Array.from({ length: page.frames }, (_, nth) => read(nth)))
    return page.html.replace(new RegExp(`<!--${page.mark}-(\\d+)-->`, 'g'), (_, nth) => contents[Number(nth)] ?? '')
  } finally {
    end()
  }
}

async function frameHtml(
  context: FrameContext,
  sessions: FrameSessions,
  nth: number,
  depth: number,
  signal: AbortSignal,
) {
  const objectId = await context.refer('foreignFrame', [nth], signal)
  const { node } = await context.session.send('DOM.describeNode', { objectId }, signal)
  if (node.frameId === undefined) return ''
  const session = sessions.get(node.frameId) ?? context.session
  const frame = { session, ...createWorld(session, node.frameId) }
  await frame.call('waitForLoad', [loadMs], signal)
  if (!(await frame.call('isReadableFrame', [], signal))) return ''
  await frame.learnClosedRoots(signal)
  const mark = randomUUID()
  const captured = await frame.call('captureHtml', [maxFrameChars, depth < maxDepth ? mark : null, 'frame'], signal)
  const { html, isCut, frames } = captured
  if (isCut) return ''
  return frames > 0 ? insertFrames(frame, { html, frames, mark }, signal, depth + 1) : html
}

async function attachFrames(session: Session, signal: AbortSignal): Promise<{ sessions: FrameSessions; end(): void }> {
  const sessions = new Map<string, Session>()
  const unsubscribe = session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    sessions.set(targetInfo.targetId, session.child(sessionId))
  })
  const attach = (autoAttach: boolean) =>
    session.send(
      'Target.setAutoAttach',
      { autoAttach, waitForDebuggerOnStart: false, flatten: true, filter: [{ type: 'iframe' }] },
      autoAttach ? signal : undefined,
    )
  await attach(true)
  const end = () => {
    unsubscribe()
    attach(false).catch(() => undefined)
  }
  return { sessions, end }
}

/** Maximum height or width in device pixels: Chromium cannot encode more, and no model accepts it. */
const maxSidePixels = 16_384
const lazyLoadMs = 8000
const screenshotMs = 30_000

/**
 * Takes a screenshot as a data URL: PNG, or JPEG if a quality is given. For a full page, lazy content is loaded first.
 * The viewport is resized for the screenshot and then restored to `usual`.
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
  // Content outside the viewport would make the text of a scaled picture too small to read.
  const width = maxSide === undefined ? page.width : Math.min(page.width, view.clientWidth)
  return clipOf(fullPage ? { x: 0, y: 0, width, height: page.height } : inView, metrics, maxSide)
}

type Box = { x: number; y: number; width: number; height: number }

/** Returns the part of a box that a picture shows: scaled down until its width fits into `maxSide`, then cropped. */
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
