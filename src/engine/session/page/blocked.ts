import type { LiveTab } from './live-tab.ts'
import type { OpenDialog } from './dialogs.ts'

/** Work in a page ends, or a dialog opens in which the page stands still until it is answered. */
export async function untilDialog<T>(
  tab: Pick<LiveTab, 'dialogs'>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ value: T } | { dialog: OpenDialog }> {
  const own = new AbortController()
  const within = AbortSignal.any([signal, own.signal])
  const value = work(within).then((done) => ({ value: done }))
  const dialog = tab.dialogs.opened(within).then((open) => ({ dialog: open }))
  // Whichever comes second is of no interest.
  for (const each of [value, dialog]) each.catch(() => undefined)
  try {
    return await Promise.race([value, dialog])
  } finally {
    own.abort(new Error('The work is over.'))
  }
}

export function waitingFor({ kind, message, defaultText }: OpenDialog): string {
  const given = defaultText ? ` (default "${defaultText}")` : ''
  const how = kind === 'prompt' ? '{type: "dialog", accept: true, text: "…"}' : '{type: "dialog", accept: true | false}'
  return `A ${kind} is open and the page waits: "${message}"${given}. Answer it with ${how}.`
}
