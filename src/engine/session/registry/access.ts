import type { SessionFacts, SessionRecord, SessionRecords, SessionRef } from '../../../contracts/session.ts'
import type { LiveSession } from '../live-session.ts'
import type { Entry, Registry } from './registry.ts'
import { own, gone, missing } from './refusals.ts'

type Work<T> = (live: LiveSession, facts: SessionFacts) => Promise<T>
type LiveEntry = Entry & { live: LiveSession }
/** The way into sessions, for their own team only. All fail as Sessions says. */
export type Access = {
  find(ref: SessionRef): Promise<SessionFacts>
  /** Counts as activity from its begin to its end. */
  using<T>(ref: SessionRef, work: Work<T>): Promise<T>
  /** Whoever only watches keeps no session alive. */
  watching<T>(ref: SessionRef, work: Work<T>): Promise<T>
}

export function createAccess(registry: Registry, records: SessionRecords): Access {
  async function recordOf({ id }: SessionRef): Promise<SessionRecord | undefined> {
    await registry.reaped()
    return records.find(id)
  }

  async function entryOf(ref: SessionRef): Promise<LiveEntry> {
    const entry = registry.entry(ref.id)
    if (!entry) return missing(own(await recordOf(ref), ref))
    own(entry.facts, ref)
    await entry.opened
    return isLive(entry) ? entry : gone(ref.id)
  }

  return {
    async find(ref) {
      const entry = registry.entry(ref.id)
      if (!entry || entry.ending) return remembered(own(await recordOf(ref), ref))
      own(entry.facts, ref)
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
    // A browser that ends while something is done in it fails that first.
    if (entry.ending) return gone(entry.facts.id, cause)
    throw cause
  }
}

const isLive = (entry: Entry): entry is LiveEntry => entry.live !== undefined && !entry.ending

/** What is known from the database alone. */
export function remembered(record: SessionRecord): SessionFacts {
  const { id, kind, teamId, createdAt, lastActivityAt, expiresAt, streamWebView, endedAt } = record
  const facts = { id, kind, teamId, createdAt, lastActivityAt, expiresAt, streamWebView }
  return endedAt === null ? facts : { ...facts, endedAt }
}
