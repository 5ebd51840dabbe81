import { randomUUID } from 'node:crypto'
import { withDeadline } from './deadline.ts'
import { withFrames } from './frames.ts'
import { findClosedFrames } from './in-page/frames.ts'
import { serialise } from './in-page/serialise.ts'
import type { Tab } from './tab.ts'

const captureMs = 20_000

export type Captured = { html: string; url: string; isCut: boolean }

/** The page as it stands, as one string of HTML of at most so many characters, and where it is. */
export function capture(tab: Tab, maxChars: number, signal: AbortSignal): Promise<Captured> {
  return withDeadline({ step: 'read the page', ms: captureMs }, signal, async (within) => {
    const mark = randomUUID()
    const [frames, page] = await Promise.all([
      tab.call(findClosedFrames, [], within),
      tab.call(serialise, [maxChars, mark, 'page'], within),
    ])
    if (frames === 0) return page
    const html = await withFrames(tab, { html: page.html, frames, mark }, within)
    return { ...page, html: html.slice(0, maxChars), isCut: page.isCut || html.length > maxChars }
  })
}
