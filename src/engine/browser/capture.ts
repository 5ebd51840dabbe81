import { withDeadline } from './deadline.ts'
import { serialise } from './in-page/serialise.ts'
import type { Tab } from './tab.ts'

const captureMs = 20_000

export type Captured = { html: string; url: string; isCut: boolean }

/** The page as it stands, as one string of HTML of at most so many characters, and where it is. */
export function capture(tab: Tab, maxChars: number, signal: AbortSignal): Promise<Captured> {
  return withDeadline({ step: 'read the page', ms: captureMs }, signal, (within) =>
    tab.call(serialise, [maxChars], within),
  )
}
