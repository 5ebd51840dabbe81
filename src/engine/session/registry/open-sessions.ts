import type {
  SessionEvents,
  SessionInfo,
  SessionRecord,
  SessionRecords,
  SessionRef,
  Sessions,
} from '../../../contracts/session-port.ts'
import { sessionCredits } from '../../billing/price.ts'
import type { LiveSession } from '../live-session.ts'
import { authorize, elsewhere, gone, missing } from './session-errors.ts'
import { createRegistry, type Entry, type Registry, type RegistryOptions } from './registry.ts'

export type SessionsOptions = RegistryOptions & {
  canRun: Sessions['canRun']
  /** Returns the base URL of the endpoints for callers that do not use HTTP. */
  ownBaseUrl(): Promise<string>
}
export type OpenSessions = Sessions & {
  listen: SessionEvents
  /** True if this process is opening, running or ending the session. */
  holds(id: string): boolean
  /** Returns the team's open sessions of this process. */
  opened(teamId: string): SessionInfo[]
  end(): Promise<void>
}

/**
 * Implements the sessions port: the registry has the open sessions of this process, the database records of all
 * sessions.
 */
export function createSessions(options: SessionsOptions): OpenSessions {
  const { records } = options
  const registry = createRegistry(options)
  const { find, using, watching } = createAccess(registry, records)
  return {
    listen: registry.listen,
    end: registry.close,
    holds: (id) => registry.entry(id) !== undefined,
    opened: (teamId) => registry.openOf(teamId),
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
    state: (ref) => watching(ref, async (live, facts) => ({ ...facts, tabs: await live.tabs(), doing: live.doing() })),
    execute: (ref, job, signal) => using(ref, (live) => live.execute(job, signal)),
    snapshot: (ref, view, signal) => using(ref, (live) => live.snapshot(view, signal)),
    act: (ref, actions, signal) => using(ref, (live) => live.act(actions, signal)),
    confine: (ref, bounds, signal) => using(ref, (live) => live.confine(bounds, signal)),
    announce: (ref, text) => watching(ref, async (live) => live.announce(text)),
    askViewers: (ref, { message, until }, signal) => using(ref, (live) => live.askViewers(message, until, signal)),
    file: (ref, id) => watching(ref, async (live) => live.file(id)),
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
      if (use !== 'cdp' && !owner.request.streamWebView) return undefined
      const endpoint = await owner.live?.endpoint(use)
      return endpoint && { ...endpoint, teamId: owner.facts.teamId }
    },
  }
}

const openInfo = (entry: Entry | undefined): SessionInfo | undefined => (entry?.ending ? undefined : entry?.facts)

type Work<T> = (live: LiveSession, facts: SessionInfo) => Promise<T>
type LiveEntry = Entry & { live: LiveSession }
/** Looks sessions up for their own team. Fails as documented for Sessions. */
function createAccess(registry: Registry, records: SessionRecords) {
  async function recordOf({ id }: SessionRef): Promise<SessionRecord | undefined> {
    await registry.reaped()
    return records.find(id)
  }

  async function entryOf(ref: SessionRef): Promise<LiveEntry> {
    const entry = registry.entry(ref.id)
    if (!entry) return missing(authorize(await recordOf(ref), ref))
    authorize(entry.facts, ref)
    await entry.opened
    return isLive(entry) ? entry : gone(ref.id)
  }

  return {
    async find(ref: SessionRef): Promise<SessionInfo> {
      const entry = registry.entry(ref.id)
      if (!entry || entry.ending) return infoOf(authorize(await recordOf(ref), ref))
      authorize(entry.facts, ref)
      await entry.opened
      return entry.facts
    },
    /** Runs work that counts as activity from start to end. */
    async using<T>(ref: SessionRef, work: Work<T>): Promise<T> {
      const entry = await entryOf(ref)
      entry.busy += 1
      registry.touch(entry)
      try {
        return await during(entry, work)
      } finally {
        entry.busy -= 1
        registry.touch(entry)
      }
    },
    /** Runs work that does not count as activity. */
    watching: async <T>(ref: SessionRef, work: Work<T>) => during(await entryOf(ref), work),
  }
}

async function during<T>(entry: LiveEntry, work: Work<T>): Promise<T> {
  try {
    return await work(entry.live, entry.facts)
  } catch (cause) {
    // If the session ends during a call, the call's own error is only a symptom.
    if (entry.ending) return gone(entry.facts.id, cause)
    throw cause
  }
}

const isLive = (entry: Entry): entry is LiveEntry => entry.live !== undefined && !entry.ending

function infoOf(record: SessionRecord): SessionInfo {
  const { id, kind, teamId, createdAt, lastActivityAt, expiresAt, streamWebView, endedAt } = record
  const facts = { id, kind, teamId, createdAt, lastActivityAt, expiresAt, streamWebView }
  return endedAt === null ? facts : { ...facts, endedAt }
}
