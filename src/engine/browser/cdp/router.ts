import type { CdpMessage, Wire } from './cdp-wire.ts'

/** Reason why a session ended: its page was closed or crashed, or the browser is gone. */
export type SessionEnd = 'detached' | 'crashed' | 'closed'

const endReasons: Record<SessionEnd, string> = {
  detached: 'the page was closed',
  crashed: 'the page crashed',
  closed: 'the connection to the browser was closed',
}

/** A call that was refused (with a code) or cannot be answered. The message may contain page text: for logs only. */
export class CdpError extends Error {
  override readonly name = 'CdpError'
  readonly why: SessionEnd | 'refused'
  readonly method: string
  readonly code: number | undefined

  private constructor(why: SessionEnd | 'refused', method: string, message: string, code?: number) {
    super(`${method}: ${message}`)
    this.why = why
    this.method = method
    this.code = code
  }

  static refused(method: string, error: { code: number; message: string }): CdpError {
    return new CdpError('refused', method, error.message, error.code)
  }

  static ended(method: string, why: SessionEnd): CdpError {
    return new CdpError(why, method, endReasons[why])
  }
}

/** Callbacks of a pending call. Exactly one is called, unless the call is forgotten first. */
export type PendingCall = {
  resolve(message: CdpMessage): void
  fail(why: SessionEnd): void
}

export type SessionListener = {
  event(message: CdpMessage): void
  end(why: SessionEnd, sessionId: string): void
}

export type Router = ReturnType<typeof createRouter>

type RoutedCall = { method: string; params?: CdpMessage['params']; sessionId: string }

/** Session id of the browser itself, whose messages have no session id. */
export const browserSession = ''

/** Routes many sessions on one wire. Call ids are unique, because late responses have no session id. */
export function createRouter(wire: Wire, closed: (why: string) => void) {
  const calls = new Map<number, PendingCall & { sessionId: string }>()
  const sessions = new Map<string, { parent: string; listener: SessionListener }>()
  let lastId = 0
  let isOpen = true

  function message(received: CdpMessage): void {
    if (received.id === undefined) return event(received)
    const call = calls.get(received.id)
    calls.delete(received.id)
    call?.resolve(received)
  }

  function event(received: CdpMessage): void {
    sessions.get(received.sessionId ?? browserSession)?.listener.event(received)
    if (received.method === 'Target.detachedFromTarget') end(String(received.params?.['sessionId']), 'detached')
  }

  function end(sessionId: string, why: SessionEnd): void {
    const session = sessions.get(sessionId)
    if (!session) return
    sessions.delete(sessionId)
    for (const [id, { parent }] of sessions) if (parent === sessionId) end(id, why)
    for (const [id, call] of calls) if (call.sessionId === sessionId && calls.delete(id)) call.fail(why)
    session.listener.end(why, sessionId)
  }

  wire.listen({
    message,
    end: (why) => {
      isOpen = false
      for (const id of sessions.keys()) end(id, 'closed')
      for (const call of calls.values()) call.fail('closed')
      calls.clear()
      closed(why)
    },
  })

  return {
    wire,
    /** Sends a call with a new id, which it returns. The session id '' is the browser itself. */
    call({ method, params, sessionId }: RoutedCall, pending: PendingCall): number {
      const id = ++lastId
      const session = sessionId === browserSession ? {} : { sessionId }
      if (isOpen) {
        calls.set(id, { ...pending, sessionId })
        wire.send({ id, method, ...(params && { params }), ...session })
      } else pending.fail('closed')
      return id
    },
    forget: (id: number) => void calls.delete(id),
    /** Sends events of that session to the listener from now on. The session ends together with `parent`. */
    subscribe: (sessionId: string, parent: string, listener: SessionListener) =>
      void sessions.set(sessionId, { parent, listener }),
    listenerOf: (sessionId: string) => sessions.get(sessionId)?.listener,
    end,
  }
}
