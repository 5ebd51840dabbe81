import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js'
import type { Log } from '../../../kernel/log.ts'
import { abortReason } from '../../../util/async.ts'
import { CdpError, type SessionEnd, browserSession, type Router } from './router.ts'
import type { CdpMessage } from './cdp-wire.ts'

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
  /** Creates an announced session (frames, workers); in the listener itself, otherwise its first events are lost. */
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
