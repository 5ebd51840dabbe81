import type { Log } from '../../../kernel/log.ts'
import type { Connection } from '../cdp/connection.ts'
import type { Tab } from '../page/tab.ts'
import { collectState, restoreState } from './state.ts'
import { watchOrigins } from './storage-page.ts'
import type { HeldProfile } from './store.ts'

export type StateVisit = {
  connection: Pick<Connection, 'browser' | 'attach'>
  /** A page that went nowhere yet. */
  tab: Pick<Tab, 'session' | 'contextId' | 'reused'>
  held: HeldProfile
  log: Pick<Log, 'warn'>
}

/**
 * Runs work in a page that has the storage of a profile, and saves what it then has, if the profile was opened for that.
 * Work that fails saves nothing. A profile that could not be saved is told in `warnings`: the work is done all the same.
 */
export async function withState<T>(
  { connection, tab, held, log }: StateVisit,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<{ made: T; warnings: string[] }> {
  const place = { connection, contextId: tab.contextId }
  const restore = () => restoreState(place, held.state, signal)
  const restored = await (tab.reused ? tab.reused.once(restore) : restore())
  const origins = await watchOrigins(place, tab.session, signal)
  try {
    const made = await work()
    if (!held.saveChanges) return { made, warnings: restored.warnings }
    const saved = await save().catch((error: unknown) => {
      signal.throwIfAborted()
      log.warn('profile.save', { error })
      return ['The changes could not be saved to the profile.']
    })
    return { made, warnings: [...restored.warnings, ...saved] }
  } finally {
    origins.stop()
  }

  async function save(): Promise<string[]> {
    const wish = { visited: origins.seen(), before: held.state, partial: restored.partial }
    const { state, warnings } = await collectState(place, wish, signal)
    await held.save(state)
    return warnings
  }
}
