import type { Log } from '../../../kernel/log.ts'
import { CdpError, type SessionEnd } from './error.ts'
import type { CdpEvents } from './events.ts'
import type { CdpMethods } from './methods.ts'
import { browserSession, type Router } from './router.ts'
import type { CdpMessage } from './shapes.ts'

export type Session = {
  /** '' for the browser itself. */
  readonly id: string
  /** Fails with a CdpError, or with the signal's reason; an answer that comes after an abort is dropped. */
  send<M extends keyof CdpMethods>(
    method: M,
    params: CdpMethods[M]['params'],
    signal?: AbortSignal,
  ): Promise<CdpMethods[M]['result']>
  /** Returns what ends the listening. */
  on<E extends keyof CdpEvents>(event: E, listener: (params: CdpEvents[E]) => void): () => void
  /** A session that Target.attachedToTarget announced here (frames of other sites, workers). To be called in the listener itself, or its first events are lost. */
  child(sessionId: string): Session
  /** Lets go of the page without closing it. */
  detach(): Promise<void>
  /** Resolves when the page has left or crashed or the browser is gone. Never rejects. */
  readonly ended: Promise<SessionEnd>
}

type Listener = (params: never) => void

export function createSession(router: Router, id: string, parent: string, log: Pick<Log, 'error'>): Session {
  const listeners = new Map<string, Set<Listener>>()
  const { promise: ended, resolve } = Promise.withResolvers<SessionEnd>()
  let over: SessionEnd | undefined

  function event({ method = '', params = {} }: CdpMessage): void {
    for (const listener of Array.from(listeners.get(method) ?? [])) {
      try {
        listener(params as never)
      } catch (error) {
        log.error('browser.listener', { method, error })
      }
    }
    // The session stays attached after a crash, yet nothing it is asked is ever answered.
    if (method === 'Inspector.targetCrashed') router.end(id, 'crashed')
  }

  router.own(id, parent, {
    event,
    end: (why) => {
      over = why
      listeners.clear()
      resolve(why)
    },
  })

  return {
    id,
    ended,
    send(method, params, signal) {
      if (over) return Promise.reject(CdpError.ended(method, over))
      return call(router, { method, params: params as CdpMessage['params'] & object, sessionId: id }, signal) as never
    },
    on(name, listener) {
      const heard = listeners.get(name) ?? new Set()
      listeners.set(name, heard.add(listener))
      return () => void heard.delete(listener)
    },
    child: (sessionId) => createSession(router, sessionId, id, log),
    async detach() {
      if (!over && id !== browserSession) await detach(router, id, parent)
    },
  }
}

/** Lets go of a session: at once here, and in the browser when it comes to it. */
export async function detach(router: Router, sessionId: string, parent = browserSession): Promise<void> {
  const left = call(router, { method: 'Target.detachFromTarget', params: { sessionId }, sessionId: parent })
  router.end(sessionId, 'detached')
  // A page that has left by itself needs no leave-taking.
  await left.catch(() => undefined)
}

type Call = { method: string; params: NonNullable<CdpMessage['params']>; sessionId: string }

/** One call and its result. `settled` runs before anything that follows the answer on the wire is heard. */
export function call<T = CdpMessage['result']>(
  router: Router,
  { method, params, sessionId }: Call,
  signal?: AbortSignal,
  settled: (result: NonNullable<CdpMessage['result']>) => T = (result) => result as T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const leave = () => {
      router.forget(id)
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', leave, { once: true })
    const id = router.call(
      { method, params, sessionId },
      {
        answer: ({ error, result = {} }) => {
          signal?.removeEventListener('abort', leave)
          if (error) reject(CdpError.refused(method, error))
          else resolve(settled(result))
        },
        fail: (why) => {
          signal?.removeEventListener('abort', leave)
          reject(CdpError.ended(method, why))
        },
      },
    )
  })
}
