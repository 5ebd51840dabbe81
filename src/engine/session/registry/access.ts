import type { SessionInfo, SessionRecord, SessionRecords, SessionRef } from '../../../contracts/session.ts'
import type { LiveSession } from '../live-session.ts'
import type { Entry, Registry } from './registry.ts'
import { authorize, gone, missing } from './refusals.ts'

type Work<T> = (live: LiveSession, facts: SessionInfo) => Promise<T>
type LiveEntry = Entry & { live: LiveSession }
/** Looks sessions up for their own team. Fails as Sessions documents. */
export type Access = {
  find(ref: SessionRef): Promise<SessionInfo>
  /** Counts as activity from start to end. */
  using<T>(ref: SessionRef, work: Work<T>): Promise<T>
  /** Does not count as activity. */
  watching<T>(ref: SessionRef, work: Work<T>): Promise<T>
}

export function createAccess(registry: Registry, records: SessionRecords): Access {
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
    async find(ref) {
      const entry = registry.entry(ref.id)
      if (!entry || entry.ending) return infoOf(authorize(await recordOf(ref), ref))
      authorize(entry.facts, ref)
      await entry.opened
      return entry.facts
    },
    async using(ref, work) {
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
    watching: async (ref, work) => during(await entryOf(ref), work),
  }
}

async function during<T>(entry: LiveEntry, work: Work<T>): Promise<T> {
  try {
    return await work(entry.live, entry.facts)
  } catch (cause) {
    // When the session ends during a call, the call's own error is only a symptom.
    if (entry.ending) return gone(entry.facts.id, cause)
    throw cause
  }
}

const isLive = (entry: Entry): entry is LiveEntry => entry.live !== undefined && !entry.ending

/** A session known only from the database. */
export function infoOf(record: SessionRecord): SessionInfo {
  const { id, kind, teamId, createdAt, lastActivityAt, expiresAt, streamWebView, endedAt } = record
  const facts = { id, kind, teamId, createdAt, lastActivityAt, expiresAt, streamWebView }
  return endedAt === null ? facts : { ...facts, endedAt }
}
