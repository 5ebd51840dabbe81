/// <reference lib="dom" />

export type ConsentState = 'looking' | 'nothing seen' | 'seen' | 'answered'
type Report = { lifecycle: string; findCmpAttempts: number; detectedCmps: string[] }
type Told = { type: string; state?: Report }

/** Runs among the page's own scripts, where the consent script is: how far it has come, by its last report. */
export function consentState(): ConsentState {
  const { autoconsentStandalone } = globalThis as { autoconsentStandalone?: { messages?: Told[] } }
  const reports = (autoconsentStandalone?.messages ?? []).flatMap(({ type, state }) =>
    type === 'report' && state ? [state] : [],
  )
  const last = reports.at(-1)
  if (!last) return 'looking'
  if (last.lifecycle === 'done' || last.lifecycle === 'nothingDetected') return 'answered'
  if (last.detectedCmps.length > 0) return 'seen'
  // It looks twice a second, the second time for banners of no known maker.
  return last.findCmpAttempts > 2 ? 'nothing seen' : 'looking'
}
