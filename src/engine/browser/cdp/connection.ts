import type { Log } from '../../../kernel/log.ts'
import { type CdpClient, type ClientOptions, createClient } from './client.ts'
import { browserSession, createRouter } from './router.ts'
import { call, createSession, type Session } from './session.ts'
import type { Wire } from './shapes.ts'

/** One wire to a browser, shared by our own sessions and any number of other clients. */
export type Connection = {
  /** The browser itself. */
  readonly browser: Session
  /** A session with a page. An abort lets go of the page again. */
  attach(targetId: string, signal?: AbortSignal): Promise<Session>
  /** A place for another CDP client (Playwright, Puppeteer, a WebSocket). */
  client(options: ClientOptions): Promise<CdpClient>
  /** Resolves when nothing comes any more, with how that came: "was closed by the browser". Never rejects. */
  readonly closed: Promise<string>
  /** Hangs up at once: calls and sessions end as `closed`. */
  close(): void
}

/** Takes the wire over; to be called in the turn in which the wire was made. */
export function createConnection(wire: Wire, log: Pick<Log, 'error'>): Connection {
  const { promise: closed, resolve } = Promise.withResolvers<string>()
  const router = createRouter(wire, resolve)
  const browser = createSession(router, browserSession, browserSession, log)
  const ask = <T>(method: string, params: Record<string, unknown>, settled: (result: Attached) => T) =>
    call(router, { method, params, sessionId: browserSession }, undefined, (result) => settled(result as Attached))

  return {
    browser,
    closed,
    attach(targetId, signal) {
      const attaching = ask('Target.attachToTarget', { targetId, flatten: true }, ({ sessionId }) =>
        createSession(router, sessionId, browserSession, log),
      )
      return signal ? unlessAborted(attaching, signal) : attaching
    },
    client: (options) =>
      ask('Target.attachToBrowserTarget', {}, ({ sessionId }) => createClient(router, sessionId, options)),
    close: () => wire.end(),
  }
}

type Attached = { sessionId: string }

function unlessAborted(attaching: Promise<Session>, signal: AbortSignal): Promise<Session> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason as Error)
      void attaching.then((session) => session.detach()).catch(() => undefined)
    }
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    attaching.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
