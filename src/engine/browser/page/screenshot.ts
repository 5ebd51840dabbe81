import type { Shot } from '../../../contracts/render.ts'
import { withDeadline } from '../../../util/deadline.ts'
import { type Metrics, metricsOf } from '../emulation/emulate.ts'
import { settle } from './settle.ts'
import type { Tab } from './tab.ts'

/** Chromium cannot encode higher pictures, and no model can take them. In pixels of the picture. */
const maxHeight = 16_384
const loadMs = 8000
const shotMs = 30_000

/**
 * A picture as a data URL: PNG, or JPEG when a quality is given. The full page is loaded to its end before. The page is
 * shown in the size of the shot meanwhile, and as `usual` again afterwards.
 */
export async function takeScreenshot(tab: Tab, shot: Shot, usual: Metrics, signal: AbortSignal): Promise<string> {
  const { viewport } = shot
  const isOther = viewport && (viewport.width !== usual.width || viewport.height !== usual.height)
  const metrics = isOther ? metricsOf({ mobile: usual.mobile, viewport }) : usual
  if (isOther) await resize(tab, metrics, signal)
  try {
    return await shoot(tab, shot, maxHeight / metrics.deviceScaleFactor, signal)
  } finally {
    if (isOther && !signal.aborted) await resize(tab, usual, signal)
  }
}

async function resize(tab: Tab, metrics: Metrics, signal: AbortSignal): Promise<void> {
  await tab.session.send('Emulation.setDeviceMetricsOverride', metrics, signal)
  await settle(tab, { quietMs: 100, staticQuietMs: 50, maxMs: 1000 }, signal)
}

async function shoot(tab: Tab, { fullPage, quality }: Shot, maxCssHeight: number, signal: AbortSignal) {
  if (fullPage) await loadAll(tab, maxCssHeight, signal)
  const format = quality === undefined ? ({ format: 'png' } as const) : ({ format: 'jpeg', quality } as const)
  const clip = fullPage ? { clip: await wholePage(tab, maxCssHeight, signal), captureBeyondViewport: true } : {}
  const { data } = await withDeadline({ step: 'take a screenshot', ms: shotMs }, signal, (within) =>
    tab.session.send('Page.captureScreenshot', { ...format, ...clip }, within),
  )
  return `data:image/${format.format};base64,${data}`
}

async function wholePage({ session }: Tab, maxCssHeight: number, signal: AbortSignal) {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics', {}, signal)
  const width = Math.min(Math.max(1, cssContentSize.width), maxHeight)
  return { x: 0, y: 0, width, height: Math.min(Math.max(1, cssContentSize.height), maxCssHeight), scale: 1 }
}

/** What does not come in time is missing in the picture; that is no reason to have none. */
async function loadAll(tab: Tab, maxCssHeight: number, signal: AbortSignal): Promise<void> {
  await withDeadline({ step: 'load the page to its end', ms: loadMs }, signal, (within) =>
    tab.call('loadLazy', [maxCssHeight, loadMs / 2], within),
  ).catch(() => signal.throwIfAborted())
}
