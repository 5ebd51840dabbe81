import { randomBytes, timingSafeEqual } from 'node:crypto'

/** Someone who is logged in. The id is in the cookie, the token in the page: a request needs both. */
export type DashboardSession = {
  id: string
  token: string
  /** What the key was sent as, judged anew at each request; undefined where no key is needed. */
  authorization: string | undefined
  usedAt: number
}
export type DashboardSessions = {
  open(authorization: string | undefined): DashboardSession
  find(id: string | undefined): DashboardSession | undefined
  end(id: string): void
}

const idleMs = 12 * 3_600_000
const mostSessions = 1000

/** Logins live in memory: a restart ends them, and nothing of them is on disk. */
export function createDashboardSessions(now: () => number = Date.now): DashboardSessions {
  const sessions = new Map<string, DashboardSession>()
  return {
    open(authorization) {
      const oldest = sessions.size >= mostSessions ? sessions.keys().next().value : undefined
      if (oldest !== undefined) sessions.delete(oldest)
      const session = { id: secret(), token: secret(), authorization, usedAt: now() }
      sessions.set(session.id, session)
      return session
    },
    find(id) {
      const session = id === undefined ? undefined : sessions.get(id)
      if (!session) return undefined
      sessions.delete(session.id)
      if (now() - session.usedAt > idleMs) return undefined
      // Last in the map is what was used last.
      session.usedAt = now()
      sessions.set(session.id, session)
      return session
    },
    end: (id) => void sessions.delete(id),
  }
}

const secret = () => randomBytes(32).toString('base64url')

export function isToken({ token }: DashboardSession, sent: string | null): boolean {
  const [own, other] = [Buffer.from(token), Buffer.from(sent ?? '')]
  return own.length === other.length && timingSafeEqual(own, other)
}
