import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Caller } from '../server-options.ts'
import type { NewServer } from '../server.ts'

export type SessionLimits = {
  /** A session unused for this time is closed. */
  sessionTtlMs: number
  /** Beyond this number, the least recently used session of the team with the most sessions is closed. */
  maxSessions: number
  now: () => number
}

type Session = {
  transport: WebStandardStreamableHTTPServerTransport
  teamId: string
  usedAt: number
  /** Open streams on which the client listens; a session with one is in use. */
  streams: number
}
export type Sessions = {
  /** The transport of a session of this team; undefined if there is none. */
  find(id: string, teamId: string): WebStandardStreamableHTTPServerTransport | undefined
  /** A transport for a client that is about to initialize. */
  create(caller: Caller): Promise<WebStandardStreamableHTTPServerTransport>
  /** Keeps a session in use until the signal fires. */
  hold(id: string, until: AbortSignal): void
  count(): number
  close(): Promise<void>
}

/** Sessions of clients with a protocol before 2026-07-28, bound to the team that opened them. */
export function createSessions(newServer: NewServer, limits: SessionLimits & { newId(): string }): Sessions {
  const sessions = new Map<string, Session>()
  const isIdle = ({ streams, usedAt }: Session) => streams === 0 && usedAt + limits.sessionTtlMs <= limits.now()

  const dismiss = (id: string) => {
    const session = sessions.get(id)
    sessions.delete(id)
    return session?.transport.close()
  }
  /** No timer: idle sessions are closed when a new one is opened, and the limit bounds them until then. */
  const makeRoom = () => {
    for (const [id, session] of sessions) if (isIdle(session)) void dismiss(id)
    if (sessions.size < limits.maxSessions) return
    const counts = Map.groupBy(sessions.values(), ({ teamId }) => teamId)
    const share = (session: Session) => counts.get(session.teamId)?.length ?? 0
    // The team with the most sessions loses one, so no team can displace another's.
    const order = (a: Session, b: Session) => share(b) - share(a) || a.streams - b.streams || a.usedAt - b.usedAt
    const [first] = [...sessions].sort(([, a], [, b]) => order(a, b))
    if (first) void dismiss(first[0])
  }
  return {
    find: (id, teamId) => {
      const session = sessions.get(id)
      if (!session || session.teamId !== teamId) return undefined
      if (isIdle(session)) return void dismiss(id)
      session.usedAt = limits.now()
      return session.transport
    },
    create: async (caller) => {
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: limits.newId,
        onsessioninitialized: (id) => {
          makeRoom()
          sessions.set(id, { transport, teamId: caller.team.id, usedAt: limits.now(), streams: 0 })
        },
      })
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport knows no listeners
      transport.onclose = () => void sessions.delete(transport.sessionId ?? '')
      await newServer(caller, 'subscribed').connect(transport)
      return transport
    },
    hold: (id, until) => {
      const session = sessions.get(id)
      if (!session || until.aborted) return
      session.streams += 1
      until.addEventListener('abort', () => {
        session.streams -= 1
        session.usedAt = limits.now()
      })
    },
    count: () => sessions.size,
    close: async () => {
      await Promise.all([...sessions.keys()].map(dismiss))
    },
  }
}
