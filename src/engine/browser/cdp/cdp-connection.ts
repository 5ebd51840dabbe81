import type { Log } from '../../../kernel/log.ts'
import { abortReason } from '../../../util/async.ts'
import {
  browserSession,
  createRouter,
  type SessionListener,
  type Router,
  call,
  createSession,
  type Session,
  detach,
} from './cdp-session.ts'
import type { Wire, CdpMessage } from './cdp-wire.ts'
import type { Protocol } from 'devtools-protocol'

/** Connection to a browser, shared by our own sessions and any number of other clients. */
export type Connection = {
  readonly browser: Session
  /** Opens a session with a page; an abort detaches it again. */
  attach(targetId: string, signal?: AbortSignal): Promise<Session>
  /** Opens another session with the browser itself. Targets that it auto-attaches belong to it and end with it. */
  attachToBrowser(signal?: AbortSignal): Promise<Session>
  /** Adds another CDP client (Playwright, Puppeteer, a WebSocket). */
  client(options: ClientOptions): Promise<CdpClient>
  /** Resolves when the connection has ended, with a reason such as "was closed by the browser". Never rejects. */
  readonly closed: Promise<string>
  /** Disconnects immediately: calls and sessions end as `closed`. */
  close(): void
}

/** Takes over the wire. Must be called synchronously after creating the wire, otherwise messages are lost. */
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

export type ClientOptions = {
  /** Receives messages for the client, as if it were the only client of the browser. */
  receive(message: CdpMessage): void
  /** Called once, when the client has closed or the browser is gone. */
  ended(why: string): void
  /** Returns the reason to reject a call; undefined allows it, unless it is forbidden for all clients. */
  rejectionOf?(message: CdpMessage): string | undefined
  /** The browser context whose targets are visible; all contexts by default. */
  contextId?: string | undefined
}

/** Another program on the connection, with its own ids, sessions and events. */
export type CdpClient = ReturnType<typeof createClient>

/** Calls that would close the shared browser or bypass these checks. */
const forbiddenMethods: Record<string, string> = {
  'Browser.close': 'The browser is shared: close the connection instead.',
  'Browser.crash': 'The browser is shared.',
  'Browser.crashGpuProcess': 'The browser is shared.',
  'Target.sendMessageToTarget': 'Attach with flatten: true and send messages with a sessionId.',
  'Target.exposeDevToolsProtocol': 'Pages may not drive the browser.',
}
const attaching = new Set(['Target.attachToTarget', 'Target.attachToBrowserTarget'])

/** Error codes of JSON-RPC and Chromium. */
const invalidRequest = -32600
const invalidParams = -32602
const serverError = -32000
const sessionNotFound = -32001

const noTarget = { code: invalidParams, message: 'No target with given id found' }

/** `root` is a session of this client only, so its target discovery and auto-attach do not affect other clients. */
function createClient(router: Router, root: string, options: ClientOptions) {
  let isOpen = true

  const listener: SessionListener = {
    event: (message) => void (accepts(message) && receive(message)),
    // The browser itself notifies the client of sessions below the root.
    end: (why, sessionId) => {
      if (sessionId === root) leave(why)
    },
  }
  const filter = createTargetFilter(router, options.contextId)
  const { adopt, accepts, isForeign } = createClientSessions(listener, root, router, filter)

  /** The client sees its root as the browser itself, whose messages have no session id. */
  function receive({ sessionId, ...message }: CdpMessage): void {
    if (!isOpen) return
    options.receive(sessionId === undefined || sessionId === root ? message : { ...message, sessionId })
  }

  function leave(why: string): void {
    if (!isOpen) return
    isOpen = false
    options.ended(why)
  }

  function pass(message: CdpMessage): void {
    const { method = '', params, sessionId } = message
    router.call(
      { method, ...(params && { params }), sessionId: sessionId ?? root },
      {
        resolve: ({ result, error }) => {
          if (filter.isHidden(result?.['sessionId'])) return receive({ ...idsOf(message), error: noTarget })
          if (attaching.has(method)) adopt(result?.['sessionId'], sessionId)
          receive({ ...idsOf(message), ...(result && { result: filter.visible(result) }), ...(error && { error }) })
        },
        // As in a browser: calls to a closed page are never answered.
        fail: () => {},
      },
    )
  }

  return {
    send(message: CdpMessage): void {
      if (!isOpen) return
      const error = rejectionOf(message, isForeign, options.rejectionOf)
      // Asynchronous, because some clients register the call only after sending it.
      if (error) queueMicrotask(() => receive({ ...idsOf(message), error }))
      else pass(message)
    },
    /** True if the browser reads too slowly: stop reading from the client until `drained` resolves. */
    isFull: router.wire.isFull,
    drained: router.wire.drained,
    close: async () => {
      if (!isOpen) return
      leave('closed by the client')
      await detach(router, root)
    },
  }
}

function createClientSessions(listener: SessionListener, root: string, router: Router, { hides }: TargetFilter) {
  const adopt = (sessionId: unknown, parent = root) => {
    if (typeof sessionId === 'string' && !router.listenerOf(sessionId)) router.subscribe(sessionId, parent, listener)
  }
  router.subscribe(root, browserSession, listener)
  return {
    adopt,
    /** True if the client may see a message; sessions announced by it become the client's. */
    accepts(message: CdpMessage): boolean {
      if (hides(message)) return false
      if (message.method === 'Target.attachedToTarget') adopt(message.params?.['sessionId'], message.sessionId)
      return true
    },
    isForeign: (sessionId: unknown) =>
      sessionId !== undefined && (typeof sessionId !== 'string' || router.listenerOf(sessionId) !== listener),
  }
}

/** The fields that route the response to a message. */
const idsOf = ({ id, sessionId }: CdpMessage): CdpMessage => ({
  ...(id !== undefined && { id }),
  ...(sessionId !== undefined && { sessionId }),
})

function rejectionOf(
  message: CdpMessage,
  isForeign: (sessionId: unknown) => boolean,
  more: ClientOptions['rejectionOf'],
): CdpMessage['error'] {
  const { id, method, params, sessionId } = message
  if (!Number.isSafeInteger(id) || typeof method !== 'string' || typeof (params ?? {}) !== 'object')
    return { code: invalidRequest, message: 'A message needs an integer id, a method, and an object if it has params.' }
  if (isForeign(sessionId) || isForeign(params?.['sessionId']))
    return { code: sessionNotFound, message: 'Session with given id not found.' }
  const why = Object.hasOwn(forbiddenMethods, method) ? forbiddenMethods[method] : more?.(message)
  return why === undefined ? undefined : { code: serverError, message: why }
}

type TargetFields = Partial<Protocol.Target.TargetInfo> | undefined
type Result = NonNullable<CdpMessage['result']>

type TargetFilter = ReturnType<typeof createTargetFilter>

/** Hides targets from a client: privileged pages of the browser itself, and pages of other contexts. */
function createTargetFilter(router: Router, contextId: string | undefined) {
  const hidden = new Set<unknown>()
  const isForeign = (target: TargetFields) =>
    contextId !== undefined && target?.browserContextId !== undefined && target.browserContextId !== contextId
  const isHiddenTarget = (target: TargetFields) => isBrowserPage(target) || isForeign(target)
  return {
    /** True if an event is hidden from the client. A session with a hidden target is detached immediately. */
    hides({ method, params, sessionId }: CdpMessage): boolean {
      const target = params?.['targetInfo'] as TargetFields
      const named = params?.['sessionId']
      if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged') return isForeign(target)
      if (method === 'Target.detachedFromTarget') return hidden.delete(named)
      if (method !== 'Target.attachedToTarget' || !isHiddenTarget(target)) return false
      hidden.add(named)
      void detach(router, String(named), sessionId)
      return true
    },
    isHidden: (sessionId: unknown) => hidden.has(sessionId),
    visible(result: Result): Result {
      const targets = result['targetInfos']
      if (contextId === undefined || !Array.isArray(targets)) return result
      return { ...result, targetInfos: (targets as TargetFields[]).filter((target) => !isForeign(target)) }
    },
  }
}

const isBrowserPage = ({ type, url = '' }: Partial<Protocol.Target.TargetInfo> = {}) =>
  type === 'browser_ui' || /^(?:chrome|chrome-untrusted|devtools|file):/i.test(url)
