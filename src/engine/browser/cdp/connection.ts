import type { Log } from '../../../kernel/log.ts'
import { abortReason } from '../../../util/async.ts'
import { type CdpClient, type ClientOptions, createClient } from './client.ts'
import { browserSession, createRouter } from './router.ts'
import { call, createSession, type Session } from './session.ts'
import type { Wire } from './wire.ts'

/** One wire to a browser, shared by our own sessions and any number of other clients. */
export type Connection = {
  /** The browser itself. */
  readonly browser: Session
  /** Opens a session with a page; an abort detaches it again. */
  attach(targetId: string, signal?: AbortSignal): Promise<Session>
  /** A further session with the browser itself: what it attaches to automatically is its own, and ends with it. */
  attachToBrowser(signal?: AbortSignal): Promise<Session>
  /** Adds another CDP client (Playwright, Puppeteer, a WebSocket). */
  client(options: ClientOptions): Promise<CdpClient>
  /** Resolves when the connection has ended, with how: "was closed by the browser". Never rejects. */
  readonly closed: Promise<string>
  /** Disconnects at once: calls and sessions end as `closed`. */
  close(): void
}

/** Takes the wire over. Call it synchronously after creating the wire, or messages are lost. */
export function createConnection(wire: Wire, log: Pick<Log, 'error'>): Connection {
  const { promise: closed, resolve } = Promise.withResolvers<string>()
  const router = createRouter(wire, resolve)
  const browser = createSession(router, browserSession, browserSession, log)
  const attach = <T>(method: string, params: Record<string, unknown>, onResult: (result: Attached) => T) =>
    call(router, { method, params, sessionId: browserSession }, undefined, (result) => onResult(result as Attached))

  const open = (method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<Session> => {
    const opening = attach(method, params, ({ sessionId }) => createSession(router, sessionId, browserSession, log))
    return signal ? detachOnAbort(opening, signal) : opening
  }

  return {
    browser,
    closed,
    attach: (targetId, signal) => open('Target.attachToTarget', { targetId, flatten: true }, signal),
    attachToBrowser: (signal) => open('Target.attachToBrowserTarget', {}, signal),
    client: (options) =>
      attach('Target.attachToBrowserTarget', {}, ({ sessionId }) => createClient(router, sessionId, options)),
    close: () => wire.end(),
  }
}

type Attached = { sessionId: string }

function detachOnAbort(opening: Promise<Session>, signal: AbortSignal): Promise<Session> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(abortReason(signal))
      void opening.then((session) => session.detach()).catch(() => undefined)
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
