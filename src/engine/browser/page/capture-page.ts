import { randomUUID } from 'node:crypto'
import { withDeadline } from '../../../util/async.ts'
import { inFrame } from '../acts/call-page.ts'
import type { LiveFrame } from '../acts/tab-frames.ts'
import type { Tab } from './tab.ts'

const captureMs = 20_000

export type Captured = { html: string; url: string; isCut: boolean }

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

/** Reads a document, and inserts the content of cross-origin frames after them. */
async function read(tab: Tab, frame: LiveFrame, how: Reading, signal: AbortSignal): Promise<Captured> {
  const { maxChars, as, depth } = how
  const mark = randomUUID()
  const used = depth < maxDepth ? mark : null
  const { frames, ...page } = await inFrame(tab, frame, 'captureHtml', [maxChars, used, as], signal)
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
