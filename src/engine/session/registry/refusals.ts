import type { SessionRecord, SessionRef } from '../../../contracts/session.ts'
import { fail } from '../../../kernel/error.ts'

/** Returns the session if it belongs to the caller's team; fails with SESSION_NOT_FOUND and JOB_OF_OTHER_TEAM. */
export function authorize<T extends { teamId: string }>(found: T | undefined, { id, teamId }: SessionRef): T {
  if (!found) return fail('SESSION_NOT_FOUND', { details: { id } })
  return found.teamId === teamId ? found : fail('JOB_OF_OTHER_TEAM', { details: { id } })
}

export const gone = (id: string, cause?: unknown): never => fail('SESSION_GONE', { details: { id }, cause })

/** Processes share the database, but each browser belongs to one of them. */
export const elsewhere = (id: string): never =>
  fail('SESSION_NOT_FOUND', {
    message: 'This browser session belongs to another process of Gossamer.',
    hint: 'Call the server that created the session.',
    details: { id },
  })

/** For a session known only from the database. */
export const missing = ({ id, endedAt }: SessionRecord): never => (endedAt === null ? elsewhere(id) : gone(id))
