import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js'
import type { Log } from '../../../kernel/log.ts'
import { abortReason } from '../../../util/async.ts'
import type { CdpMessage, Wire } from './cdp-wire.ts'

type Events = ProtocolMapping.Events
type Commands = ProtocolMapping.Commands
export type CdpMethod = keyof Commands
export type CdpParams<M extends CdpMethod> = Commands[M]['paramsType'] extends []
  ? Record<string, never>
  : Sent<NonNullable<Commands[M]['paramsType'][0]>>
/** Parameters are only read, so lists may be readonly. */
type Sent<T> = T extends object ? { readonly [K in keyof T]: Sent<T[K]> } : T

export type Session = {
  /** '' for the browser itself. */
  readonly id: string
  /** Sends a command. Fails with a CdpError or the signal's reason; later results are dropped. */
  send<M extends CdpMethod>(method: M, params: CdpParams<M>, signal?: AbortSignal): Promise<Commands[M]['returnType']>
  on<E extends keyof Events>(event: E, listener: (params: Events[E][0]) => void): () => void
  /** Creates the session that an event announces. Must be called in the listener, otherwise its first events are lost. */
  child(sessionId: string): Session
  detach(): Promise<void>
  /** Resolves when the page was closed or has crashed, or the browser is gone. Never rejects. */
  readonly ended: Promise<SessionEnd>
}

export function createSession(router: Router, id: string, parent: string, log: Pick<Log, 'error'>): Session {
  const listeners = new Map<string, Set<(params: never) => void>>()
  const { promise: ended, resolve } = Promise.withResolvers<SessionEnd>()
  let endReason: SessionEnd | undefined

  function event({ method = '', params = {} }: CdpMessage): void {
    for (const listener of Array.from(listeners.get(method) ?? [])) {
      try {
        listener(params as never)
      } catch (error) {
        log.error('browser.listener', { method, error })
      }
    }
    // The session stays attached after a crash, but calls are never answered.
    if (method === 'Inspector.targetCrashed') router.end(id, 'crashed')
  }

  router.subscribe(id, parent, {
    event,
    end: (why) => {
      endReason = why
      listeners.clear()
      resolve(why)
    },
  })

  return {
    id,
    ended,
    send(method, params, signal) {
      if (endReason) return Promise.reject(CdpError.ended(method, endReason))
      return call(router, { method, params: params as CdpMessage['params'] & object, sessionId: id }, signal) as never
    },
    on(name, listener) {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known.add(listener))
      return () => void known.delete(listener)
    },
    child: (sessionId) => createSession(router, sessionId, id, log),
    async detach() {
      if (!endReason && id !== browserSession) await detach(router, id, parent)
    },
  }
}

/** Ends a session here immediately, and in the browser as soon as it processes the call. */
export async function detach(router: Router, sessionId: string, parent = browserSession): Promise<void> {
  const detached = call(router, { method: 'Target.detachFromTarget', params: { sessionId }, sessionId: parent })
  router.end(sessionId, 'detached')
  // The page may already be closed.
  await detached.catch(() => undefined)
}

/** Sends one call and returns its result. `onResult` runs before any message after the result is handled. */
export function call<T = CdpMessage['result']>(
  router: Router,
  { method, params, sessionId }: { method: string; params: NonNullable<CdpMessage['params']>; sessionId: string },
  signal?: AbortSignal,
  onResult: (result: NonNullable<CdpMessage['result']>) => T = (result) => result as T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortReason(signal))
    const onAbort = () => {
      router.forget(id)
      if (signal) reject(abortReason(signal))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    const id = router.call(
      { method, params, sessionId },
      {
        resolve: ({ error, result = {} }) => {
          signal?.removeEventListener('abort', onAbort)
          if (error) reject(CdpError.refused(method, error))
          else resolve(onResult(result))
        },
        fail: (why) => {
          signal?.removeEventListener('abort', onAbort)
          reject(CdpError.ended(method, why))
        },
      },
    )
  })
}

/** Reason why a session ended: its page was closed or crashed, or the browser is gone. */
type SessionEnd = 'detached' | 'crashed' | 'closed'

const endReasons: Record<SessionEnd, string> = {
  detached: 'the page was closed',
  crashed: 'the page crashed',
  closed: 'the connection to the browser was closed',
}

/** A call that was refused (with a code) or cannot be answered. The message may contain page text, so only log it. */
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
type PendingCall = {
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
    const pending = calls.get(received.id)
    calls.delete(received.id)
    pending?.resolve(received)
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
    for (const [id, pending] of calls) if (pending.sessionId === sessionId && calls.delete(id)) pending.fail(why)
    session.listener.end(why, sessionId)
  }

  wire.listen({
    message,
    end: (why) => {
      isOpen = false
      for (const id of sessions.keys()) end(id, 'closed')
      for (const pending of calls.values()) pending.fail('closed')
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
