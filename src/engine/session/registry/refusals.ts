import type { SessionInfo, SessionRecord, SessionRef } from '../../../contracts/session-port.ts'
import { fail } from '../../../kernel/error.ts'

/** Returns the session if it belongs to the caller's team; fails with SESSION_NOT_FOUND and JOB_OF_OTHER_TEAM. */
export function authorize<T extends { teamId: string }>(found: T | undefined, { id, teamId }: SessionRef): T {
  if (!found) return fail('SESSION_NOT_FOUND', { details: { id } })
  return found.teamId === teamId ? found : fail('JOB_OF_OTHER_TEAM', { details: { id } })
}

export const gone = (id: string, cause?: unknown): never => fail('SESSION_GONE', { details: { id }, cause })

/** Processes share the database, but each browser belongs to one of them, which the others cannot reach. */
export const elsewhere = (id: string): never =>
  fail('SESSION_NOT_FOUND', {
    message: 'This browser session belongs to another process of Gossamer.',
    hint: 'Call the server that created the session. Servers reach each other’s sessions by GOSSAMER_NODE_URL and GOSSAMER_NODE_SECRET.',
    details: { id },
  })

/** For a session known only from the database. */
export const missing = ({ id, endedAt, why }: SessionRecord): never => {
  if (endedAt === null) return elsewhere(id)
  return why === 'process' ? lostWithServer(id) : gone(id)
}

/** Its server has died, or lost its place among the others. */
export const lostWithServer = (id: string): never =>
  fail('SESSION_GONE', { message: 'The server that held this browser session has ended.', details: { id } })

/** Names the team's own sessions, which it may close; where it has none, the others' are in the way. */
export function limitReached(alive: readonly SessionInfo[], teamId: string, maxSessions: number): never {
  const sessions = idsOf(alive, teamId)
  const isOthers = sessions.length === 0 && {
    message: 'All browser sessions are in use.',
    hint: 'Wait until one ends, then call again. The operator sets their number with GOSSAMER_MAX_SESSIONS.',
  }
  return fail('SESSION_LIMIT', { ...isOthers, details: { maxSessions, sessions } })
}

/** Its sessions may also be in other processes. */
export const ownLimitReached = (alive: readonly SessionInfo[], teamId: string, maxSessions: number): never =>
  fail('SESSION_LIMIT', {
    ...(maxSessions === 0 && { message: 'The team may open no browser sessions.', hint: 'Ask the operator.' }),
    details: { maxSessions, sessions: idsOf(alive, teamId) },
  })

const idsOf = (alive: readonly SessionInfo[], teamId: string) =>
  alive.filter((each) => each.teamId === teamId).map(({ id }) => id)
