import type { Log } from '../../../kernel/log.ts'
import type { Connection } from '../cdp/connection.ts'
import type { Tab } from '../page/tab.ts'
import { collectState, restoreState } from './state.ts'
import { watchOrigins } from './storage-page.ts'
import type { OpenProfile } from './store.ts'

export type ProfileTab = {
  connection: Pick<Connection, 'browser' | 'attach'>
  /** A page that has not navigated yet. */
  tab: Pick<Tab, 'session' | 'contextId' | 'reuse'>
  profile: OpenProfile
  log: Pick<Log, 'warn'>
}

/**
 * Runs work in a page with the storage of a profile, and saves the storage afterwards if the profile was opened for that.
 * Work that fails saves nothing. A profile that cannot be saved is a warning: the work was done all the same.
 */
export async function withState<T>(
  { connection, tab, profile, log }: ProfileTab,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<{ result: T; warnings: string[] }> {
  const context = { connection, contextId: tab.contextId }
  const restore = () => restoreState(context, profile.state, signal)
  const restored = await (tab.reuse ? tab.reuse.once(restore) : restore())
  const origins = await watchOrigins(context, tab.session, signal)
  try {
    const result = await work()
    if (!profile.saveChanges) return { result, warnings: restored.warnings }
    const saved = await save().catch((error: unknown) => {
      signal.throwIfAborted()
      log.warn('profile.save', { error })
      return ['The changes could not be saved to the profile.']
    })
    return { result, warnings: [...restored.warnings, ...saved] }
  } finally {
    origins.stop()
  }

  async function save(): Promise<string[]> {
    const options = { visited: origins.seen(), before: profile.state, partial: restored.partial }
    const { state, warnings } = await collectState(context, options, signal)
    await profile.save(state)
    return warnings
  }
}
