import type { SessionEnd } from './error.ts'
import type { CdpMessage, Wire } from './shapes.ts'

/** Who waits for an answer. Exactly one of the two is called, unless it is forgotten before. */
export type Waiting = {
  answer(message: CdpMessage): void
  fail(why: SessionEnd): void
}

/** Who hears what happens in a session. */
export type Hearer = {
  event(message: CdpMessage): void
  /** Called once; the session is gone. */
  end(why: SessionEnd, sessionId: string): void
}

export type Router = {
  readonly wire: Wire
  /** Sends a call under an id of this connection, which it returns. `message.sessionId` '' or none is the browser. */
  call(message: { method: string; params?: CdpMessage['params']; sessionId: string }, waiting: Waiting): number
  /** The answer to that call is not wanted any more. */
  forget(id: number): void
  /** From now on `hearer` hears that session. Sessions below `parent` end with it. */
  own(sessionId: string, parent: string, hearer: Hearer): void
  owner(sessionId: string): Hearer | undefined
  /** Ends a session and those below it: open calls fail and the hearers are told. */
  end(sessionId: string, why: SessionEnd): void
}

/** The session id of the browser itself, whose messages carry none. */
export const browserSession = ''

/**
 * Tells the messages of many sessions and clients apart on one wire. Every call gets an id of its own, because an answer
 * to a session that has just gone comes without its session id.
 */
export function createRouter(wire: Wire, closed: (why: string) => void): Router {
  const calls = new Map<number, Waiting & { sessionId: string }>()
  const sessions = new Map<string, { parent: string; hearer: Hearer }>()
  let lastId = 0
  let isOpen = true

  function message(received: CdpMessage): void {
    if (received.id === undefined) return event(received)
    const call = calls.get(received.id)
    calls.delete(received.id)
    call?.answer(received)
  }

  function event(received: CdpMessage): void {
    sessions.get(received.sessionId ?? browserSession)?.hearer.event(received)
    if (received.method === 'Target.detachedFromTarget') end(String(received.params?.['sessionId']), 'detached')
  }

  function end(sessionId: string, why: SessionEnd): void {
    const session = sessions.get(sessionId)
    if (!session) return
    sessions.delete(sessionId)
    for (const [id, { parent }] of sessions) if (parent === sessionId) end(id, why)
    for (const [id, call] of calls) {
      if (call.sessionId !== sessionId) continue
      calls.delete(id)
      call.fail(why)
    }
    session.hearer.end(why, sessionId)
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
    call({ method, params, sessionId }, waiting) {
      lastId += 1
      if (!isOpen) {
        waiting.fail('closed')
        return lastId
      }
      calls.set(lastId, { sessionId, answer: waiting.answer, fail: waiting.fail })
      wire.send({ id: lastId, method, ...(params && { params }), ...(sessionId !== browserSession && { sessionId }) })
      return lastId
    },
    forget: (id) => void calls.delete(id),
    own: (sessionId, parent, hearer) => void sessions.set(sessionId, { parent, hearer }),
    owner: (sessionId) => sessions.get(sessionId)?.hearer,
    end,
  }
}
