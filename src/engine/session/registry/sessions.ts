import type { SessionEvents, SessionInfo, Sessions } from '../../../contracts/session.ts'
import { sessionCredits } from '../../billing/price.ts'
import { createAccess, infoOf } from './access.ts'
import { createRegistry, type Entry, type RegistryOptions } from './registry.ts'
import { authorize, elsewhere } from './refusals.ts'

export type SessionsOptions = RegistryOptions & {
  canRun: Sessions['canRun']
  /** Base URL of the endpoints for callers who did not come over HTTP. */
  ownBaseUrl(): Promise<string>
}
export type OpenSessions = Sessions & {
  listen: SessionEvents
  /** Ends all sessions of this process. */
  end(): Promise<void>
}

/** The sessions port: open sessions from the registry, ended ones from the database. */
export function createSessions(options: SessionsOptions): OpenSessions {
  const { records } = options
  const registry = createRegistry(options)
  const { find, using, watching } = createAccess(registry, records)
  return {
    listen: registry.listen,
    end: registry.close,
    find,
    async create(request, signal) {
      await registry.entry(request.id)?.ending
      const entry = await registry.open(request, signal)
      await entry.opened
      return authorize(entry.facts, request)
    },
    async list(query) {
      await registry.reaped()
      const rows = await records.list(query)
      return rows.map((row) => openInfo(registry.entry(row.id)) ?? infoOf(row))
    },
    canRun: options.canRun,
    state: (ref) => watching(ref, async (live, facts) => ({ ...facts, tabs: await live.tabs() })),
    execute: (ref, job, signal) => using(ref, (live) => live.execute(job, signal)),
    snapshot: (ref, view, signal) => using(ref, (live) => live.snapshot(view, signal)),
    act: (ref, actions, signal) => using(ref, (live) => live.act(actions, signal)),
    screenshot: (ref, signal) => watching(ref, (live) => live.screenshot(signal)),
    async close(ref) {
      const { createdAt, endedAt } = await find(ref)
      const entry = registry.entry(ref.id)
      if (entry) return registry.end(entry, 'closed')
      if (endedAt === undefined) return elsewhere(ref.id)
      return { durationMs: endedAt - createdAt, credits: sessionCredits(endedAt - createdAt) }
    },
    baseUrl: async (callerBaseUrl) => (callerBaseUrl === '' ? options.ownBaseUrl() : callerBaseUrl),
    async endpoint(secret) {
      const { owner, use } = registry.bySecret(secret) ?? {}
      if (!owner || !use || owner.ending) return undefined
      return use === 'cdp' || owner.request.streamWebView ? owner.live?.endpoint(use) : undefined
    },
  }
}

const openInfo = (entry: Entry | undefined): SessionInfo | undefined => (entry?.ending ? undefined : entry?.facts)
