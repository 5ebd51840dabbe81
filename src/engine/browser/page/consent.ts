import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { once } from '../../../util/async.ts'
import { isNavigationError, PageError } from '../world/isolated-world.ts'
import type { Tab } from './tab.ts'

const pollMs = 100
/** Time limits in ms for a banner to appear, and for its answer. */
const appearMs = 2000
const answerMs = 4000

/** Script of DuckDuckGo's autoconsent (MPL-2.0) with its rules: a file next to the bundle, or in its npm package. */
const script = once(async () => {
  const isBundle = !import.meta.url.endsWith('.ts')
  return isBundle ? readFile(new URL('./autoconsent.js', import.meta.url), 'utf8') : readFile(packagedScript(), 'utf8')
})

export function packagedScript(): string {
  const entry = createRequire(import.meta.url).resolve('@duckduckgo/autoconsent')
  return join(dirname(entry), 'autoconsent.standalone.js')
}

/** Rejects or hides cookie banners in every page of a tab. Must be called before the first navigation. */
export async function refuseConsent({ session }: Tab, signal: AbortSignal): Promise<void> {
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: await script() }, signal)
}

/** Waits until a cookie banner has been answered. Does not wait on a page that breaks the script. */
export async function waitForConsent(tab: Tab, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const state = await probeConsent(tab, signal)
    const waitedMs = performance.now() - startedAt
    if (state === 'answered' || state === 'no banner') return
    if (waitedMs > (state === 'banner found' ? answerMs : appearMs)) return
    await sleep(pollMs, undefined, { signal })
  }
}

type ConsentState = 'looking' | 'no banner' | 'banner found' | 'answered'
type ConsentReport = { lifecycle: string; attempts: number; isDetected: boolean }

/** Reads the last report of the consent script. It runs among the page's own scripts, which may have replaced it. */
const lastReport = `(({ state } = {}) => state && {
  lifecycle: String(state.lifecycle),
  attempts: Number(state.findCmpAttempts),
  isDetected: state.detectedCmps.length > 0,
})((globalThis.autoconsentStandalone?.messages ?? []).filter(({ type, state }) => type === 'report' && state).at(-1))`

function consentStateOf(report: ConsentReport | undefined): ConsentState {
  if (!report) return 'looking'
  if (report.lifecycle === 'done' || report.lifecycle === 'nothingDetected') return 'answered'
  if (report.isDetected) return 'banner found'
  // The script searches twice a second; the second search includes banners of unknown vendors.
  return report.attempts > 2 ? 'no banner' : 'looking'
}

async function probeConsent(tab: Tab, signal: AbortSignal): Promise<ConsentState> {
  try {
    return consentStateOf(await tab.evaluate<ConsentReport | undefined>(lastReport, signal))
  } catch (error) {
    if (isNavigationError(error)) return 'looking'
    if (error instanceof PageError) return 'no banner'
    throw error
  }
}
