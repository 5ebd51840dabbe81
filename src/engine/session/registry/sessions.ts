import type { SessionEvents, SessionFacts, Sessions } from '../../../contracts/session.ts'
import { sessionCredits } from '../../billing/price.ts'
import { createAccess, remembered } from './access.ts'
import { createRegistry, type Entry, type RegistryOptions } from './registry.ts'
import { own, elsewhere } from './refusals.ts'

export type SessionsOptions = RegistryOptions & {
  canRun: Sessions['canRun']
  /** Where viewers reach the sessions of callers who came over no network. */
  ownBaseUrl(): Promise<string>
}
export type OpenSessions = Sessions & {
  listen: SessionEvents
  /** Ends all sessions of this process. */
  end(): Promise<void>
}

/** The port of live browsers: the registry's, and what the database remembers of those that were. */
export function createSessions(options: SessionsOptions): OpenSessions {
  const { records } = options
  const registry = createRegistry(options)
  const { find, using, watching } = createAccess(registry, records)
  return {
    listen: registry.listen,
    end: registry.close,
    find,
    async create(wish, signal) {
      await registry.entry(wish.id)?.ending
      const entry = await registry.open(wish, signal)
      await entry.opened
      return own(entry.facts, wish)
    },
    async list(query) {
      await registry.reaped()
      const rows = await records.list(query)
      return rows.map((row) => liveFacts(registry.entry(row.id)) ?? remembered(row))
    },
    canRun: options.canRun,
    state: (ref) => watching(ref, async (live, facts) => ({ ...facts, tabs: await live.tabs() })),
    execute: (ref, job, signal) => using(ref, (live) => live.execute(job, signal)),
    snapshot: (ref, wish, signal) => using(ref, (live) => live.snapshot(wish, signal)),
    act: (ref, acts, signal) => using(ref, (live) => live.act(acts, signal)),
    picture: (ref, signal) => watching(ref, (live) => live.picture(signal)),
    async close(ref) {
      const { createdAt, endedAt } = await find(ref)
      const entry = registry.entry(ref.id)
      if (entry) return registry.end(entry, 'closed')
      if (endedAt === undefined) return elsewhere(ref.id)
      return { durationMs: endedAt - createdAt, credits: sessionCredits(endedAt - createdAt) }
    },
    baseUrl: async (callers) => (callers === '' ? options.ownBaseUrl() : callers),
    async door(key) {
      const { owner, use } = registry.byKey(key) ?? {}
      if (!owner || !use || owner.ending) return undefined
      return use === 'cdp' || owner.wish.streamWebView ? owner.live?.door(use) : undefined
    },
  }
}

const liveFacts = (entry: Entry | undefined): SessionFacts | undefined => (entry?.ending ? undefined : entry?.facts)
