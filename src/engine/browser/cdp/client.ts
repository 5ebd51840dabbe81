import { browserSession, type Hearer, type Router } from './router.ts'
import { detach } from './session.ts'
import type { CdpMessage, TargetInfo } from './shapes.ts'

export type ClientOptions = {
  /** Messages for the client, as a browser of its own would send them. */
  receive(message: CdpMessage): void
  /** Called once, when the client has closed or the browser is gone. */
  ended(why: string): void
  /** Why a call is refused beyond those that no client may make; undefined lets it pass. */
  refusal?(message: CdpMessage): string | undefined
  /** The one browser context whose targets it is shown; without it, all of them. */
  contextId?: string | undefined
}

/** Another program's place on the connection, with ids, sessions and events of its own. */
export type CdpClient = {
  /** What the client says; unchecked input is answered as a browser would answer it. */
  send(message: CdpMessage): void
  /** The browser reads slower than clients write: stop reading from the client until `drained`. */
  isFull(): boolean
  drained(): Promise<void>
  /** Leaves; pages and contexts stay. */
  close(): Promise<void>
}

/** Calls that would end the browser for everybody, or lead round these checks. */
const never: Record<string, string> = {
  'Browser.close': 'The browser is shared: close the connection instead.',
  'Browser.crash': 'The browser is shared.',
  'Browser.crashGpuProcess': 'The browser is shared.',
  'Target.sendMessageToTarget': 'Attach with flatten: true and send messages with a sessionId.',
  'Target.exposeDevToolsProtocol': 'Pages may not drive the browser.',
}
const attaching = new Set(['Target.attachToTarget', 'Target.attachToBrowserTarget'])

/** Codes of JSON-RPC and Chromium. */
const invalidRequest = -32600
const invalidParams = -32602
const serverError = -32000
const sessionNotFound = -32001

const noTarget = { code: invalidParams, message: 'No target with given id found' }

/** `root` is a browser-level session made for this client: discovery and auto-attach of one client are nothing to another. */
export function createClient(router: Router, root: string, options: ClientOptions): CdpClient {
  let isOpen = true

  const hearer: Hearer = {
    event(message) {
      if (hears(message)) receive(message)
    },
    // Of the sessions below the root the browser itself tells the client.
    end: (why, sessionId) => {
      if (sessionId === root) leave(why)
    },
  }
  const hiding = createHiding(router, options.contextId)
  const { adopt, hears, isForeign } = sessionsOf(hearer, root, router, hiding)

  /** The client takes its root for the browser itself, whose messages name no session. */
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
        answer: ({ result, error }) => {
          if (hiding.isHidden(result?.['sessionId'])) return receive({ ...addressOf(message), error: noTarget })
          if (attaching.has(method)) adopt(result?.['sessionId'], sessionId)
          receive({ ...addressOf(message), ...(result && { result: hiding.shown(result) }), ...(error && { error }) })
        },
        // As in a browser: a page that is gone answers nothing.
        fail: () => {},
      },
    )
  }

  return {
    send(message) {
      if (!isOpen) return
      const error = refusalOf(message, isForeign, options.refusal)
      // A client may note what it waits for only after it has sent.
      if (error) queueMicrotask(() => receive({ ...addressOf(message), error }))
      else pass(message)
    },
    isFull: () => router.wire.isFull(),
    drained: () => router.wire.drained(),
    close: async () => {
      if (!isOpen) return
      leave('closed by the client')
      await detach(router, root)
    },
  }
}

/** What belongs to a client: its root, and each session that it attached or was told of there. */
function sessionsOf(hearer: Hearer, root: string, router: Router, { hides }: Hiding) {
  const adopt = (sessionId: unknown, parent = root) => {
    if (typeof sessionId === 'string' && !router.owner(sessionId)) router.own(sessionId, parent, hearer)
  }
  router.own(root, browserSession, hearer)
  return {
    adopt,
    /** Whether the client is to be told; what it is told of is its own. */
    hears(message: CdpMessage): boolean {
      if (hides(message)) return false
      if (message.method === 'Target.attachedToTarget') adopt(message.params?.['sessionId'], message.sessionId)
      return true
    },
    isForeign: (sessionId: unknown) =>
      sessionId !== undefined && (typeof sessionId !== 'string' || router.owner(sessionId) !== hearer),
  }
}

/** Where the answer to a message goes. */
const addressOf = ({ id, sessionId }: CdpMessage): CdpMessage => ({
  ...(id !== undefined && { id }),
  ...(sessionId !== undefined && { sessionId }),
})

function refusalOf(
  message: CdpMessage,
  isForeign: (sessionId: unknown) => boolean,
  more: ClientOptions['refusal'],
): CdpMessage['error'] {
  const { id, method, params, sessionId } = message
  if (!Number.isSafeInteger(id) || typeof method !== 'string' || typeof (params ?? {}) !== 'object')
    return { code: invalidRequest, message: 'A message needs an integer id, a method, and an object if it has params.' }
  if (isForeign(sessionId) || isForeign(params?.['sessionId']))
    return { code: sessionNotFound, message: 'Session with given id not found.' }
  const why = Object.hasOwn(never, method) ? never[method] : more?.(message)
  return why === undefined ? undefined : { code: serverError, message: why }
}

type Told = Partial<TargetInfo> | undefined
type Result = NonNullable<CdpMessage['result']>

type Hiding = {
  /** Whether the client is not to hear this event. A session with such a target is let go of at once. */
  hides(message: CdpMessage): boolean
  isHidden(sessionId: unknown): boolean
  /** What a client may be answered of that. */
  shown(result: Result): Result
}

/**
 * Keeps targets from a client: pages of the browser itself, such as its settings, which may do whatever the browser
 * may; and, for a client that is given one context, those of all others.
 */
function createHiding(router: Router, contextId: string | undefined): Hiding {
  const hidden = new Set<unknown>()
  const isForeign = (target: Told) =>
    contextId !== undefined && target?.browserContextId !== undefined && target.browserContextId !== contextId
  const isKept = (target: Told) => isBrowsersOwn(target) || isForeign(target)
  return {
    hides({ method, params, sessionId }: CdpMessage): boolean {
      const target = params?.['targetInfo'] as Told
      const named = params?.['sessionId']
      if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged') return isForeign(target)
      if (method === 'Target.detachedFromTarget') return hidden.delete(named)
      if (method !== 'Target.attachedToTarget' || !isKept(target)) return false
      hidden.add(named)
      void detach(router, String(named), sessionId)
      return true
    },
    isHidden: (sessionId) => hidden.has(sessionId),
    shown(result) {
      const targets = result['targetInfos']
      if (contextId === undefined || !Array.isArray(targets)) return result
      return { ...result, targetInfos: (targets as Told[]).filter((target) => !isForeign(target)) }
    },
  }
}

const isBrowsersOwn = ({ type, url = '' }: Partial<TargetInfo> = {}) =>
  type === 'browser_ui' || /^(?:chrome|chrome-untrusted|devtools|file):/i.test(url)
